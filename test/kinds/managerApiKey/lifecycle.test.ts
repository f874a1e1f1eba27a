import { expect, test, vi } from "vitest";
import { ArgumentError, ConfigurationError, ConnectionError, RateLimitError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { managerApiKeyLifecycle as managerApiKey } from "../../../src/kinds/managerApiKey/lifecycle";
import { UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { changes, count, declaredIn, described, failure, forgetRequests, stage } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("ManagerApiKey is announced to be replaced when a trigger changes, and only then", () => {
  const announced = (before: JsonObject, after: JsonObject) => {
    const state = { ...before, apiKey: "key" };
    const words = managerApiKey.announceUpdate(state, declaredIn(before), after);
    expect(managerApiKey.announceReplacement(state, after, "deleted")).toBe(words);
    return words;
  };
  expect(announced({ triggers: ["a"] }, { triggers: ["b"] })).toMatch(/^the update will replace/);
  expect(announced({ triggers: ["a"] }, { triggers: UNKNOWN })).toMatch(/^the update will replace/);
  expect(announced({}, { triggers: ["a"] })).toMatch(/^the update will replace/);
  expect(announced({ triggers: ["a"] }, { triggers: ["a"] })).toBeUndefined();
  expect(announced({}, { triggers: [] })).toBeUndefined();
});

test("ManagerApiKey that moves to another manager takes the key that it has: no rotation is announced", () => {
  const announced = (manager: unknown) => {
    const inputs = { triggers: ["b"], manager };
    return managerApiKey.announceReplacement({ triggers: ["a"], apiKey: "key", manager: "fra-1" }, inputs, "deleted");
  };
  expect([announced("fra-2"), announced(undefined)]).toEqual([undefined, undefined]);
  expect(announced("fra-1")).toMatch(/^the update will replace/);
  // Nobody knows yet that it is another.
  expect(announced(UNKNOWN)).toMatch(/^the update will replace/);
});

test.each([undefined, {}])(
  "ManagerApiKey that is imported (%j) keeps the key when the program first declares triggers",
  async (declared) => {
    const scene = await stage();
    const apiKey = await scene.context.manager.apiKeys.generate();
    forgetRequests(scene);
    const found = (await managerApiKey.read("apiKey", declared, scene.step(), {})) as JsonObject;
    const refreshed = (await managerApiKey.read("apiKey", {}, scene.step(), found)) as JsonObject;
    const triggers = { triggers: ["a"] };
    // An import file that nobody has read has no key.
    for (const state of [{}, found, refreshed]) {
      expect(managerApiKey.announceUpdate(state, declaredIn({}), triggers)).toBeUndefined();
      const kept = await managerApiKey.update("apiKey", state as never, declaredIn({}), triggers, scene.step());
      expect(kept).toEqual({ ...triggers, apiKey });
    }
    expect(changes(scene)).toEqual([]);
  },
);

test("ManagerApiKey takes the key that there is, as often as it is made", async () => {
  const scene = await stage();
  const key = await scene.context.manager.apiKeys.generate();
  forgetRequests(scene);
  const { id, state } = await managerApiKey.create({ triggers: ["a"] }, scene.step());
  await managerApiKey.create({}, scene.step());
  expect(state).toEqual({ triggers: ["a"], apiKey: key });
  await managerApiKey.delete(id, state, scene.step());
  expect(changes(scene)).toEqual([]);
  expect(await managerApiKey.read(id, { triggers: ["a"] }, scene.step(), state)).toEqual(state);
});

test("ManagerApiKey of a manager that writes no file keeps the key that was generated", async () => {
  const scene = await stage({ manager: { readOnly: true } });
  const { id, state } = await managerApiKey.create({ triggers: ["a"] }, scene.step());
  expect(await scene.context.manager.apiKeys.current()).toBeUndefined();
  expect(await managerApiKey.read(id, { triggers: ["a"] }, scene.step(), state)).toEqual(state);
  expect(await managerApiKey.read(id, undefined, scene.step(), {})).toBeUndefined();
});

test("ManagerApiKey is imported by one id, and what an earlier version has by another is read", async () => {
  const scene = await stage();
  const apiKey = await scene.context.manager.apiKeys.generate();
  forgetRequests(scene);
  const words = '"key" is not the id of the key of a manager\'s API: expected "apiKey".';
  await expect(managerApiKey.read("key", {}, scene.step(), {})).rejects.toThrow(new ArgumentError(words));
  expect(count(scene, "GET /api/config")).toBe(0);
  expect(await managerApiKey.read("key", {}, scene.step(), { apiKey })).toEqual({ apiKey });
});

test("ManagerApiKey generates one where there is none, once for all that ask", async () => {
  const scene = await stage();
  const step = scene.step();
  const made = await Promise.all([managerApiKey.create({}, step), managerApiKey.create({}, step)]);
  expect(count(scene, "GET /api/gen_token")).toBe(1);
  expect(made.map(({ state }) => state.apiKey)).toEqual(Array(2).fill(scene.manager.state.settings.token_auth));
});

test("ManagerApiKey generates another when a trigger changes, and for nothing else", async () => {
  const scene = await stage();
  const before = { triggers: ["a"] };
  const { id, state } = await managerApiKey.create(before, scene.step());
  const after = { triggers: ["b"] };
  expect(managerApiKey.diff(state, declaredIn(before), after)).toMatchObject({ changed: ["triggers"], replaces: [] });
  const next = await managerApiKey.update(id, state, declaredIn(before), after, scene.step());
  expect(next.apiKey).toBe(scene.manager.state.settings.token_auth);
  expect(next.apiKey).not.toBe(state.apiKey);
  const slower = { ...after, timeouts: { create: 5 } };
  expect(await managerApiKey.update(id, next, declaredIn(after), slower, scene.step())).toEqual({
    ...next,
    ...slower,
  });
  const none = await managerApiKey.create({}, scene.step());
  await managerApiKey.update(id, none.state, declaredIn({}), { triggers: [] }, scene.step());
  expect(count(scene, "GET /api/gen_token")).toBe(2);
});

test("ManagerApiKey that is replaced for a changed trigger generates another, and for nothing else", async () => {
  const scene = await stage();
  const { state } = await managerApiKey.create({ triggers: ["a"] }, scene.step());
  const step = { ...scene.step(), replaced: state };
  expect((await managerApiKey.create({ triggers: ["a"] }, step)).state.apiKey).toBe(state.apiKey);
  const { apiKey } = (await managerApiKey.create({ triggers: ["b"] }, step)).state;
  expect(apiKey).toBe(scene.manager.state.settings.token_auth);
  expect(apiKey).not.toBe(state.apiKey);
});

test("ManagerApiKey of an update that was killed is in the state after the next one, also where that is to change nothing", async () => {
  const scene = await stage();
  const before = { triggers: ["a"] };
  const { id, state } = await managerApiKey.create(before, scene.step());
  const journal = new MemoryJournal();
  const after = { triggers: ["b"] };
  await managerApiKey.update(id, state, declaredIn(before), after, { ...scene.step(), journal });
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  const { apiKey } = await managerApiKey.update(id, state, declaredIn(before), before, next);
  expect(apiKey).toBe(scene.manager.state.settings.token_auth);
  expect(apiKey).not.toBe(state.apiKey);
  expect(count(scene, "GET /api/gen_token")).toBe(2);
});

test("ManagerApiKey is not noted when the manager has refused another", async () => {
  const scene = await stage();
  const { id, state } = await managerApiKey.create({}, scene.step());
  scene.manager.service.faults.add({ path: "/api/gen_token", kind: "respond", status: 403, body: "no" });
  const journal = new MemoryJournal();
  const step = { ...scene.step(), journal };
  await failure(managerApiKey.update(id, state, declaredIn({}), { triggers: ["b"] }, step));
  expect(journal.noted).toBeUndefined();
});

test("ManagerApiKey is listed where there is one, and nothing has to be declared of it", async () => {
  const scene = await stage();
  expect(await managerApiKey.list(scene.step())).toEqual([]);
  await managerApiKey.create({}, scene.step());
  expect(await described(managerApiKey, scene.step())).toEqual({ apiKey: {} });
});

test("ManagerApiKey is read where an import file did not tell it", async () => {
  const scene = await stage();
  const { id, state } = await managerApiKey.create({}, scene.step());
  expect(await managerApiKey.update(id, {}, new Set(), {}, scene.step())).toEqual(state);
});

test("ManagerApiKey learns of a key that somebody else has generated, and of one that is gone", async () => {
  const scene = await stage();
  const { id, state } = await managerApiKey.create({}, scene.step());
  const key = await scene.context.manager.apiKeys.generate();
  expect(await managerApiKey.read(id, {}, scene.step(), state)).toEqual({ apiKey: key });
  delete scene.manager.state.settings.token_auth;
  // Makes the manager write its configuration file, which is what the key is read from.
  await scene.context.manager.settings.update({ logs: 1 });
  expect(await managerApiKey.read(id, {}, scene.step(), {})).toBeUndefined();
});

test("ManagerApiKey whose answer is lost reads it, and generates no other", async () => {
  const scene = await stage();
  scene.manager.service.faults.add({ path: "/api/gen_token", kind: "reset-after" });
  const { state } = await managerApiKey.create({}, scene.step());
  expect(state.apiKey).toBe(scene.manager.state.settings.token_auth);
  expect(count(scene, "GET /api/gen_token")).toBe(1);
  scene.manager.service.faults.add({ path: "/api/gen_token", kind: "reset" });
  const update = managerApiKey.update("apiKey", state, new Set(), { triggers: [1] }, scene.step());
  expect(await failure(update)).toBeInstanceOf(ConnectionError);
  expect(scene.manager.state.settings.token_auth).toBe(state.apiKey);
});

test("ManagerApiKey fails after five within the hour, and over plain http to another machine", async () => {
  const scene = await stage();
  for (let times = 0; times < 5; times++) await scene.context.manager.apiKeys.generate();
  const update = managerApiKey.update("apiKey", { apiKey: "key" }, new Set(), { triggers: [1] }, scene.step());
  expect(await failure(update)).toBeInstanceOf(RateLimitError);
  const elsewhere = scene.manager.url.replace("127.0.0.1", "0.0.0.0");
  const context = scene.anotherContext({ BRIGHTDATA_PROXY_MANAGER_URL: elsewhere });
  for (const attempt of [
    managerApiKey.create({}, { ...scene.step(), context }),
    managerApiKey.read("apiKey", {}, { ...scene.step(), context }, {}),
  ]) {
    expect(await failure(attempt)).toBeInstanceOf(ConfigurationError);
  }
});
