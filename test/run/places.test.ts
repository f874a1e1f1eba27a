import { expect, test } from "vitest";
import { Places } from "../../src/run/places";
import type { Recorded } from "../../src/run/recorded";

const places = (): Places => new Places();

const known = (mark: string, place?: string): Recorded => ({ mark, place }) as Recorded;

test("a resource stands where its state says, unless the program has said where it stands by now", () => {
  const here = places();
  expect(here.of(known("m.a", "web"))).toBe("web");
  expect(here.of(known("m.a"))).toBeUndefined();
  here.declare("shop", "web", undefined);
  expect(here.of(known("m.a", "web"))).toBe("shop");
  here.see(known("m.b", "web"), "store");
  expect(here.of(known("m.b", "web"))).toBe("store");
});

test("a resource that an alias has moved stands where the engine says, where the program has another at the place of before", () => {
  const here = new Places(true);
  here.announce({ kind: "Test", name: "web", inputs: {}, isNative: true, place: "web", urnPlace: "urn of web" });
  const at = (urnPlace?: string) => here.here(Object.assign(known("m.a", "web"), urnPlace && { urnPlace }));
  expect([at(), at("urn of web"), at("urn of web in a group")]).toEqual(["web", "web", "urn of web in a group"]);
  // What has the other form there is not told under a URN of this one.
  here.announce({ kind: "Test", name: "api", inputs: {}, place: "api" });
  expect(here.here(Object.assign(known("m.b", "api"), { urnPlace: "urn of api" }))).toBe("api");
});

test("a place of one kind is another one of another kind", () => {
  const [zones, ports] = [places(), places()];
  ports.declare("web", "shop", undefined);
  ports.note("web", { replaced: known("m.port") });
  expect(ports.isDeclared("web")).toBe(true);
  expect(zones.isDeclared("web")).toBe(false);
  expect(zones.at("web").replaced).toBeUndefined();
  expect(zones.of(known("m.zone", "shop"))).toBe("shop");
});

test("what stays by its comparison and is created all the same is replaced, once", () => {
  const here = places();
  const web = known("m.web");
  here.note("web", { staying: { known: web, inputs: {} } });
  expect(here.at("web").replaced).toBeUndefined();
  expect(here.succeed("web", {})?.known).toBe(web);
  expect(here.at("web").replaced).toBe(web);
  expect(here.succeed("web", {})).toBeUndefined();
});

test("the inputs that there were before are known by the place, also where the next check comes without them", () => {
  const here = places();
  here.declare("web", undefined, { name: "web_1" });
  here.declare("web", undefined, undefined);
  expect([here.at("web").previous, here.at("api").previous, here.at(undefined).previous]).toEqual([
    { name: "web_1" },
    undefined,
    undefined,
  ]);
});

test("what was noted where nobody told the place is known by the place that the program tells, also of what came before", () => {
  const here = places();
  const [web, api] = [known("m.web"), known("m.api")];
  here.see(web, "urn of web");
  here.note("urn of web", { staying: { known: web, inputs: {} } });
  here.noteUrnPlace("web", "urn of web");
  expect(here.of(web)).toBe("web");
  expect(here.succeed("web", {})?.known).toBe(web);
  here.see(api, "urn of web");
  expect(here.of(api)).toBe("web");
  expect(here.at("web").urnPlace).toBe("urn of web");
  here.noteUrnPlace("urn of api", "urn of api");
  expect([here.of(api), here.at("urn of api").urnPlace]).toEqual(["web", "urn of api"]);
});

test("no place is nowhere", () => {
  const here = places();
  here.declare(undefined, "web", undefined);
  here.note(undefined, { staying: { known: known("m.web"), inputs: {} } });
  here.note(undefined, { replaced: known("m.web") });
  expect(here.isDeclared(undefined)).toBe(false);
  expect(here.succeed(undefined, {})).toBeUndefined();
  expect(here.at(undefined).replaced).toBeUndefined();
});
