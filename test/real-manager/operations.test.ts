import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../scripts/freePort.mts";
import { MANAGER_VERSION, type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { AlreadyExistsError, NotFoundError } from "../../src/base/errors";
import type { JsonObject } from "../../src/base/json";
import { bannedIpLifecycle as bannedIp } from "../../src/kinds/bannedIp/lifecycle";
import { managerApiKeyLifecycle as managerApiKey } from "../../src/kinds/managerApiKey/lifecycle";
import { managerRestartLifecycle as managerRestart } from "../../src/kinds/managerRestart/lifecycle";
import { managerSettingsLifecycle as managerSettings } from "../../src/kinds/managerSettings/lifecycle";
import { managerUpgradeLifecycle as managerUpgrade } from "../../src/kinds/managerUpgrade/lifecycle";
import { managerUserLifecycle as managerUser } from "../../src/kinds/managerUser/lifecycle";
import { portIpRefreshLifecycle as portIpRefresh } from "../../src/kinds/portIpRefresh/lifecycle";
import { portIpUnbanLifecycle as portIpUnban } from "../../src/kinds/portIpUnban/lifecycle";
import { portSessionRefreshLifecycle as portSessionRefresh } from "../../src/kinds/portSessionRefresh/lifecycle";
import { portSslEnableLifecycle as portSslEnable } from "../../src/kinds/portSslEnable/lifecycle";
import { proxyPortLifecycle as proxyPort } from "../../src/kinds/proxyPort/lifecycle";
import { whitelistIpLifecycle as whitelistIp } from "../../src/kinds/whitelistIp/lifecycle";
import { Context } from "../../src/lifecycle/context";
import { Deadline } from "../../src/lifecycle/deadline";
import type { Step } from "../../src/lifecycle/lifecycle";
import { pick } from "../../src/lifecycle/paths";
import type { ManagerClient } from "../../src/manager/client";
import { readSettings } from "../../src/settings/settings";
import { declaredIn } from "../lifecycle/harness";

const IP = "203.0.113.7";
const HIDDEN = `r${"0a".repeat(16)}`;

let real: RealManager;
let manager: ManagerClient;
let port: number;

beforeAll(async () => {
  real = await startRealManager({ restartDelayMs: 0 });
  manager = context().manager;
});
afterAll(() => real?.stop());

beforeEach(async () => {
  port = await newPort();
  return () => manager.ports.remove(port);
});

/** A port where no other program listens: the manager's own choice may be another manager's. */
async function newPort(fields: JsonObject = {}, client = manager): Promise<number> {
  for (;;) {
    try {
      return await client.ports.create({ zone: "static", ...fields, port: await freePort() });
    } catch (error) {
      if (!(error instanceof AlreadyExistsError)) throw error;
    }
  }
}

function context(): Context {
  const environment = { BRIGHTDATA_PROXY_MANAGER_URL: real.url, BRIGHTDATA_LOG: "off" };
  return new Context(readSettings(() => undefined, environment));
}

/** As another process would: nothing is remembered. */
function step(): Step {
  const deadline = new Deadline(60, "timeouts.test");
  onTestFinished(() => deadline.release());
  return { context: context(), deadline };
}

/** Until each of the manager's processes has said all that it had to: it answers that there is a new port after that. */
const untilTold = async (): Promise<void> => manager.ports.remove(await newPort());

/**
 * A step that changes bans only when the manager's processes have told each other of the change before. An IP that is banned while
 * they yet tell that it was lifted is lifted and banned by turns for as long as the manager runs.
 */
function toldStep(): Step {
  const told = step();
  const { bans } = told.context.manager;
  const { add, remove } = bans;
  const changes: Pick<typeof bans, "add" | "remove"> = {
    add: (...args) => untilTold().then(() => add(...args)),
    remove: (...args) => untilTold().then(() => remove(...args)),
  };
  Object.assign(bans, changes);
  return told;
}

test("a port that is made while addresses are allowed has these, too", async () => {
  const { token: apiKey } = (await (await fetch(`${real.url}/api/gen_token`)).json()) as { token: string };
  const entries = Array.from({ length: 8 }, (_, index) => ({
    ip: `198.51.100.${index}`,
    list: "ports" as const,
    apiKey,
  }));
  const numbers = await Promise.all(entries.flatMap(() => Array.from({ length: 5 }, () => freePort())));
  const { ports, allowlists } = context().manager;
  await Promise.all(
    numbers.map(async (number, index) => {
      const entry = index % 5 === 2 ? entries[Math.floor(index / 5)] : undefined;
      await Promise.all([ports.create({ zone: "static", port: number }), entry && allowlists.add(entry)]);
    }),
  );
  const records = (await ports.list()).filter((record) => numbers.includes(record.port));
  await Promise.all(records.map((record) => ports.remove(record.port)));
  for (const entry of entries) await allowlists.remove(entry);
  expect(records.map(({ whitelistIps = [] }) => entries.filter(({ ip }) => !whitelistIps.includes(ip)).length)).toEqual(
    numbers.map(() => 0),
  );
});

describe("bans", () => {
  const refresh = (id: string, state: JsonObject, inputs: JsonObject) =>
    bannedIp.read(id, pick(state, declaredIn(inputs)), toldStep(), state);

  test("are made, found as declared, put back where they are missing, and lifted", async () => {
    const other = await newPort({ multiply: 2 });
    onTestFinished(() => manager.ports.remove(other));
    const { id, state } = await bannedIp.create({ ip: IP }, toldStep());
    expect(state).toEqual({ ip: IP, ports: [port, other, other + 1].sort((a, b) => a - b) });
    expect(await refresh(id, state, { ip: IP })).toEqual(state);
    await untilTold();
    await manager.bans.remove(other + 1, { ip: IP });
    const found = (await refresh(id, state, { ip: IP })) as JsonObject;
    expect(found.missingOn).toEqual([other + 1]);
    await bannedIp.update(id, found, declaredIn({ ip: IP }), { ip: IP }, toldStep());
    expect(await manager.bans.list(other + 1)).toEqual([{ ip: IP }]);
    await bannedIp.delete(id, state, toldStep());
    for (const each of [port, other, other + 1]) expect(await manager.bans.list(each)).toEqual([]);
    expect(await refresh(id, state, { ip: IP })).toBeUndefined();
  });

  test("for a host, with an end, and of a hidden IP", async () => {
    const inputs = { ip: HIDDEN, domain: "example.com", port, durationMs: 3_600_000 };
    const { id, state } = await bannedIp.create(inputs, toldStep());
    const [ban] = await manager.bans.list(port);
    expect(ban).toEqual({ ip: HIDDEN, domain: "example.com", until: state.until });
    expect(await refresh(id, state, inputs)).toEqual(state);
    const longer = { ...inputs, durationMs: 7_200_000 };
    const next = await bannedIp.update(id, state, declaredIn(inputs), longer, toldStep());
    expect(Date.parse(String(next.until)) - Date.parse(String(state.until))).toBeGreaterThanOrEqual(3_600_000);
    const endless = { ip: HIDDEN, domain: "example.com", port };
    await bannedIp.update(id, next, declaredIn(longer), endless, toldStep());
    expect(await manager.bans.list(port)).toEqual([{ ip: HIDDEN, domain: "example.com" }]);
  });

  test("that begin again stay", async () => {
    const banned = Array.from({ length: 20 }, (_, index) => `203.0.113.${index + 20}`);
    for (const ip of banned) {
      const inputs = { ip, port, durationMs: 3_600_000 };
      const { id, state } = await bannedIp.create(inputs, toldStep());
      const longer = { ...inputs, durationMs: 7_200_000 };
      const next = await bannedIp.update(id, state, declaredIn(inputs), longer, toldStep());
      expect(Date.parse(String(next.until)) - Date.parse(String(state.until))).toBeGreaterThanOrEqual(3_600_000);
    }
    await untilTold();
    expect((await manager.bans.list(port)).map(({ ip }) => ip).sort()).toEqual(banned.sort());
  });

  test("beside one for every host are refused where that will end, and not needed where it will not", async () => {
    await manager.bans.add(port, { ip: IP, ms: 3_600_000 });
    const inputs = { ip: IP, domain: "example.com", port };
    await expect(bannedIp.create(inputs, step())).rejects.toThrow("takes no ban for example.com alone");
    await manager.bans.removeAll(port);
    // One of its processes may yet tell of the ban of the former IP.
    await manager.bans.add(port, { ip: HIDDEN });
    const beside = { ...inputs, ip: HIDDEN };
    const { id, state } = await bannedIp.create(beside, step());
    expect(await refresh(id, state, beside)).toEqual(state);
    expect((await manager.bans.list(port)).filter(({ ip }) => ip === HIDDEN)).toEqual([{ ip: HIDDEN }]);
  });

  test("longer than the manager's timer are lifted at once, so they are not accepted", async () => {
    const { status } = await fetch(`${real.url}/api/proxies/${port}/banip`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ip: IP, ms: 2 ** 31 }),
    });
    expect(status).toBe(204);
    await expect.poll(() => manager.bans.list(port)).toEqual([]);
    expect(bannedIp.check({ ip: IP, durationMs: 2 ** 31 }, undefined).failures).toHaveLength(1);
    // Its processes may go on telling each other of the one that was lifted at once.
    await manager.bans.add(port, { ip: HIDDEN, ms: 2 ** 31 - 1 });
    expect((await manager.bans.list(port)).map(({ ip }) => ip)).toContain(HIDDEN);
  });

  test("are lifted by the action, one or all", async () => {
    await manager.bans.add(port, { ip: IP, domain: "example.com" });
    await manager.bans.addAll(port, { ips: [IP, HIDDEN] });
    await untilTold();
    const lifted = async () => (await portIpUnban.create({ port, ip: IP }, step())).state.lifted;
    expect(await lifted()).toEqual([{ ip: IP }]);
    await untilTold();
    await expect.poll(lifted).toEqual([]);
    await untilTold();
    expect((await portIpUnban.create({ port }, step())).state.lifted).toEqual([
      { ip: IP, domain: "example.com" },
      { ip: HIDDEN },
    ]);
    await expect(portIpUnban.create({ port: 1 }, step())).rejects.toThrow(NotFoundError);
  });
});

