import { expect, test, vi } from "vitest";
import { ConfigurationError } from "../../src/base/errors";
import { Context } from "../../src/lifecycle/context";
import { readSettings } from "../../src/settings/settings";
import { withPort } from "../kinds/portStage";
import { cancellableDeadline, stage, unhurried } from "./harness";

const context = (environment: Record<string, string> = {}) => new Context(readSettings(() => undefined, environment));

test("a context needs no token before the remote service is asked", () => {
  expect(context().accounts[0].hasToken).toBe(false);
  expect(() => context().remote).toThrow(ConfigurationError);
  const withToken = context({ BRIGHTDATA_API_TOKEN: "token" });
  expect(withToken.accounts[0].hasToken).toBe(true);
  expect(withToken.remote).toBe(withToken.remote);
});

test("a context lets tasks of one key run one after another, in their order, those of others at the same time", async () => {
  const it = context();
  const events: string[] = [];
  let open: () => void = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const task = (key: string, name: string, wait: Promise<void>) =>
    it.alone(key, async () => {
      events.push(`${name} begins`);
      await wait;
      events.push(`${name} ends`);
      return name;
    });
  const done = Promise.all([
    task("a", "first", gate),
    task("a", "second", gate),
    task("b", "other", Promise.resolve()),
  ]);
  await task("b", "another", Promise.resolve());
  expect(events).toEqual(["first begins", "other begins", "other ends", "another begins", "another ends"]);
  open();
  expect(await done).toEqual(["first", "second", "other"]);
  expect(events.slice(5)).toEqual(["first ends", "second begins", "second ends"]);
});

test("a context asks anew for what another process may have changed before it was a task's turn", async () => {
  const it = context();
  const forgotten = [it.managerSettings, it.managerUsers, it.zones].map((shared) => vi.spyOn(shared, "forget"));
  for (const wasAnothers of [false, true]) {
    it.scope.takeTurns(async () => ({ wasAnothers, end: () => {} }));
    await it.alone("a", async () => {});
    for (const forget of forgotten) expect(forget).toHaveBeenCalledTimes(wasAnothers ? 1 : 0);
  }
});

test("a context lets a task of several keys wait for all of them, whatever the order of its keys", async () => {
  const it = context();
  const events: string[] = [];
  const task = (keys: string[], name: string) =>
    it.alone(keys, async () => {
      events.push(`${name} begins`);
      await Promise.resolve();
      events.push(`${name} ends`);
    });
  await Promise.all([task(["a", "b"], "first"), task(["b", "a"], "second"), task(["c"], "other"), task([], "none")]);
  expect(events.indexOf("second begins")).toBeGreaterThan(events.indexOf("first ends"));
  expect(events.indexOf("other begins")).toBeLessThan(events.indexOf("first ends"));
});

test("a context goes on with the next task when one has failed, and tells only its own caller", async () => {
  const it = context();
  const failing = it.alone("a", () => Promise.reject(new Error("no")));
  const next = it.alone("a", async () => "next");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("next");
});

test("a context asks its manager once for what many resources want to know", async () => {
  const { context, manager } = await withPort();
  const { signal } = unhurried();
  const ask = () =>
    Promise.all([
      context.ports.find(24_000, signal),
      context.managerSettings.get(signal),
      context.portDefaults.get(signal),
      context.managerZones.get(signal),
      context.managerUsers.get(signal),
      context.loggedIn.get(signal),
      context.bans(24_000).get(signal),
    ]);
  const [port, settings, defaults, zones, users, isLoggedIn, bans] = await ask();
  expect([port?.port, port?.zone]).toEqual([24_000, "web"]);
  expect(settings).toEqual(await context.manager.settings.get());
  expect(defaults).toEqual(await context.manager.ports.defaults());
  expect([zones.map(({ name }) => name), users, isLoggedIn, bans]).toEqual([["web"], [], true, []]);
  manager.service.requests.length = 0;
  expect(await ask()).toEqual([port, settings, defaults, zones, users, isLoggedIn, bans]);
  expect(manager.service.requests).toEqual([]);
  context.forgetManager();
  await ask();
  expect(manager.service.requests).toHaveLength(7);
});

test("what many wait for is not asked for again once the update is cancelled", async () => {
  const scene = await stage({}, { BRIGHTDATA_RETRIES: "3" });
  const { context } = scene;
  const { deadline, cancel } = cancellableDeadline();
  const { signal } = deadline;
  cancel();
  const asked = [
    () => context.ports.find(24_000, signal),
    () => context.managerSettings.get(signal),
    () => context.managerZones.get(signal),
    () => context.managerUsers.get(signal),
    () => context.loggedIn.get(signal),
    () => context.bans(24_000).get(signal),
    () => context.zones.get(signal),
    () => context.accounts[0].customer(signal),
  ];
  for (const { service } of [scene.manager, scene.remote])
    service.faults.add({ kind: "respond", status: 503, times: 99 });
  for (const ask of asked) await expect(ask()).rejects.toThrow("503");
  expect([...scene.manager.service.requests, ...scene.remote.service.requests]).toHaveLength(asked.length);
});

test("a context has the collections of its account", () => {
  const it = context();
  it.collections.add("s_1");
  expect([...it.accounts[0].collections]).toEqual(["s_1"]);
});
