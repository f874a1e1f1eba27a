import { expect, test } from "vitest";
import { Places } from "../../src/run/places";
import type { Recorded } from "../../src/run/recorded";

let number = 0;

/** Places are told by the process as a whole: each test has a kind of its own. */
const places = (): Places => new Places(`Kind${number++}`);

const known = (mark: string, place?: string): Recorded => ({ mark, place }) as Recorded;

test("a resource stands where its state says, unless the program has said where it stands by now", () => {
  const here = places();
  expect(here.of(known("m.a", "web"))).toBe("web");
  expect(here.of(known("m.a"))).toBeUndefined();
  here.declare("shop", "web");
  expect(here.of(known("m.a", "web"))).toBe("shop");
  here.see(known(`m.${number}`, "web"), "store");
  expect(here.of(known(`m.${number}`, "web"))).toBe("store");
});

test("a place of one kind is another one of another kind", () => {
  const [zones, ports] = [places(), places()];
  ports.declare("web", "shop");
  ports.replace(known("m.port"), "web");
  expect(ports.isDeclared("web")).toBe(true);
  expect(zones.isDeclared("web")).toBe(false);
  expect(zones.replacedAt("web")).toBeUndefined();
  expect(zones.of(known("m.zone", "shop"))).toBe("shop");
});

test("what stays by its comparison and is created all the same is replaced, once", () => {
  const here = places();
  const web = known("m.web");
  here.stay(web, "web");
  expect(here.replacedAt("web")).toBeUndefined();
  expect(here.succeed("web")).toBe(web);
  expect(here.replacedAt("web")).toBe(web);
  expect(here.succeed("web")).toBeUndefined();
});

test("no place is nowhere", () => {
  const here = places();
  here.declare(undefined, "web");
  here.stay(known("m.web"), undefined);
  here.replace(known("m.web"), undefined);
  expect(here.isDeclared(undefined)).toBe(false);
  expect(here.succeed(undefined)).toBeUndefined();
  expect(here.replacedAt(undefined)).toBeUndefined();
});
