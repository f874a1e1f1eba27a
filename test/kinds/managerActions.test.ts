import { describe, expect, test, vi } from "vitest";
import {
  ArgumentError,
  BrightDataError,
  ConfigurationError,
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
} from "../../src/errors";
import type { JsonObject } from "../../src/json";
import { managerApiKeyLifecycle as managerApiKey } from "../../src/kinds/managerApiKey/lifecycle";
import { managerRestartLifecycle as managerRestart } from "../../src/kinds/managerRestart/lifecycle";
import { managerUpgradeLifecycle as managerUpgrade } from "../../src/kinds/managerUpgrade/lifecycle";
import { portIpRefreshLifecycle as portIpRefresh } from "../../src/kinds/portIpRefresh/lifecycle";
import { portIpUnbanLifecycle as portIpUnban } from "../../src/kinds/portIpUnban/lifecycle";
import { portSessionRefreshLifecycle as portSessionRefresh } from "../../src/kinds/portSessionRefresh/lifecycle";
import { portSslEnableLifecycle as portSslEnable } from "../../src/kinds/portSslEnable/lifecycle";
import { type Lifecycle, PartialFailure, UNKNOWN } from "../../src/lifecycle/lifecycle";
import type { SimulatorOptions } from "../../src/simulator";
import {
  cancellableDeadline,
  changes,
  controlledDeadline,
  count,
  declaredIn,
  described,
  failure,
  forgetRequests,
  type Stage,
  stage,
} from "../lifecycle/harness";
import { MemoryJournal } from "../lifecycle/memoryJournal";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));

/** A manager with the port 24000 of a zone with three IPs. */
async function withPort(options: SimulatorOptions = {}, fields: JsonObject = {}): Promise<Stage> {
  const scene = await stage(options);
  const zone = scene.account.addZone("web", { type: "static", ips_type: "dedicated", ips: 3 });
  zone.allocatedIps = scene.account.allocateIps(3, "us");
  zone.allocatedGips = scene.account.allocateGips(2, "us");
  await scene.context.manager.ports.create({ port: 24_000, zone: "web", ...fields });
  forgetRequests(scene);
  return scene;
}

const ACTIONS: [string, Lifecycle, JsonObject][] = [
  ["PortIpUnban", portIpUnban, { port: 24_000 }],
  ["PortSessionRefresh", portSessionRefresh, { port: 24_000 }],
  ["PortSslEnable", portSslEnable, {}],
  ["PortIpRefresh", portIpRefresh, { port: 24_000, ip: "203.0.113.7" }],
  ["ManagerUpgrade", managerUpgrade, {}],
  ["ManagerRestart", managerRestart, {}],
];

describe.each(ACTIONS)("%s, as every action,", (_, action, inputs) => {
  test("is done again when a trigger changes, and not when a timeout does", () => {
    const state = { ...inputs, triggers: ["a", { b: 1 }], made: "output" };
    const declared = declaredIn({ ...inputs, triggers: [] });
    const diff = (triggers: unknown[], more: JsonObject = {}) =>
      action.diff(state, declared, { ...inputs, triggers, ...more });
    expect(diff(["a", { b: 1 }]).changed).toEqual([]);
    expect(diff(["a", { b: 2 }]).replaces).toEqual(["triggers"]);
    expect(diff(["a", { b: 1 }], { timeouts: { create: 9 } })).toMatchObject({
      changed: ["timeouts.create"],
      replaces: [],
    });
  });

  test("takes triggers of any kind, even unknown ones, and no other property", () => {
    expect(action.check({ ...inputs, triggers: [1, null, { a: [UNKNOWN] }, UNKNOWN] }, undefined).failures).toEqual([]);
    expect(action.check({ ...inputs, triggers: UNKNOWN }, undefined).failures).toEqual([]);
    expect(action.check({ ...inputs, trigger: [] }, undefined).failures).toEqual([
      "`trigger` is not a property of this resource. Did you mean `triggers`?",
    ]);
    expect(action.check({ ...inputs, triggers: "now" }, undefined).failures[0]).toContain("expected a list of values");
  });

  test("says in the preview what it will do, and does nothing when it is read or destroyed", async () => {
    expect(action.announce?.(inputs)).toMatch(/^the update will /);
    expect(action.announce?.({ port: UNKNOWN, ip: UNKNOWN })).not.toMatch(/symbol|undefined/i);
    expect(action.read).toBeUndefined();
    const scene = await stage();
    await action.delete("id", inputs, scene.run());
    expect(scene.manager.service.requests).toEqual([]);
  });
});