const ALL = {
  zone: "dc",
  wwwWhitelistIps: ["198.51.100.0/28"],
  whitelistIps: ["10.20.30.40/16", "198.51.100.99"],
  logs: 500,
  log: "info",
  harLimit: -1,
  debug: "full",
  lpmAuth: "full",
  requestStats: false,
  socketInactivityTimeout: 60_000,
  bwLimitWebhookUrl: "https://example.com/full",
  bwThWebhookUrl: "https://example.com/part",
};
const drift = async (state: JsonObject) => {
  const found = await managerSettings.read("settings", pick(state, declaredIn(ALL)), step(), state);
  return managerSettings.diff(found as JsonObject, declaredIn(ALL), ALL).changed;
};

test("settings are as declared, also after a restart, and as before when they are destroyed", async () => {
  const before = await manager.settings.get();
  const { id, state } = await managerSettings.create(ALL, step());
  expect(await drift(state)).toEqual([]);
  await managerRestart.create({}, step());
  expect(await drift(state)).toEqual([]);
  await manager.settings.update({ log: "warn", whitelistIps: [] });
  expect(await drift(state)).toEqual(["whitelistIps", "log"]);
  await managerSettings.update(id, state, declaredIn(ALL), ALL, step());
  expect(await drift(state)).toEqual([]);
  await managerSettings.delete(id, state, step());
  const changing = { pendingIps: [], pendingWwwIps: [] };
  expect({ ...(await manager.settings.get()), ...changing }).toEqual({ ...before, ...changing });
});

