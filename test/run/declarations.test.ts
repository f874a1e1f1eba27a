import { expect, test } from "vitest";
import { declareOnce, nameAt, remember } from "../../src/run/declarations";

const SERVICE = "here";
let services = 0;

const at = (place: string, name?: string) => ({ place, name });

test("what two resources declare is said with both their names, of the second and of each after it", () => {
  expect(declareOnce("Zone", SERVICE, ["zone web", "zone api"], at("one", "first"))).toEqual([]);
  expect(declareOnce("ProxyPort", SERVICE, ["port 24000"], at("two", "second"))).toEqual([]);
  expect(declareOnce("Zone", SERVICE, ["zone web", "zone www"], at("three", 'the "third"'))).toEqual([
    'zone web is declared twice, by "first" and by "the \\"third\\"". Declare it once: each of them would change, and delete, what the other has.',
  ]);
  expect(declareOnce("Zone", SERVICE, ["zone api", "zone web"], at("four"))).toEqual([
    expect.stringContaining('zone api is declared twice, by "first" and by a Zone.'),
    expect.stringContaining('zone web is declared twice, by "first" and by a Zone.'),
  ]);
});

test("kinds that declare the same thing are told from each other by nothing but what it is", () => {
  const service = `service ${services++}`;
  expect(declareOnce("ProxyPort", service, ["port 24000"], at("one", "port"))).toEqual([]);
  expect(declareOnce("ProxyPorts", service, ["port 24000", "port 24001"], at("two", "set"))).toEqual([
    expect.stringContaining('port 24000 is declared twice, by "port" and by "set".'),
  ]);
});

test("the same resource may be checked again, and another service is another", () => {
  const service = `service ${services++}`;
  for (let times = 0; times < 2; times++) expect(declareOnce("Zone", service, ["zone web"], at("one"))).toEqual([]);
  expect(declareOnce("Zone", `${service} too`, ["zone web"], at("two"))).toEqual([]);
});

test("of a resource whose place is not known nobody can tell whether it is another", () => {
  const service = `service ${services++}`;
  const nowhere = { place: undefined, name: "web" };
  for (let times = 0; times < 2; times++) expect(declareOnce("Zone", service, ["zone web"], nowhere)).toEqual([]);
  expect(declareOnce("Zone", service, ["zone web"], at("one"))).toEqual([]);
});

test("a resource is remembered by what it is called", () => {
  remember(at("here", "web"));
  remember(at("there"));
  remember({ place: undefined, name: "nowhere" });
  expect(["here", "there", undefined].map(nameAt)).toEqual(["web", undefined, undefined]);
});
