import { describe, expect, test, vi } from "vitest";
import { ArgumentError, InvalidRequestError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zonePasswordLifecycle as zonePassword } from "../../../src/kinds/zonePassword/lifecycle";
import { PartialFailure, type Step, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  count,
  declaredIn,
  failure,
  forgetRequests,
  notebook,
  outOfTime,
  type Stage,
  stage,
} from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const INPUTS: JsonObject = { zone: "web" };
const GIVEN: JsonObject = { zone: "web", password: "hush-given" };

/** A stage with the zone `web`, which has one password. */
async function zone(): Promise<Stage & { web: ReturnType<Stage["account"]["addZone"]>; first: string }> {
  const scene = await stage();
  const web = scene.account.addZone("web", { type: "static" });
  return Object.assign(scene, { web, first: web.password[0] as string });
}

const read = (scene: Stage, id: string, inputs: JsonObject, state: JsonObject) =>
  zonePassword.read(id, inputs, scene.step(), state);

describe("the inputs", () => {
  test.each<[JsonObject]>([
    [INPUTS],
    [GIVEN],
    [{ ...GIVEN, adopt: true, timeouts: { create: 5 } }],
    [{ zone: UNKNOWN, password: UNKNOWN }],
    [{ zone: "web", triggers: ["2026-01", UNKNOWN] }],
  ])("%j are fine", (inputs) => {
    expect(zonePassword.check(inputs, undefined).failures).toEqual([]);
  });

  test.each<[JsonObject, RegExp]>([
    [{ password: "hush-x" }, /^`zone` is missing/],
    [
      { zone: "web", password: "hush me" },
      /^`password` is not usable \(its value is a secret and not shown\): expected a/,
    ],
    [{ zone: "web", password: "" }, /^`password` is not usable/],
    [{ ...GIVEN, triggers: [1] }, /^`triggers` generate a new password, and `password` is given/],
    [{ zone: "web", adopt: true }, /^`adopt` takes over a password that the zone has: say which/],
    [{ zone: "web", passwort: "hush-x" }, /Did you mean `password`\?/],
  ])("%j are refused, and not shown", (inputs, words) => {
    const { failures } = zonePassword.check(inputs, undefined);
    expect(failures).toEqual([expect.stringMatching(words)]);
    expect(failures.join()).not.toContain("hush");
  });
});

const diff = (before: JsonObject, after: JsonObject) =>
  zonePassword.diff({ password: "hush-generated", ...before }, declaredIn(before), after);

test.each<[string, JsonObject, JsonObject]>([
  ["zone", INPUTS, { zone: "other" }],
  ["password", GIVEN, { ...GIVEN, password: "hush-other" }],
  ["password", GIVEN, INPUTS],
  ["password", INPUTS, GIVEN],
  ["triggers", { ...INPUTS, triggers: [1] }, { ...INPUTS, triggers: [2] }],
])("a change of `%s` adds a new password before it removes the old one", (name, before, after) => {
  expect(diff(before, after)).toEqual({ changed: [name], replaces: [name], deleteBeforeReplace: false });
});

test("a change of anything else leaves it, and so does none", () => {
  expect(diff(INPUTS, INPUTS).changed).toEqual([]);
  expect(diff(GIVEN, { ...GIVEN, adopt: true })).toMatchObject({ changed: ["adopt"], replaces: [] });
  expect(diff(INPUTS, { ...INPUTS, triggers: [] }).replaces).toEqual([]);
  expect(diff({ ...INPUTS, triggers: [] }, INPUTS).replaces).toEqual([]);
});

test("creating generates a password, and adds it to those that the zone has", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  expect(state.password).toMatch(/^[a-z0-9]{16}$/);
  expect(scene.web.password).toEqual([scene.first, state.password]);
  expect(id).toMatch(/^web\/[0-9a-f]{8}$/);
  expect(await read(scene, id, INPUTS, state)).toEqual(state);
  const another = await zonePassword.create(INPUTS, scene.step());
  expect(another.state.password).not.toBe(state.password);
  expect(another.id).not.toBe(id);
});

