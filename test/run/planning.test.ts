import { expect, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { locationOf } from "../../src/base/location";
import { RETAINED } from "../../src/declaration/kind";
import { proxyPortsLifecycle } from "../../src/kinds/proxyPorts/lifecycle";
import { zoneIpsLifecycle } from "../../src/kinds/zoneIps/lifecycle";
import { zonePasswordLifecycle } from "../../src/kinds/zonePassword/lifecycle";
import { type Lifecycle, UNKNOWN } from "../../src/lifecycle/lifecycle";
import { Planning, type Registration } from "../../src/run/planning";
import type { Recorded } from "../../src/run/recorded";
import { Resources } from "../../src/run/resources";
import { Session } from "../../src/run/session";
import { readSettings } from "../../src/settings/settings";
import { type Answers, lifecycle } from "../dynamic/adapterSetup";
import { around } from "./surroundings";

const MANAGER = "http://127.0.0.1:22999";

const things = ({ things: named }: JsonObject): string[] => (Array.isArray(named) ? named.map(String) : []);

/** A kind whose resources have what they name, and cannot do without. */
const ONE: Answers = {
  inputs: ["things"],
  holdings: (_id, values) => ({ has: things(values), standsOn: values.on === undefined ? [] : [String(values.on)] }),
  announceReplacement: vi.fn((_state: JsonObject, _inputs: JsonObject, fate: string) => `what is replaced: ${fate}`),
};

const SET: Answers = { ...ONE, without: (state) => state };
const SHARED: Answers = { ...ONE, isShared: true };

function inRun(answers: Answers = ONE, engine?: string) {
  const said: string[] = [];
  const managers = JSON.stringify({ same: { url: MANAGER }, other: { url: "http://127.0.0.1:22998" } });
  const variables = { BRIGHTDATA_PROXY_MANAGER_URL: MANAGER, BRIGHTDATA_MANAGERS: managers };
  const settings = readSettings(() => undefined, variables);
  const configured = { settings, home: undefined, prices: {} };
  const session = new Session(around({ engine, say: (words) => void said.push(words) }));
  const life = lifecycle(answers);
  const resources = new Resources("Test", life, session, () => configured);
  const planning = new Planning(resources);
  const { claims } = resources.context({});
  const compare = (known: Recorded, inputs: JsonObject) => planning.compare(known, inputs, "place", () => false);
  return { planning, resources, claims, said, life, compare };
}

const at = (place: string, more: Partial<Registration> = {}): Registration =>
  ({ place, former: undefined, name: place, run: undefined, ...more }) as Registration;

const known = (state: JsonObject, more: Partial<Recorded> = {}): Recorded => ({
  ...{ id: "it", state, home: undefined, location: locationOf(MANAGER), place: "place", mark: "m.it" },
  ...{ isUnmarked: false, declared: new Set(Object.keys(state)), inputs: state, isImport: false },
  ...more,
});

const A = { things: ["a"] };
const AB = { things: ["a", "b"] };
const UNCHANGED = { changes: false, changed: [], replaces: [], deleteBeforeReplace: false };
const ANEW = { changes: true, changed: [], replaces: ["id"], deleteBeforeReplace: true };

/** A run whose program has declared the resource. */
async function declared(answers: Answers = ONE, inputs: JsonObject = A) {
  const scene = inRun(answers);
  await scene.planning.check(inputs, inputs, at("place"));
  return scene;
}

test.each<[string, Answers, JsonObject, object]>([
  ["is made anew, by one that has nothing else", ONE, A, ANEW],
  ["is no reason to make anew what has something else, too", ONE, AB, UNCHANGED],
  ["is no reason to make anew what can do without", SET, A, { ...UNCHANGED, changes: true }],
  ["is no reason to make anew what others share", SHARED, A, UNCHANGED],
  ["is nothing to one that has nothing", ONE, { things: [] }, UNCHANGED],
])("what another resource has deleted in this run %s", async (_, answers, state, judgement) => {
  const { compare, claims, said } = await declared(answers, state);
  claims.note("deleted", ["a"]);
  expect(compare(known(state), state)).toEqual(judgement);
  if (judgement === ANEW) expect(said).toEqual(["what is replaced: gone"]);
});

test("what is refused is to be made nowhere, and nothing is said of it", async () => {
  const announce = vi.fn(() => "It will be made.");
  const { planning, claims, said } = inRun({ ...ONE, announce });
  await planning.check(undefined, A, at("one"));
  expect((await planning.check(undefined, A, at("other"))).failures).toHaveLength(1);
  expect(["one", "other"].map((place) => claims.isTold(place))).toEqual([true, false]);
  expect([announce.mock.calls.length, said]).toEqual([1, ["It will be made."]]);
});

test("what another resource has made in this run is refused to one that cannot do without", async () => {
  const { compare, claims } = await declared();
  claims.made({ mark: "m.other" }, ["a"]);
  expect(() => compare(known(A), A)).toThrow(ArgumentError);
  expect(() => compare(known(A), A)).toThrow(
    "a has been taken over by another resource of this program in this update. Declare it once",
  );
  expect(() => compare(known(A, { mark: "m.other" }), A)).not.toThrow();
});

test.each([
  ["can do without", SET, true],
  ["shares it", SHARED, false],
])("what another resource has made in this run is not refused to one that %s", async (_, answers, changes) => {
  const { compare, claims } = await declared(answers);
  claims.made({ mark: "m.other" }, ["a"]);
  expect(compare(known(A), A).changes).toBe(changes);
});

test("what stands on a thing that is made anew in this run is updated", async () => {
  const { compare, claims } = await declared();
  const state = { ...A, on: "x" };
  expect(compare(known(state), A).changes).toBe(false);
  claims.note("renewed", ["x"]);
  expect(compare(known(state), A).changes).toBe(true);
  // A refresh compares too, but updates nothing.
  const refresh = inRun();
  refresh.claims.note("renewed", ["x"]);
  expect(refresh.compare(known(state), A).changes).toBe(false);
});

const REPLACING: Answers = {
  ...ONE,
  diff: () => ({ changed: ["things"], replaces: ["things"], deleteBeforeReplace: false }),
};

const replaced = async (claimed: readonly string[], state: JsonObject = AB, more: JsonObject = {}) => {
  const inputs = { things: ["c"], ...more };
  const scene = await declared(REPLACING, inputs);
  scene.claims.announced("there", claimed);
  expect(scene.compare(known(state), inputs)).toEqual({
    ...UNCHANGED,
    changes: true,
    changed: ["things"],
    replaces: ["things"],
  });
  return scene;
};

test("what is replaced is deleted, unless another resource has all of it", async () => {
  expect((await replaced([])).said).toEqual(["what is replaced: deleted"]);
  expect((await replaced(["a"])).said).toEqual(["what is replaced: deleted"]);
  expect((await replaced(["a", "b"])).said).toEqual(["what is replaced: another's"]);
  expect((await replaced(["a"], { things: [] })).said).toEqual(["what is replaced: deleted"]);
});

test("what is replaced does not stay, and what stands on it is made anew", async () => {
  const { claims, resources } = await replaced([]);
  expect(claims.isStaying("m.it")).toBe(false);
  expect([...claims.renewed]).toEqual(["a", "b"]);
  expect(resources.places.at("place").replaced?.mark).toBe("m.it");
});

test("what stands on a thing that is replaced and stays, as another's or by `retainOnDelete`, does not go with it", async () => {
  for (const { claims } of [await replaced(["a", "b"]), await replaced([], AB, { [RETAINED]: true })]) {
    expect([claims.isStaying("m.it"), claims.renewed.size]).toEqual([false, 0]);
    claims.comes("there", { adopts: ["a"] });
    claims.creation("there", "begins");
    expect(claims.isRenewed("a")).toBe(false);
  }
});

test("what another service replaces, and stays, does not go with what takes its name", async () => {
  const moved = { changed: ["manager"], replaces: ["manager"], deleteBeforeReplace: false };
  for (const [claimed, more] of [
    [["a"], {}],
    [[], { [RETAINED]: true }],
  ] as const) {
    const inputs = { ...A, manager: "other", ...more };
    const { compare, claims } = await declared({ ...ONE, diff: () => moved }, inputs);
    claims.announced("there", claimed);
    expect(compare(known(A), inputs).replaces).toEqual(["manager"]);
    claims.comes("there", { adopts: ["a"] });
    claims.creation("there", "begins");
    expect(claims.isRenewed("a")).toBe(false);
  }
});

test("what may be kept by `retainOnDelete` is made anew, but what lets somebody in does not go with it", async () => {
  const { claims } = await replaced([], AB, { [RETAINED]: UNKNOWN });
  const goesWith = (letsIn: boolean) => claims.isRenewed("a", true, letsIn);
  expect([goesWith(false), goesWith(true)]).toEqual([true, false]);
});

test("a refresh, which compares too, replaces nothing, and what depends on something replaced is so", () => {
  const [refresh, dependent] = [inRun(REPLACING), inRun(REPLACING)];
  refresh.compare(known(AB), A);
  expect([refresh.claims.renewed.size, refresh.resources.places.at("place").replaced]).toEqual([0, undefined]);
  dependent.compare(known(AB), { things: UNKNOWN });
  expect([...dependent.claims.renewed]).toEqual(["a", "b"]);
  expect(dependent.resources.places.at("place").replaced?.mark).toBe("m.it");
});

test("what stays is no successor's, and nothing of it is made anew", async () => {
  const { compare, claims, resources } = await declared();
  compare(known(A), A);
  expect([claims.isStaying("m.it"), claims.renewed.size, claims.whoHas("a")]).toEqual([true, 0, "has"]);
  expect(resources.places.at("place").replaced).toBeUndefined();
});

test("what stays by its comparison and is to be made all the same is replaced", async () => {
  const { compare, planning, claims, resources, said, life } = await declared();
  const compared = { ...A, [RETAINED]: UNKNOWN };
  compare(known(A), compared);
  expect(said).toEqual([]);
  await planning.check(undefined, A, at("place"));
  expect([claims.isStaying("m.it"), resources.places.at("place").replaced?.mark]).toEqual([false, "m.it"]);
  expect(said).toEqual(["what is replaced: deleted"]);
  expect(life.announceReplacement).toHaveBeenLastCalledWith(A, compared, "deleted");
});

test.each<[string, unknown, unknown]>([
  ["the same, by another name", "same", undefined],
  ["another", "other", "other"],
  ["not known yet", UNKNOWN, UNKNOWN],
])("what is told of a replacement says which manager it is to be with: %s", async (_, manager, told) => {
  const diff = () => ({ changed: ["things"], replaces: ["things"], deleteBeforeReplace: false });
  const { planning, life, resources } = inRun({ ...ONE, diff });
  const inputs = { things: ["b"], [resources.argument]: manager };
  await planning.check(inputs, A, at("place"));
  planning.compare(known(A), inputs, "place");
  const expected = { ...inputs, [resources.argument]: told };
  expect(life.announceReplacement).toHaveBeenLastCalledWith(A, expected, "deleted");
});

const second = async (answers: Answers) => {
  const { planning } = await declared(answers);
  return (await planning.check(undefined, A, at("other"))).failures;
};

test("a thing that two resources declare is refused to the second, unless they share it", async () => {
  expect(await second(ONE)).toEqual([expect.stringContaining("a")]);
  expect(await second(SHARED)).toEqual([]);
});

test("a thing that a resource declares again at its place is not refused", async () => {
  const { planning } = await declared();
  expect((await planning.check(A, A, at("place"))).failures).toEqual([]);
});

test("a resource that takes over what there is says so also where it was there before, and was not announced", async () => {
  const adopting = { ...A, adopt: true };
  const answers: Answers = { ...ONE, holdings: (_id, values) => ({ has: things(values), takesOver: things(values) }) };
  const { planning, claims } = inRun(answers);
  await planning.check(adopting, adopting, at("place", { run: { file: "a-run" } }));
  expect(claims.whoHas("a")).toBeUndefined();
  await planning.check(adopting, adopting, at("place", { run: { file: "a-run", isTakeOver: true } }));
  expect(claims.whoHas("a")).toBe("adopts");
});

test("what a check and a comparison announce of one resource is said once, and of each resource", async () => {
  const { planning, said } = inRun({ ...SHARED, announce: () => "It costs money." });
  for (const place of ["one", "one", "other"]) await planning.check(undefined, A, at(place));
  expect(said).toEqual(["It costs money.", "It costs money."]);
});

test("a check knows what is certainly to be created: not what an import file has, of which no program tells", async () => {
  const check = vi.fn((inputs: JsonObject, ..._: unknown[]) => ({ inputs, failures: [] }));
  const { planning } = inRun({ ...SHARED, check });
  const run = { file: "a-run" };
  await planning.check(undefined, A, at("one", { run }));
  await planning.check(undefined, A, at("two"));
  await planning.check(A, A, at("three", { run }));
  expect(check.mock.calls.map(([, , program]) => program)).toMatchObject(
    [true, false, false].map((isCreated) => ({ isCreated })),
  );
});

test("a check knows the inputs of before, and other resources by their names", async () => {
  const check = vi.fn((inputs: JsonObject) => ({ inputs, failures: [] }));
  const { planning } = inRun({ ...SHARED, check });
  const former = { things: ["before"] };
  await planning.check(former, { name: "web", things: ["a"] }, at("place"));
  await planning.check(undefined, A, at("place"));
  const program = check.mock.lastCall?.[2 as never] as unknown as {
    former: JsonObject;
    named(kind: string, name: string): JsonObject | undefined;
  };
  expect(program.former).toEqual(former);
  expect(program.named("Test", "web")).toEqual({ name: "web", things: ["a"] });
  expect(program.named("Test", "api")).toBeUndefined();
});

test("what one process of the run is told, another one hears of, also where no program announces", async () => {
  const [one, other] = [inRun(ONE, "127.0.0.1:45678"), inRun(ONE, "127.0.0.1:45678")];
  await one.planning.check(A, A, at("place"));
  one.compare(known(A), A);
  await undefined;
  await other.planning.check(undefined, { things: ["b"] }, at("other"));
  expect([other.claims.whoHas("a"), other.claims.whoHas("c")]).toEqual(["has", undefined]);
});

test("what a class of the package has told of a resource stays where the engine skips that", () => {
  const { planning, resources } = inRun();
  resources.places.announce({
    kind: "Test",
    name: "called",
    place: "here",
    former: ["before"],
    inputs: { name: "web" },
  });
  for (const place of ["here", "there"]) planning.skip("skipped", place, { name: "api" });
  expect(resources.places.untold().map(({ name }) => name)).toEqual(["called", "skipped"]);
  expect(resources.places.stoodAt("here")).toEqual(["before"]);
  expect(resources.session.failure).toBe("certain");
});

test("an input that has to be there, and that the engine leaves out of what it skips, comes from what has failed", () => {
  const { planning, resources } = inRun({ declaration: zoneIpsLifecycle.declaration });
  planning.skip("skipped", "there", { count: 2 });
  expect(resources.places.untold()).toMatchObject([{ inputs: {}, unknown: ["zone"] }]);
});

test("what one process skips where no program announces, those of other providers hear of, but for secrets", () => {
  const of = (home: string | undefined, more: Record<string, string> = {}) =>
    skipping("127.0.0.1:45679", zonePasswordLifecycle, home, more);
  const [own, another, theDefault] = [of("shop"), of("other"), of(undefined)];
  own.planning.skip("given", "here", { zone: "web", password: "of-web" });
  own.planning.skip("secret", "there", { zone: "api" }, [["zone"]]);
  const told = [
    { name: "given", inputs: { zone: "web" }, unknown: ["password"] },
    { name: "secret", inputs: {}, unknown: ["zone"] },
  ];
  expect([another.heard(), theDefault.heard()]).toEqual([told, told]);
  expect(of(undefined, { BRIGHTDATA_BASE_URL: "http://127.0.0.1:9" }).heard()).toEqual([]);
  expect(own.heard()).toEqual([
    { name: "given", inputs: { zone: "web", password: "of-web" }, unknown: [] },
    { name: "secret", inputs: { zone: "api" }, unknown: [] },
  ]);
});

test("of a set of ports that is skipped, other providers hear the numbers, though the ports have secrets", () => {
  const of = (home: string) => skipping("127.0.0.1:45680", proxyPortsLifecycle, home);
  const [own, another] = [of("shop"), of("other")];
  const ports = { a: { port: 24000, multiply: 2, password: "of-a" }, b: { port: 24010, zone: "web" } };
  own.planning.skip("given", "here", { ports });
  own.planning.skip("secret", "there", { ports }, [["ports"]]);
  own.planning.skip("a password", "elsewhere", { ports }, [["ports", "b", "password"]]);
  own.planning.skip("a number", "where", { ports }, [["ports", "b", "port"]]);
  const named = { ports: { a: { port: 24000, multiply: 2 }, b: { port: 24010 } } };
  expect(another.heard()).toEqual([
    { name: "given", inputs: named, unknown: [] },
    { name: "secret", inputs: {}, unknown: ["ports"] },
    { name: "a password", inputs: named, unknown: [] },
    { name: "a number", inputs: {}, unknown: ["ports"] },
  ]);
});

/** A process of a run in which no program announces, with a provider of that name, and what it hears of others. */
function skipping(engine: string, lifecycle: Lifecycle, home: string | undefined, more: Record<string, string> = {}) {
  const settings = readSettings(() => undefined, { BRIGHTDATA_API_TOKEN: "token", ...more });
  const session = new Session(around({ engine, lifecycleOf: () => lifecycle }));
  const configured = { settings, home, prices: {} };
  const resources = new Resources(lifecycle.declaration.name, lifecycle, session, () => configured);
  const heard = () => {
    resources.hear(true);
    const scope = resources.scope({});
    return (scope && session.untold(scope))?.map(({ name, inputs, unknown }) => ({ name, inputs, unknown }));
  };
  return { planning: new Planning(resources), heard };
}
