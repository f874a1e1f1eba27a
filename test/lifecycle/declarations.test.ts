import { expect, test } from "vitest";
import { Declarations } from "../../src/lifecycle/declarations";

const at = (place: string, name?: string) => ({ place, name });

test("what two resources declare is said with both their names, of the second and of each after it", () => {
  const all = new Declarations();
  expect(all.declareOnce("Zone", ["zone web", "zone api"], at("one", "first"))).toEqual([]);
  expect(all.declareOnce("ProxyPort", ["port 24000"], at("two", "second"))).toEqual([]);
  expect(all.declareOnce("Zone", ["zone web", "zone www"], at("three", 'the "third"'))).toEqual([
    'zone web is declared twice, by "first" and by "the \\"third\\"". Declare it once: each of them would change, and delete, what the other has.',
  ]);
  expect(all.declareOnce("Zone", ["zone api", "zone web"], at("four"))).toEqual([
    expect.stringContaining('zone api is declared twice, by "first" and by a Zone.'),
    expect.stringContaining('zone web is declared twice, by "first" and by a Zone.'),
  ]);
});

test("kinds that declare the same thing are told from each other by nothing but what it is", () => {
  const all = new Declarations();
  expect(all.declareOnce("ProxyPort", ["port 24000"], at("one", "port"))).toEqual([]);
  expect(all.declareOnce("ProxyPorts", ["port 24000", "port 24001"], at("two", "set"))).toEqual([
    expect.stringContaining('port 24000 is declared twice, by "port" and by "set".'),
  ]);
});

test("the same resource may be checked again, and another service is another", () => {
  const all = new Declarations();
  for (let times = 0; times < 2; times++) expect(all.declareOnce("Zone", ["zone web"], at("one"))).toEqual([]);
  expect(new Declarations().declareOnce("Zone", ["zone web"], at("two"))).toEqual([]);
});

test("of a resource whose place is not known nobody can tell whether it is another", () => {
  const all = new Declarations();
  const nowhere = { place: undefined, name: "web" };
  for (let times = 0; times < 2; times++) expect(all.declareOnce("Zone", ["zone web"], nowhere)).toEqual([]);
  expect(all.declareOnce("Zone", ["zone web"], at("one"))).toEqual([]);
});

test("another resource declares a thing where another place does", () => {
  const all = new Declarations();
  expect(all.isDeclaredElsewhere("zone web", "one")).toBe(false);
  all.declareOnce("Zone", ["zone web"], at("one", "first"));
  expect(all.isDeclaredElsewhere("zone web", "one")).toBe(false);
  expect(all.isDeclaredElsewhere("zone web", "two")).toBe(true);
});

test("a resource is found by the name that it has at its service", () => {
  const all = new Declarations();
  const web = { name: "web", plan: { type: "static" } };
  all.name("Zone", web);
  all.name("Zone", { name: Symbol("unknown") });
  expect(all.named("Zone", "web")).toBe(web);
  expect([all.named("Zone", "api"), all.named("ManagerUser", "web")]).toEqual([undefined, undefined]);
});

test("what turns out to be of one account is declared of one", () => {
  const [one, other] = [new Declarations(), new Declarations()];
  expect(one.declareOnce("Zone", ["zone web"], at("one", "first"))).toEqual([]);
  expect(other.declareOnce("Zone", ["zone web"], at("two", "second"))).toEqual([]);
  other.name("Zone", { name: "web" });
  one.absorb(other);
  expect(one.declareOnce("Zone", ["zone web"], at("two", "second"))).toEqual([
    expect.stringContaining('zone web is declared twice, by "first" and by "second".'),
  ]);
  expect(one.named("Zone", "web")).toEqual({ name: "web" });
});

test("of thousands of things that two resources declare, some are named, and how many more there are", () => {
  const all = new Declarations();
  const ports = Array.from({ length: 2000 }, (_, index) => `port ${24_000 + index}`);
  all.declareOnce("ProxyPorts", ports, at("one", "first"));
  const words = all.declareOnce("ProxyPorts", ports, at("two", "second"));
  expect(words).toHaveLength(21);
  expect(words.at(-1)).toBe("1,980 more like these.");
});