test("creating adds a given one, and its id tells nothing about it", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(GIVEN, scene.step());
  expect(state).toEqual(GIVEN);
  expect(scene.web.password).toEqual([scene.first, "hush-given"]);
  await zonePassword.delete(id, state, scene.step());
  expect((await zonePassword.create(GIVEN, scene.step())).id).not.toBe(id);
});

test("creating does not take one over that the zone has, unless that is said", async () => {
  const scene = await zone();
  const inputs = { zone: "web", password: scene.first };
  const error = await failure(zonePassword.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/"web" has that password already.*`aliases`.*`adopt: true`/);
  expect(error.message).not.toContain(scene.first);
  expect((await zonePassword.create({ ...inputs, adopt: true }, scene.step())).state).toMatchObject(inputs);
  expect(changes(scene)).toEqual([]);
});

test("a creation for a zone that does not exist fails, and is not kept", async () => {
  const scene = await zone();
  const error = await failure(zonePassword.create({ zone: "none" }, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(changes(scene)).toEqual([]);
});

test("a creation that the service refuses is not kept", async () => {
  const scene = await zone();
  const fault = { path: "/zone/add_password", kind: "respond", status: 400, body: "Invalid password hush-given" };
  scene.remote.service.faults.add({ ...fault, kind: "respond" });
  const error = await failure(zonePassword.create(GIVEN, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).not.toBeInstanceOf(PartialFailure);
});

test.each(["reset", "reset-after"] as const)(
  "a creation of which nobody knows whether it was done (%s) is kept, and settled by the next update",
  async (kind) => {
    const scene = await zone();
    const { faults } = scene.remote.service;
    faults.add({ path: "/zone/add_password", kind });
    const times = Number.POSITIVE_INFINITY;
    faults.add({ path: "/zone/passwords", kind: "respond", status: 500, after: 1, times });
    const error = await outOfTime(scene, "GET /zone/passwords", (step) => zonePassword.create(INPUTS, step));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toMatch(/Whether a password of zone "web" was created could not be found out/);
    faults.clear();
    const { id, state } = error as PartialFailure;
    expect(await zonePassword.update(id, state, declaredIn(INPUTS), INPUTS, scene.step())).toEqual(state);
    expect(scene.web.password).toEqual([scene.first, state.password]);
  },
);

test("a creation whose request is lost is sent once more, and kept where that is lost too", async () => {
  for (const times of [1, 2]) {
    const scene = await zone();
    scene.remote.service.faults.add({ path: "/zone/add_password", kind: "reset", times });
    const create = (step: Step) => zonePassword.create(INPUTS, step);
    const made = times === 1 ? await create(scene.step()) : await outOfTime(scene, "GET /zone/passwords", create, 9);
    expect(count(scene, "POST /zone/add_password")).toBe(2);
    const { id, state } = made as PartialFailure;
    await zonePassword.update(id, state, declaredIn(INPUTS), INPUTS, scene.step());
    expect(scene.web.password).toEqual([scene.first, state.password]);
  }
});

test.each([INPUTS, GIVEN])("creating takes up what a process that was killed has added (%j)", async (inputs) => {
  const scene = await zone();
  const journal = notebook();
  const { state } = await zonePassword.create(inputs, { ...scene.step(), journal });
  expect(JSON.stringify(journal.begun)).not.toContain(state.password);
  const say = vi.fn();
  const taken = await zonePassword.create(inputs, { ...scene.step(), journal: notebook(journal.begun[0]), say });
  expect(taken.state).toEqual(state);
  expect(say.mock.calls.join()).toMatch(/^Took up a password of zone "web"/);
  expect(count(scene, "POST /zone/add_password")).toBe(1);
});

test("creating adds one where a process was killed before it could", async () => {
  const scene = await zone();
  const journal = notebook({ digest: "0" });
  const { state } = await zonePassword.create(INPUTS, { ...scene.step(), journal });
  expect(scene.web.password).toEqual([scene.first, state.password]);
});

test("a creation that cannot be read back is kept", async () => {
  const scene = await zone();
  scene.remote.service.faults.add({ path: "/zone/passwords", kind: "respond", status: 500, after: 2 });
  const error = await failure(zonePassword.create(GIVEN, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ state: GIVEN });
  expect(error.cause).toBeInstanceOf(ServerError);
});

test("reading finds that it is gone, with its zone or without", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  scene.web.password = [scene.first];
  expect(await read(scene, id, INPUTS, state)).toBeUndefined();
  scene.account.removeZone("web");
  scene.context.zones.forget();
  expect(await read(scene, id, INPUTS, state)).toBeUndefined();
});

test("reading does not believe that it is gone because of a failure", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  for (const status of [401, 403, 422, 500]) {
    scene.remote.service.faults.add({ path: "/zone/passwords", kind: "respond", status });
    expect(await failure(read(scene, id, INPUTS, state))).toMatchObject({ status });
  }
});

test("reading does not believe that a zone has no password at all", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  const body = JSON.stringify({ passwords: [] });
  scene.remote.service.faults.add({ path: "/zone/passwords", kind: "respond", status: 200, body, times: 2 });
  for (const task of [() => read(scene, id, INPUTS, state), () => zonePassword.delete(id, state, scene.step())]) {
    expect((await failure(task())).message).toContain('lists no passwords for zone "web", which always has one');
  }
  expect(scene.web.password).toContain(state.password);
});