describe("PortSslEnable", () => {
  const sslOf = async ({ context }: Stage, port: number) => (await context.manager.ports.get(port))?.ssl;

  test("turns it on on one port, and leaves the others", async () => {
    const scene = await withPort();
    await scene.context.manager.ports.create({ port: 24_001, zone: "web" });
    expect(await portSslEnable.create({ port: 24_001 }, scene.run())).toEqual({ id: "24001", state: { port: 24_001 } });
    expect(await sslOf(scene, 24_001)).toBe(true);
    expect(await sslOf(scene, 24_000)).toBeUndefined();
  });

  test("turns it on on all ports that there are", async () => {
    const scene = await withPort();
    expect(await portSslEnable.create({}, scene.run())).toEqual({ id: "all", state: {} });
    expect(changes(scene)).toEqual(["POST /api/enable_ssl"]);
    expect(await sslOf(scene, 24_000)).toBe(true);
  });

  test("says that there is no such port, of which the manager says that all is well", async () => {
    const scene = await withPort();
    expect(await failure(portSslEnable.create({ port: 24_999 }, scene.run()))).toBeInstanceOf(NotFoundError);
    expect(changes(scene)).toEqual([]);
  });
});

describe("PortSslEnable whose answer is no proof", () => {
  test("looks whether it was done", async () => {
    const scene = await withPort();
    scene.manager.service.faults.add({ path: "/api/enable_ssl", kind: "reset-after" });
    expect((await portSslEnable.create({}, scene.run())).id).toBe("all");
    const other = await withPort();
    other.manager.service.faults.add({ path: "/api/enable_ssl", kind: "reset" });
    expect(await failure(portSslEnable.create({ port: 24_000 }, other.run()))).toBeInstanceOf(ConnectionError);
  });

  test.each([{}, { port: 24_000 }])("does not believe that %j was done where it was not", async (inputs) => {
    const scene = await withPort();
    scene.manager.service.faults.add({ path: "/api/enable_ssl", kind: "respond", status: 200, body: "ok" });
    const error = await failure(portSslEnable.create(inputs, scene.run()));
    expect(error.message).toContain("it is still off on port 24000.");
  });
});

describe("PortIpUnban", () => {
  async function withBans(): Promise<Stage> {
    const scene = await withPort();
    const { bans } = scene.context.manager;
    await bans.add(24_000, { ip: "203.0.113.7", domain: "example.com" });
    await bans.addAll(24_000, { ips: ["203.0.113.7", "203.0.113.8"] });
    forgetRequests(scene);
    return scene;
  }

  test("lifts all bans of a port, and tells which", async () => {
    const scene = await withBans();
    expect(await portIpUnban.create({ port: 24_000 }, scene.run())).toEqual({
      id: "24000",
      state: {
        port: 24_000,
        lifted: [{ ip: "203.0.113.7", domain: "example.com" }, { ip: "203.0.113.7" }, { ip: "203.0.113.8" }],
      },
    });
    expect(changes(scene)).toEqual(["POST /api/proxies/24000/unbanips"]);
    expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
  });

  test.each<[JsonObject, JsonObject[], number]>([
    [{ ip: "203.0.113.7" }, [{ ip: "203.0.113.7" }], 2],
    [{ ip: "203.0.113.7/32", domain: "example.com" }, [{ ip: "203.0.113.7", domain: "example.com" }], 2],
    [{ ip: "203.0.113.9" }, [], 3],
    [{ ip: "203.0.113.8", domain: "example.com" }, [], 3],
  ])("of %j lifts that one", async (which, lifted, left) => {
    const scene = await withBans();
    const { state } = await portIpUnban.create({ port: 24_000, ...which }, scene.run());
    expect(state.lifted).toEqual(lifted);
    expect(await scene.context.manager.bans.list(24_000)).toHaveLength(left);
  });

  test("of a host needs an IP, of an unknown port fails", async () => {
    expect(portIpUnban.check({ port: 1, domain: "example.com" }, undefined).failures[0]).toContain("without `ip`");
    const scene = await withBans();
    expect(await failure(portIpUnban.create({ port: 24_999 }, scene.run()))).toBeInstanceOf(NotFoundError);
    expect(changes(scene)).toEqual([]);
  });

  test("that the manager only pretends to lift is told", async () => {
    const scene = await withBans();
    scene.manager.service.faults.add({
      path: "/api/proxies/24000/unbanips",
      kind: "respond",
      status: 200,
      body: "OK",
    });
    expect((await failure(portIpUnban.create({ port: 24_000 }, scene.run()))).message).toContain("still lists them");
  });

  test("whose answer is lost looks whether it was done", async () => {
    const scene = await withBans();
    scene.manager.service.faults.add({ path: "/api/proxies/24000/unbanips", kind: "reset-after" });
    expect((await portIpUnban.create({ port: 24_000 }, scene.run())).state.lifted).toHaveLength(3);
    const other = await withBans();
    other.manager.service.faults.add({ path: "/api/proxies/24000/unbanips", kind: "reset" });
    expect(await failure(portIpUnban.create({ port: 24_000 }, other.run()))).toBeInstanceOf(ConnectionError);
  });
});