test("settings of a cloud manager are refused", async () => {
  const created = managerSettings.create({ logsSettings: { type: "s3" } }, step());
  await expect(created).rejects.toThrow("Available only in Cloud Proxy Manager");
});

test("SSL analyzing on all ports is done to the ports that there are, and is no setting: a port that comes later has none", async () => {
  await portSslEnable.create({}, step());
  expect(await manager.ports.get(port)).toMatchObject({ ssl: true });
  const later = await newPort();
  onTestFinished(() => manager.ports.remove(later));
  expect((await manager.ports.get(later))?.ssl).toBeUndefined();
});

test("sessions are refreshed, and told where the port does not rotate", async () => {
  expect((await portSessionRefresh.create({ port }, step())).state.sessionId).toMatch(new RegExp(`^${port}_\\d+$`));
  await manager.ports.update(port, { zone: "static", rotateSession: true });
  expect((await portSessionRefresh.create({ port }, step())).state).toEqual({ port });
  await expect(portSessionRefresh.create({ port: 1 }, step())).rejects.toThrow(NotFoundError);
});

test("the API's key is generated once, taken as it is, rotated by a trigger, and kept by a restart", async () => {
  const first = { triggers: ["a"] };
  const { id, state } = await managerApiKey.create(first, step());
  expect((await managerApiKey.create({}, step())).state.apiKey).toBe(state.apiKey);
  expect(await managerApiKey.read(id, first, step(), state)).toEqual(state);
  const next = await managerApiKey.update(id, state, declaredIn(first), { triggers: ["b"] }, step());
  expect(next.apiKey).not.toBe(state.apiKey);
  await manager.allowlists.add({ list: "ports", ip: IP, apiKey: String(next.apiKey) });
  await manager.allowlists.remove({ list: "ports", ip: IP, apiKey: String(next.apiKey) });
  await managerRestart.create({}, step());
  expect(await managerApiKey.read(id, {}, step(), next)).toEqual({ apiKey: next.apiKey });
});