test("a reading of an import file finds the password that it names", async () => {
  const scene = await zone();
  const inputs = { zone: "web", password: scene.first };
  expect(await read(scene, "web/imported", inputs, inputs)).toEqual(inputs);
  expect(await read(scene, "web/imported", { ...inputs, password: "hush-none" }, { password: "hush-none" })).toBe(
    undefined,
  );
});

test("an id of an import file that begins with an account's name and is none stands for no zone of that name", async () => {
  const scene = await zone();
  scene.account.addZone("shop", { type: "static" });
  // With eight hexadecimal digits at its end, it would be known for what it is.
  const [id, declared] = ["shop/web/main", declaredIn(GIVEN)];
  for (const refused of [
    read(scene, id, GIVEN, GIVEN),
    zonePassword.update(id, GIVEN, declared, GIVEN, scene.step()),
    zonePassword.delete(id, GIVEN, scene.step()),
  ]) {
    expect((await failure(refused)).message).toContain('such as "web/1a2b3c4d". Nothing was done.');
  }
  expect(scene.remote.service.requests).toEqual([]);
});

test("a reading of an import file that names no password leaves it to the next update to add one", async () => {
  const scene = await zone();
  expect(await read(scene, "web/imported", INPUTS, INPUTS)).toEqual(INPUTS);
  const state = await zonePassword.update("web/imported", INPUTS, declaredIn(INPUTS), INPUTS, scene.step());
  expect(scene.web.password).toEqual([scene.first, state.password]);
});

test("a reading by an id alone is refused", async () => {
  const scene = await zone();
  const error = await failure(zonePassword.read("web/0011aabb", undefined, scene.step(), {}));
  expect(error.message).toMatch(/cannot be looked up by an id\. Use `getZonePasswords`/);
});

test("what a resource has is named without telling the password", () => {
  const [thing] = zonePassword.holdings("web/0011aabb", GIVEN).has;
  expect(zonePassword.holdings(undefined, GIVEN).has).toEqual([thing]);
  expect(thing).toMatch(/^password •[0-9a-f]{8}\.[0-9a-f]{16} of zone web$/);
  const [, announced] = thing?.split(" ") ?? [];
  expect(zonePassword.holdings(undefined, { ...GIVEN, password: announced }).has).toEqual([thing]);
  expect(zonePassword.holdings(undefined, { ...GIVEN, password: "hush-other" }).has).not.toEqual([thing]);
  expect(zonePassword.holdings(undefined, INPUTS).has).toEqual([]);
  expect(zonePassword.holdings(undefined, { ...GIVEN, zone: UNKNOWN }).has).toEqual([]);
});