describe("PortSessionRefresh", () => {
  test("tells the new session, where there is one to tell", async () => {
    const scene = await withPort();
    await scene.context.manager.ports.create({ port: 24_001, zone: "web", rotateSession: true });
    const first = await portSessionRefresh.create({ port: 24_000 }, scene.run());
    const second = await portSessionRefresh.create({ port: 24_000 }, scene.run());
    expect(first.state.sessionId).toMatch(/^24000_\d+$/);
    expect(second.state.sessionId).not.toBe(first.state.sessionId);
    expect(await portSessionRefresh.create({ port: 24_001 }, scene.run())).toEqual({
      id: "24001",
      state: { port: 24_001 },
    });
  });

  test("of an unknown port fails", async () => {
    const scene = await withPort();
    expect(await failure(portSessionRefresh.create({ port: 24_999 }, scene.run()))).toBeInstanceOf(NotFoundError);
  });
});

describe("PortIpRefresh", () => {
  const ipsOf = ({ account }: Stage) => account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const gipsOf = ({ account }: Stage) => account.zone("web")?.allocatedGips.map(({ vip }) => vip) ?? [];

  async function withIp(): Promise<Stage & { inputs: { port: number; ip: string } }> {
    const scene = await withPort();
    return Object.assign(scene, { inputs: { port: 24_000, ip: ipsOf(scene)[0] as string } });
  }

  test("needs an IP or a gIP, and not both; says what it costs", () => {
    for (const inputs of [{ port: 1 }, { port: 1, ip: "203.0.113.7", vip: "v" }]) {
      expect(portIpRefresh.check(inputs, undefined).failures[0]).toContain("Exactly one of `ip` and `vip`");
    }
    expect(portIpRefresh.check({ port: 1, ip: "10.0.0.0/8" }, undefined).failures).toHaveLength(1);
    expect(portIpRefresh.check({ port: 1, ip: UNKNOWN }, undefined).failures).toEqual([]);
    expect(portIpRefresh.announce?.({ port: 1, ip: "203.0.113.7" })).toBe(
      "the update will have IP 203.0.113.7 of port 1 replaced, which costs money (the zone's refresh cost).",
    );
  });

  test("has an IP replaced, and tells the new one", async () => {
    const scene = await withIp();
    const { id, state } = await portIpRefresh.create(scene.inputs, scene.run());
    expect(id).toBe(`24000/${scene.inputs.ip}`);
    expect(state).toEqual({ ...scene.inputs, zone: "web", newIp: ipsOf(scene)[0] });
    expect(ipsOf(scene)).not.toContain(scene.inputs.ip);
    expect(changes(scene)).toEqual(["POST /api/refresh_ip/24000"]);
  });

  test("has a gIP replaced, and tells the new one", async () => {
    const scene = await withPort();
    const vip = gipsOf(scene)[1] as string;
    const { state } = await portIpRefresh.create({ port: 24_000, vip }, scene.run());
    expect(state.newVip).toBe(gipsOf(scene)[1]);
    expect(state.newVip).not.toBe(vip);
  });

  test("of an IP that the zone does not have, or of no port, asks for nothing", async () => {
    const scene = await withIp();
    for (const inputs of [
      { port: 24_000, ip: "192.0.2.1" },
      { port: 24_999, ip: scene.inputs.ip },
    ]) {
      const error = await failure(portIpRefresh.create(inputs, scene.run()));
      expect(error).toBeInstanceOf(ArgumentError);
      expect(error.message).toContain("nothing was replaced");
    }
    expect(changes(scene)).toEqual([]);
  });

  test("that the vendor refuses in silence is found out, and not asked for again", async () => {
    const scene = await withIp();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "respond", status: 200 });
    const error = await failure(portIpRefresh.create(scene.inputs, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(BrightDataError);
    expect(error.message).toContain("the vendor has not agreed");
    const { id, state } = error as PartialFailure;
    const again = portIpRefresh.update(id, state, declaredIn(scene.inputs), scene.inputs, scene.run());
    expect((await failure(again)).message).toContain("Change a trigger to ask again");
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
  });

  test("whose answer is lost looks what became of it, at once or later, and is not asked for again", async () => {
    const scene = await withIp();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset-after" });
    expect((await portIpRefresh.create(scene.inputs, scene.run())).state.newIp).toBe(ipsOf(scene)[0]);

    const other = await withIp();
    other.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset-after" });
    other.manager.service.faults.add({ path: "/api/allocated_ips", kind: "respond", status: 500, after: 1 });
    const error = await failure(portIpRefresh.create(other.inputs, other.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("is not known; it is not asked for again");
    const { id, state } = error as PartialFailure;
    const next = await portIpRefresh.update(id, state, declaredIn(other.inputs), other.inputs, other.run());
    expect(JSON.parse(JSON.stringify(next))).toEqual({ ...other.inputs, zone: "web", newIp: ipsOf(other)[0] });
    expect(count(other, "POST /api/refresh_ip/24000")).toBe(1);
  });
});

describe("PortIpRefresh whose outcome is not known", () => {
  const ipsOf = ({ account }: Stage) => account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
  const inputsOf = (scene: Stage) => ({ port: 24_000, ip: ipsOf(scene)[0] as string });

  test("is not done by a refresh: the next update looks, and sends nothing", async () => {
    const scene = await withPort();
    const inputs = inputsOf(scene);
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "reset" });
    const { id, state } = (await failure(portIpRefresh.create(inputs, scene.run()))) as PartialFailure;
    const open = portIpRefresh.diff(state, declaredIn(inputs), inputs);
    expect(open).toMatchObject({ changed: ["allocatedBefore"], replaces: [] });
    const looked = await failure(portIpRefresh.update(id, state, declaredIn(inputs), inputs, scene.run()));
    expect(looked.message).toContain("or was never asked");
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
    await scene.context.manager.ips.refreshOfPort(24_000, { ip: inputs.ip });
    const done = await portIpRefresh.update(id, state, declaredIn(inputs), inputs, scene.run());
    expect(done.newIp).toBe(ipsOf(scene)[0]);
    expect(portIpRefresh.diff(done, declaredIn(inputs), inputs).changed).toEqual([]);
  });

  test.each([
    ["POST", "/api/refresh_ip/24000", 0],
    ["GET", "/api/allocated_ips", 1],
  ])("because %s %s is slow is kept, and no defect", async (method, path, after) => {
    const scene = await withPort();
    const { deadline, expire } = controlledDeadline();
    scene.manager.service.faults.add({ method, path, kind: "hang", after });
    const refreshed = failure(portIpRefresh.create(inputsOf(scene), scene.run(deadline)));
    await vi.waitUntil(() => count(scene, `${method} ${path}`) === after + 1);
    expire();
    const error = await refreshed;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(BrightDataError);
    expect(error.message).toContain("Gave up after 60 s");
  });

  test("because the process was killed is looked for, and never sent again by itself", async () => {
    const scene = await withPort();
    const inputs = inputsOf(scene);
    const journal = new MemoryJournal();
    const first = await portIpRefresh.create(inputs, { ...scene.run(), journal });
    const next = () => ({ ...scene.run(), journal: new MemoryJournal(journal) });
    expect(await portIpRefresh.create(inputs, next())).toEqual(first);

    const other = inputsOf(scene);
    journal.begin({ id: `24000/${other.ip}`, allocatedBefore: ipsOf(scene) });
    const error = await failure(portIpRefresh.create(other, next()));
    expect(error).toMatchObject({ id: `24000/${other.ip}`, state: { ...other, allocatedBefore: ipsOf(scene) } });
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(1);
    // Another replacement is no reason to leave this one out.
    const another = { port: 24_000, ip: ipsOf(scene)[1] as string };
    await portIpRefresh.create(another, next());
    expect(count(scene, "POST /api/refresh_ip/24000")).toBe(2);
  });

  test("is not done by a list that has lost IPs", async () => {
    const scene = await withPort();
    const body = JSON.stringify({ ips: [] });
    scene.manager.service.faults.add({ path: "/api/allocated_ips", kind: "respond", status: 200, body, after: 1 });
    const error = await failure(portIpRefresh.create(inputsOf(scene), scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("nothing in its place: it has 0 now, and had 3");
  });

  test("is forgotten when the manager refuses", async () => {
    const scene = await withPort();
    scene.manager.service.faults.add({ path: "/api/refresh_ip/24000", kind: "respond", status: 403 });
    const journal = new MemoryJournal();
    expect(await failure(portIpRefresh.create(inputsOf(scene), { ...scene.run(), journal }))).toBeInstanceOf(
      PermissionError,
    );
    expect(journal.noted).toBeUndefined();
  });
});

describe("ManagerApiKey", () => {
  test("is announced to be replaced when a trigger changes, and only then", () => {
    expect(managerApiKey.announce({ triggers: ["b"] }, { triggers: ["a"] })).toMatch(/^the update will replace/);
    expect(managerApiKey.announce({ triggers: UNKNOWN }, { triggers: ["a"] })).toMatch(/^the update will replace/);
    expect(managerApiKey.announce({ triggers: ["a"] }, { triggers: ["a"] })).toBeUndefined();
    expect(managerApiKey.announce({})).toBeUndefined();
  });

  test("takes the key that there is, as often as it is made", async () => {
    const scene = await stage();
    const key = await scene.context.manager.apiKeys.generate();
    forgetRequests(scene);
    const { id, state } = await managerApiKey.create({ triggers: ["a"] }, scene.run());
    await managerApiKey.create({}, scene.run());
    expect(state).toEqual({ triggers: ["a"], apiKey: key });
    await managerApiKey.delete(id, state, scene.run());
    expect(changes(scene)).toEqual([]);
    expect(await managerApiKey.read(id, { triggers: ["a"] }, scene.run(), state)).toEqual(state);
  });

  test("generates one where there is none, once for all that ask", async () => {
    const scene = await stage();
    const run = scene.run();
    const made = await Promise.all([managerApiKey.create({}, run), managerApiKey.create({}, run)]);
    expect(count(scene, "GET /api/gen_token")).toBe(1);
    expect(made.map(({ state }) => state.apiKey)).toEqual(Array(2).fill(scene.manager.state.settings.token_auth));
  });

  test("generates another when a trigger changes, and for nothing else", async () => {
    const scene = await stage();
    const before = { triggers: ["a"] };
    const { id, state } = await managerApiKey.create(before, scene.run());
    const after = { triggers: ["b"] };
    expect(managerApiKey.diff(state, declaredIn(before), after)).toMatchObject({ changed: ["triggers"], replaces: [] });
    const next = await managerApiKey.update(id, state, declaredIn(before), after, scene.run());
    expect(next.apiKey).toBe(scene.manager.state.settings.token_auth);
    expect(next.apiKey).not.toBe(state.apiKey);
    const slower = { ...after, timeouts: { create: 5 } };
    expect(await managerApiKey.update(id, next, declaredIn(after), slower, scene.run())).toEqual({
      ...next,
      ...slower,
    });
    expect(count(scene, "GET /api/gen_token")).toBe(2);
  });

  test("is listed where there is one, and nothing has to be declared of it", async () => {
    const scene = await stage();
    expect(await managerApiKey.list(scene.run())).toEqual([]);
    await managerApiKey.create({}, scene.run());
    expect(await described(managerApiKey, scene.run())).toEqual({ apiKey: {} });
  });

  test("is read where an import file did not tell it", async () => {
    const scene = await stage();
    const { id, state } = await managerApiKey.create({}, scene.run());
    expect(await managerApiKey.update(id, {}, new Set(), {}, scene.run())).toEqual(state);
  });

  test("learns of a key that somebody else has generated, and of one that is gone", async () => {
    const scene = await stage();
    const { id } = await managerApiKey.create({}, scene.run());
    const key = await scene.context.manager.apiKeys.generate();
    expect(await managerApiKey.read(id, {}, scene.run(), {})).toEqual({ apiKey: key });
    delete scene.manager.state.settings.token_auth;
    // Makes the manager write its configuration file, which is what the key is read from.
    await scene.context.manager.settings.update({ logs: 1 });
    expect(await managerApiKey.read(id, {}, scene.run(), {})).toBeUndefined();
  });

  test("whose answer is lost reads it, and generates no other", async () => {
    const scene = await stage();
    scene.manager.service.faults.add({ path: "/api/gen_token", kind: "reset-after" });
    const { state } = await managerApiKey.create({}, scene.run());
    expect(state.apiKey).toBe(scene.manager.state.settings.token_auth);
    expect(count(scene, "GET /api/gen_token")).toBe(1);
    scene.manager.service.faults.add({ path: "/api/gen_token", kind: "reset" });
    const update = managerApiKey.update("apiKey", state, new Set(), { triggers: [1] }, scene.run());
    expect(await failure(update)).toBeInstanceOf(ConnectionError);
    expect(scene.manager.state.settings.token_auth).toBe(state.apiKey);
  });

  test("fails after five within the hour, and over plain http to another machine", async () => {
    const scene = await stage();
    for (let times = 0; times < 5; times++) await scene.context.manager.apiKeys.generate();
    const update = managerApiKey.update("apiKey", {}, new Set(), { triggers: [1] }, scene.run());
    expect(await failure(update)).toBeInstanceOf(RateLimitError);
    const elsewhere = scene.manager.url.replace("127.0.0.1", "0.0.0.0");
    const context = scene.anotherContext({ BRIGHTDATA_PROXY_MANAGER_URL: elsewhere });
    for (const attempt of [
      managerApiKey.create({}, { ...scene.run(), context }),
      managerApiKey.read("apiKey", {}, { ...scene.run(), context }, {}),
    ]) {
      expect(await failure(attempt)).toBeInstanceOf(ConfigurationError);
    }
  });
});

describe("ManagerUpgrade", () => {
  test("asks first, and installs nothing where nothing is newer", async () => {
    const scene = await stage();
    expect(await managerUpgrade.create({}, scene.run())).toEqual({
      id: "1.570.247",
      state: { upgraded: false, version: "1.570.247" },
    });
    expect(changes(scene)).toEqual([]);
  });

  test("installs what is newer, once", async () => {
    const scene = await stage({ manager: { latestVersion: "1.600.0" } });
    expect((await managerUpgrade.create({}, scene.run())).state).toEqual({ upgraded: true, version: "1.600.0" });
    expect(scene.manager.state.installedVersion).toBe("1.600.0");
    expect(changes(scene)).toEqual(["POST /api/upgrade"]);
  });

  test("fails when the manager cannot ask, or cannot install", async () => {
    const scene = await stage({ manager: { latestVersion: "1.600.0" } });
    scene.manager.state.upgradeError = "npm ERR! no rights";
    const refused = await failure(managerUpgrade.create({}, scene.run()));
    expect(refused).toBeInstanceOf(ServerError);
    expect(refused.message).toContain("npm ERR! no rights");
    scene.manager.state.vendorReachable = false;
    expect((await failure(managerUpgrade.create({}, scene.run()))).message).toMatch(/network of the machine.*on\.$/);
  });

  test("says what is not known when its answer is lost, or the update is cancelled, and can be run again", async () => {
    const scene = await stage({ manager: { latestVersion: "1.600.0" } });
    const unknown = /Whether a version was installed is not known\./;
    scene.manager.service.faults.add({ path: "/api/upgrade", kind: "reset-after" });
    expect((await failure(managerUpgrade.create({}, scene.run()))).message).toMatch(unknown);
    scene.manager.service.faults.add({ path: "/api/upgrade", kind: "hang" });
    const { deadline, cancel } = cancellableDeadline();
    const journal = new MemoryJournal();
    const upgraded = failure(managerUpgrade.create({}, { ...scene.run(deadline), journal }));
    await vi.waitUntil(() => count(scene, "POST /api/upgrade") === 2);
    cancel();
    const { message } = await upgraded;
    expect(message).toMatch(/^The update was cancelled, waiting for the Proxy Manager to install/);
    expect(message).toMatch(unknown);
    const said: string[] = [];
    const next = { ...scene.run(), journal: new MemoryJournal(journal), say: (words: string) => said.push(words) };
    expect((await managerUpgrade.create({}, next)).state.version).toBe("1.600.0");
    expect(said[0]).toContain("may have installed a version of the Proxy Manager already");
  });

  test("is forgotten when the manager refuses", async () => {
    const scene = await stage({ manager: { latestVersion: "1.600.0" } });
    scene.manager.state.upgradeError = "npm ERR! no rights";
    const journal = new MemoryJournal();
    await failure(managerUpgrade.create({}, { ...scene.run(), journal }));
    expect(journal.noted).toBeUndefined();
  });
});

describe("ManagerRestart", () => {
  test("waits until another process answers, and tells its version", async () => {
    const scene = await withPort({ manager: { latestVersion: "1.600.0", restartMs: 50 } });
    await managerUpgrade.create({}, scene.run());
    await scene.context.manager.bans.add(24_000, { ip: "203.0.113.7" });
    expect((await managerRestart.create({}, scene.run())).state).toEqual({ version: "1.600.0" });
    expect(count(scene, "POST /api/restart")).toBe(1);
    expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
  });

  test("whose answer is lost waits just the same, and is not asked for again", async () => {
    const scene = await withPort();
    await scene.context.manager.bans.add(24_000, { ip: "203.0.113.7" });
    scene.manager.service.faults.add({ path: "/api/restart", kind: "reset-after" });
    await managerRestart.create({}, scene.run());
    expect(count(scene, "POST /api/restart")).toBe(1);
    expect(await scene.context.manager.bans.list(24_000)).toEqual([]);
  });

  test("gives up in time, and says which argument allows more", async () => {
    const scene = await stage({ manager: { restartMs: 3_600_000 } });
    const { deadline, expire } = controlledDeadline();
    const restarted = failure(managerRestart.create({}, scene.run(deadline)));
    await vi.waitUntil(() => count(scene, "POST /api/restart") === 1);
    expire();
    expect((await restarted).message).toBe(
      "Gave up after 60 s, waiting for the Proxy Manager to be back from its restart. Allow more time with `timeouts.create` (in seconds). It may have restarted, or not come back: the next `pulumi up` restarts it once more.",
    );
  });

  test("ends at once when the update is cancelled", async () => {
    const scene = await stage({ manager: { restartMs: 3_600_000 } });
    const { deadline, cancel } = cancellableDeadline();
    const restarted = failure(managerRestart.create({}, scene.run(deadline)));
    await vi.waitUntil(() => count(scene, "POST /api/restart") === 1);
    cancel();
    expect((await restarted).message).toMatch(/^The update was cancelled, waiting for .*It may have restarted/);
  });

  test("that a killed update may have done already says so", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    await managerRestart.create({}, { ...scene.run(), journal });
    const said: string[] = [];
    const next = { ...scene.run(), journal: new MemoryJournal(journal), say: (words: string) => said.push(words) };
    await managerRestart.create({}, next);
    expect(said).toEqual([
      "an update that was cut short may have restarted the Proxy Manager already: it is restarted once more.",
    ]);
  });
});