test("the manager's process comes back from a restart with its ports, and without its bans", async () => {
  const { id, state } = await bannedIp.create({ ip: IP, port }, step());
  expect((await managerRestart.create({}, step())).state).toEqual({ version: MANAGER_VERSION });
  expect(await manager.bans.list(port)).toEqual([]);
  expect(await bannedIp.read(id, { ip: IP, port }, step(), state)).toBeUndefined();
  await bannedIp.create({ ip: IP, port }, step());
  expect(await manager.bans.list(port)).toEqual([{ ip: IP }]);
});

test("the manager's process tells its version and its Node.js", async () => {
  expect((await manager.versions.running()).version).toBe(MANAGER_VERSION);
  expect((await manager.versions.node()).satisfied).toEqual(expect.any(Boolean));
});

test("the manager's process is not upgraded where nothing is newer (a pretended vendor says so)", async () => {
  const latest = await manager.versions.latest();
  expect(latest.newer).toBe(false);
  expect((await managerUpgrade.create({}, step())).state).toEqual({ upgraded: false, version: latest.version });
});

test("users are added, found again, and stay", async () => {
  const inputs = { email: "ops@example.com" };
  const { id, state } = await managerUser.create(inputs, step());
  expect(state.password).toBe("pw_ops@example.com");
  expect(await managerUser.read(id, inputs, step(), state)).toEqual(state);
  await expect(managerUser.create(inputs, step())).rejects.toThrow("set `adopt: true`");
  await managerUser.delete(id, state, step());
  expect(await manager.users.list()).toHaveLength(1);
});

test("an IP of a port is replaced in the port's own list", async () => {
  await manager.ports.update(port, { zone: "static", ips: ["10.0.0.1"] });
  await manager.ips.refreshOfPort(port, { ip: "10.0.0.1" });
  expect((await manager.ports.get(port))?.ips).toEqual(["10.0.0.3"]);
});

test("an IP that the zone's list still has afterwards does not pass for replaced", async () => {
  const created = portIpRefresh.create({ port, ip: "10.0.0.1" }, step());
  await expect(created).rejects.toThrow("the vendor has not agreed");
  await expect(portIpRefresh.create({ port, ip: IP }, step())).rejects.toThrow("nothing was replaced");
});

test("logs and statistics are empty where nothing went through", async () => {
  expect(await manager.logs.list({ portFrom: port, portTo: port })).toMatchObject({ total: 0 });
  expect((await manager.logs.tail(5)).length).toBeGreaterThan(0);
});