/** An object with other members of some names. */
const over = <T extends object>(all: T, some: Partial<T>): T =>
  new Proxy(all, { get: (_, name) => Reflect.get(name in some ? some : all, name) });

test("deleting what is gone already is done, where the zone goes between the refusal and the look at it", async () => {
  const scene = await zone();
  const step = scene.step();
  const { remote } = step.context;
  const remove: typeof remote.passwords.remove = (...args) =>
    remote.passwords.remove(...args).finally(() => scene.account.removeZone("web"));
  const passwords = over(remote.passwords, { remove });
  const context = over(step.context, { remote: over(remote, { passwords }) });
  await zonePassword.delete("web/0011aabb", GIVEN, { ...step, context });
  expect(count(scene, "POST /zone/remove_password")).toBe(1);
});

test("deleting the only one says that a zone has to keep one, and sends nothing", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(GIVEN, scene.step());
  scene.web.password = ["hush-given"];
  forgetRequests(scene);
  const error = await failure(zonePassword.delete(id, state, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/only password of zone "web", which has to keep one\. Add another first/);
  expect(error.message).not.toContain("hush");
  expect(changes(scene)).toEqual([]);
});

test("deleting all of several at once leaves the zone one", async () => {
  const scene = await zone();
  const step = scene.step();
  const made = await Promise.all(
    ["a", "b", "c"].map((name) => zonePassword.create({ ...GIVEN, password: `hush-${name}` }, step)),
  );
  scene.web.password = scene.web.password.filter((password) => password !== scene.first);
  const endings = await Promise.allSettled(made.map(({ id, state }) => zonePassword.delete(id, state, step)));
  expect(endings.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
  expect(scene.web.password).toEqual(["hush-c"]);
});

test("a deletion that the service says it has done, and has not, does not count", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(GIVEN, scene.step());
  scene.remote.service.faults.add({ path: "/zone/remove_password", kind: "respond", status: 200, body: "OK" });
  const error = await outOfTime(scene, "GET /zone/passwords", (step) => zonePassword.delete(id, state, step));
  expect(error.message).toContain('waiting for a password to leave zone "web"');
});

test("a deletion that the service refuses fails", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(GIVEN, scene.step());
  scene.remote.service.faults.add({ path: "/zone/remove_password", kind: "respond", status: 500 });
  expect(await failure(zonePassword.delete(id, state, scene.step()))).toBeInstanceOf(ServerError);
});

test("a password is described by its zone and its triggers, without the password", async () => {
  const scene = await zone();
  for (const [inputs, described] of [
    [
      { ...INPUTS, triggers: [1] },
      { ...INPUTS, triggers: [1] },
    ],
    [{ ...GIVEN, adopt: false, timeouts: { create: 5 } }, INPUTS],
  ] as const) {
    const { state } = await zonePassword.create(inputs, scene.step());
    expect(zonePassword.describe(state)).toEqual(described);
    expect(zonePassword.check(described, undefined).failures).toEqual([]);
    expect(zonePassword.diff(state, declaredIn(described), described).changed).toEqual([]);
  }
});

const WITH: JsonObject = { ...GIVEN, __deletedWith: true };

test("a password that goes with its zone is checked and compared as any other", () => {
  expect(zonePassword.check(WITH, undefined)).toEqual({ inputs: WITH, failures: [] });
  expect(zonePassword.diff(WITH, declaredIn(WITH), WITH).changed).toEqual([]);
  expect(zonePassword.diff(GIVEN, declaredIn(GIVEN), WITH)).toMatchObject({
    changed: ["__deletedWith"],
    replaces: [],
  });
});

test("a password that goes with its zone is removed before it, unless the zone has no other", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(WITH as never, scene.step());
  expect(await read(scene, id, WITH, state)).toEqual(WITH);
  await zonePassword.delete(id, state, scene.step());
  expect(scene.web.password).toEqual([scene.first]);

  const again = await zonePassword.create(WITH as never, scene.step());
  scene.web.password = ["hush-given"];
  const say = vi.fn();
  forgetRequests(scene);
  await zonePassword.delete(again.id, again.state, { ...scene.step(), say });
  expect(changes(scene)).toEqual([]);
  expect(say.mock.calls).toEqual([
    ['The only password of zone "web" stays until the zone is deleted, which has to keep one.'],
  ]);
  // The zone has stayed after all.
  const { state: taken } = await zonePassword.create(WITH as never, scene.step());
  expect(taken).toEqual(WITH);
  expect(changes(scene)).toEqual([]);
});

test("a password that goes with its zone is not taken over beside one of somebody else's", async () => {
  const scene = await zone();
  scene.web.password.push("hush-given");
  expect((await failure(zonePassword.create(WITH as never, scene.step()))).message).toContain(
    "has that password already",
  );
});

test("a password that goes with its zone, and has stayed, is taken over beside those that the program adds", async () => {
  const scene = await zone();
  scene.web.password = ["hush-given"];
  const added = await zonePassword.create(INPUTS, scene.step());
  const { has } = zonePassword.holdings(added.id, added.state);
  scene.context.claims.made({ mark: "another" }, has);
  expect((await zonePassword.create(WITH as never, scene.step())).state).toEqual(WITH);
  expect(scene.web.password).toHaveLength(2);
});

const GIVEN_LATER: JsonObject = { ...GIVEN, adopt: true };

/** The next lists of passwords have the first one alone, of as many as there are. */
const shorten = (scene: Stage, times: number) =>
  scene.remote.service.faults.add({ path: "/zone/passwords", kind: "shorten", items: 1, times });

test.each([1, 2])("a list that is short does not make a refresh forget a password (%i times)", async (times) => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  shorten(scene, times);
  expect(await read(scene, id, INPUTS, state)).toEqual(state);
});

test.each([1, 2, 6])("a list that is short does not keep a password from being removed (%i times)", async (times) => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  shorten(scene, times);
  await zonePassword.delete(id, state, scene.step());
  expect(scene.web.password).toEqual([scene.first]);
});

test("a list that is short has no password added beside that of a process that was killed", async () => {
  const scene = await zone();
  const journal = notebook();
  const { state } = await zonePassword.create(INPUTS, { ...scene.step(), journal });
  shorten(scene, 3);
  const taken = await zonePassword.create(INPUTS, { ...scene.step(), journal: notebook(journal.begun[0]) });
  expect(taken.state).toEqual(state);
  expect(scene.web.password).toEqual([scene.first, state.password]);
});

test("a list that is short does not leave a zone's other password to the zone", async () => {
  const scene = await zone();
  scene.web.password = ["hush-given", scene.first];
  shorten(scene, 1);
  const state = { ...GIVEN, __deletedWith: true } as const;
  await zonePassword.delete("web/0011aabb", state, scene.step());
  expect(scene.web.password).toEqual([scene.first]);
});

test("a list that is short hands no password over that the zone has", async () => {
  const scene = await zone();
  scene.web.password.push("hush-given");
  shorten(scene, 2);
  expect((await failure(zonePassword.create(GIVEN, scene.step()))).message).toContain("has that password already");
  shorten(scene, 2);
  expect((await zonePassword.create(GIVEN_LATER, scene.step())).state).toEqual(GIVEN_LATER);
  expect(changes(scene)).toEqual([]);
});

test("two lists are enough for a token that may not read the zone", async () => {
  const scene = await zone();
  const { id, state } = await zonePassword.create(INPUTS, scene.step());
  scene.web.password = [scene.first];
  scene.remote.service.faults.add({ path: "/zone", kind: "respond", status: 403 });
  expect(await read(scene, id, INPUTS, state)).toBeUndefined();
});