test("a restart is waited for as long as the vendor's own supervisor takes", async () => {
  const other = await startRealManager({ restartDelayMs: 5000 });
  onTestFinished(() => other.stop());
  const environment = { BRIGHTDATA_PROXY_MANAGER_URL: other.url, BRIGHTDATA_LOG: "off" };
  const itsContext = new Context(readSettings(() => undefined, environment));
  const kept = await newPort({}, itsContext.manager);
  await itsContext.manager.bans.add(kept, { ip: IP });
  await managerRestart.create({}, { ...step(), context: itsContext });
  expect(await itsContext.manager.bans.list(kept)).toEqual([]);
});

test("a manager that writes no file tells no key that was generated, so that the state's is kept", async () => {
  const other = await startRealManager({ args: ["--read_only"] });
  onTestFinished(() => other.stop());
  const environment = { BRIGHTDATA_PROXY_MANAGER_URL: other.url, BRIGHTDATA_LOG: "off" };
  const itsStep = () => ({ ...step(), context: new Context(readSettings(() => undefined, environment)) });
  const { id, state } = await managerApiKey.create({}, itsStep());
  expect(await itsStep().context.manager.apiKeys.current()).toBeUndefined();
  expect(await managerApiKey.read(id, {}, itsStep(), state)).toEqual(state);
});

test.each(["ui", "ports"] as const)(
  "an address that somebody took off the `%s` list is missed where there is no port",
  async (list) => {
    const other = await startRealManager();
    onTestFinished(() => other.stop());
    const environment = { BRIGHTDATA_PROXY_MANAGER_URL: other.url, BRIGHTDATA_LOG: "off" };
    const itsStep = () => ({ ...step(), context: new Context(readSettings(() => undefined, environment)) });
    const inputs = { ip: IP, list };
    const { id, state } = await whitelistIp.create(inputs, itsStep());
    expect(await whitelistIp.read(id, inputs, itsStep(), state)).toEqual(inputs);
    const { manager: client } = itsStep().context;
    await client.settings.update({ wwwWhitelistIps: [], whitelistIps: [] });
    expect((await client.settings.get()).dropin).toBe(true);
    expect(await whitelistIp.read(id, inputs, itsStep(), state)).toBeUndefined();
  },
);

test("a manager that is told so shuts down, and stays down", async () => {
  const other = await startRealManager();
  onTestFinished(() => other.stop());
  const environment = { BRIGHTDATA_PROXY_MANAGER_URL: other.url, BRIGHTDATA_LOG: "off", BRIGHTDATA_RETRIES: "0" };
  const { manager: client } = new Context(readSettings(() => undefined, environment));
  await client.process.shutdown();
  await expect.poll(() => client.versions.running().catch((error: Error) => error.name)).toBe("ConnectionError");
});

test("a port tells whether a password is asked of its user", async () => {
  const said: string[] = [];
  const saying = { ...step(), say: (words: string) => void said.push(words.replace(/^.*?: /, "")) };
  const inputs = { zone: "static", port, user: "shop" };
  const open = ['no password is asked of user "shop": whoever gives that name is let in. Set `userPassword`.'];
  await manager.ports.update(port, { zone: "static", user: "shop", userPassword: "hush" });
  const adopted = { ...inputs, adopt: true };
  const { state } = await proxyPort.create(adopted, saying);
  expect(said.splice(0)).toEqual([]);
  const withPassword = { ...adopted, userPassword: "hush-too" };
  const guarded = await proxyPort.update(String(port), state, declaredIn(adopted), withPassword, saying);
  expect(said.splice(0)).toEqual([]);
  await proxyPort.update(String(port), guarded, declaredIn(withPassword), adopted, saying);
  expect(said.splice(0)).toEqual(open);
  const another = await newPort();
  await manager.ports.remove(another);
  onTestFinished(() => manager.ports.remove(another));
  await proxyPort.create({ ...inputs, port: another }, saying);
  expect(said).toEqual(open);
});

test("none of this reached for another machine", async () => {
  expect(await real.refused()).toEqual([]);
});
