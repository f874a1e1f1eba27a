import { describe, expect, test, vi } from "vitest";
import { ConnectionError, InvalidRequestError, NotFoundError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { proxyPortLifecycle as proxyPort } from "../../../src/kinds/proxyPort/lifecycle";
import { proxyPortsLifecycle as proxyPorts } from "../../../src/kinds/proxyPorts/lifecycle";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { type Lifecycle, PartialFailure } from "../../../src/lifecycle/lifecycle";
import { at, pick } from "../../../src/lifecycle/paths";
import { fromServicePort, PORT_FIELDS, type PortFields, portValue } from "../../../src/manager/portFields";
import {
  cancelledBy,
  changes,
  controlledDeadline,
  count,
  declaredIn,
  described,
  drift,
  failure,
  forgetRequests,
  type Stage,
} from "../../lifecycle/harness";
import { bodies, created, EVERYTHING, foreign, INPUTS, record, scenery, sendElsewhere } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

/** Changes a port behind the lifecycle's back. */
const changeElsewhere = (scene: Stage, port: number, fields: JsonObject) =>
  sendElsewhere(scene, "PUT", `/api/proxies/${port}`, { zone: "web", ...fields });

async function restart(scene: Stage): Promise<void> {
  const response = await fetch(`${scene.manager.url}/api/restart`, { method: "POST" });
  expect(response.status).toBe(200);
  await scene.manager.settled();
}

/** The inputs of fifty ports that another process has made. */
async function fifty(scene: Stage, fields: JsonObject = {}): Promise<JsonObject[]> {
  const step = { ...scene.step(), context: scene.anotherContext() };
  const ports = Array.from({ length: 50 }, (_, index) => ({ zone: "web", port: 24_500 + index, ...fields }));
  await Promise.all(ports.map((inputs) => proxyPort.create(inputs, step)));
  forgetRequests(scene);
  return ports;
}

test("reading a port changes nothing", async () => {
  const scene = await scenery();
  const state = await created(scene, EVERYTHING);
  expect(await proxyPort.read("24500", EVERYTHING, scene.step(), {})).toEqual(state);
  expect(changes(scene)).toEqual([]);
});

test("reading a port finds nothing different after the manager was restarted", async () => {
  const scene = await scenery();
  const state = await created(scene, EVERYTHING);
  await restart(scene);
  expect(
    await drift(proxyPort, "24500", state, EVERYTHING, { ...scene.step(), context: scene.anotherContext() }),
  ).toEqual([]);
  // What is as by default is so wherever it is not on the command line.
  expect(count(scene, "GET /api/defaults")).toBe(0);
});

describe("a manager whose command line gives ports a country", () => {
  const OWN = { ...INPUTS, country: "us", maxBanRetries: 5, rotateSession: true };

  /** A port with its own, as the manager's, which it forgets with a restart. */
  async function restarted() {
    const portDefaults: JsonObject = { country: "us", max_ban_retries: 5 };
    const scene = await scenery({ manager: { portDefaults } });
    const state = await created(scene, OWN);
    await restart(scene);
    expect(Object.keys(record(scene) ?? {})).not.toContain("country");
    forgetRequests(scene);
    return { scene, state, portDefaults, step: () => ({ ...scene.step(), context: scene.anotherContext() }) };
  }

  test("is asked for what it does not keep of a port", async () => {
    const { scene, state, step } = await restarted();
    expect(await proxyPort.read("24500", OWN, step(), state)).toEqual(state);
    expect(count(scene, "GET /api/defaults")).toBe(1);
    await proxyPort.update("24500", state, declaredIn(OWN), { ...OWN, rotateSession: false }, step());
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", rotate_session: false } }]);
  });

  test("is told what is declared newly, or taken over: not all that it tells goes for ports", async () => {
    const { scene, state, step } = await restarted();
    const before = { ...INPUTS, rotateSession: true };
    await proxyPort.update("24500", state, declaredIn(before), OWN, step());
    await proxyPort.create({ ...OWN, adopt: true }, step());
    const proxy = { zone: "web", country: "us", max_ban_retries: 5 };
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy }]);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ["others", { country: "de", maxBanRetries: 3 }, { country: "us", max_ban_retries: 5 }],
    ["the vendor's", { maxBanRetries: 10 }, { max_ban_retries: 5 }],
    ["some that it says nothing of", { proxyRetry: 3, internalName: "shop" }, { internal_name: "", proxy_retry: 2 }],
  ])("gives a port its own in place of %s that are declared no more", async (_, fields, sent) => {
    const scene = await scenery({ manager: { portDefaults: { country: "us", max_ban_retries: 5 } } });
    const before = { ...INPUTS, ...fields };
    await proxyPort.update("24500", await created(scene, before), declaredIn(before), INPUTS, scene.step());
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", ...sent } }]);
  });

  test("is told the vendor's default where that is declared newly, or of a port that is taken over", async () => {
    const scene = await scenery({ manager: { portDefaults: { max_ban_retries: 5 } } });
    const state = await created(scene);
    const inputs = { ...INPUTS, maxBanRetries: 10, proxyRetry: 2 };
    for (const change of [
      () => proxyPort.update("24500", state, declaredIn(INPUTS), inputs, scene.step()),
      () => proxyPort.create({ ...inputs, adopt: true }, { ...scene.step(), context: scene.anotherContext() }),
    ]) {
      delete record(scene)?.max_ban_retries;
      forgetRequests(scene);
      await change();
      expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", max_ban_retries: 10 } }]);
    }
  });

  test("has given them to a port that lacks them, whatever was declared", async () => {
    const { scene, state, step } = await restarted();
    await proxyPort.update("24500", state, declaredIn(OWN), { ...INPUTS, rotateSession: true }, step());
    expect(changes(scene)).toEqual([]);
  });

  test("is told what a port that is taken over was refused", async () => {
    const scene = await scenery({ manager: { portDefaults: { country: "us" } } });
    await foreign(scene, INPUTS);
    const inputs = { ...INPUTS, country: "us", adopt: true };
    scene.manager.service.faults.add({ method: "PUT", kind: "respond", status: 403, body: "no" });
    const error = await failure(proxyPort.create(inputs, scene.step()));
    if (!(error instanceof PartialFailure)) throw error;
    const step = { ...scene.step(), context: scene.anotherContext() };
    const found = (await proxyPort.read("24500", inputs, step, error.state)) ?? {};
    for (const state of [error.state, found]) {
      forgetRequests(scene);
      await proxyPort.update("24500", state, declaredIn(inputs), inputs, step);
      expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "us" } }]);
    }
  });

  test("is told what a port that is taken over was never sent, as nobody could look first", async () => {
    const scene = await scenery({ manager: { portDefaults: { country: "us" } } });
    await foreign(scene, INPUTS);
    const whitelistIps = ["203.0.113.7"];
    const inputs = { ...INPUTS, country: "us", whitelistIps, userPassword: "hush", adopt: true };
    scene.manager.service.faults.add({
      method: "GET",
      path: "/api/settings",
      kind: "respond",
      status: 403,
      body: "no",
    });
    const error = await failure(proxyPort.create(inputs, scene.step()));
    if (!(error instanceof PartialFailure)) throw error;
    expect(error.state.unsettled).toEqual(["zone", "whitelistIps", "userPassword", "country"]);
    forgetRequests(scene);
    const step = { ...scene.step(), context: scene.anotherContext() };
    await proxyPort.update("24500", error.state, declaredIn(inputs), inputs, step);
    const proxy = { zone: "web", country: "us", whitelist_ips: whitelistIps, user_password: "hush" };
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy }]);
  });

  test("is started without it: the port differs", async () => {
    const { scene, state, portDefaults, step } = await restarted();
    delete portDefaults.country;
    await restart(scene);
    expect(await drift(proxyPort, "24500", state, OWN, step())).toEqual(["country"]);
  });
});

test.each<[string, JsonObject, JsonObject, string[]]>([
  ["zone", {}, { zone: "other" }, ["zone"]],
  ["country", { country: "us" }, { country: "de" }, ["country"]],
  ["country that is not declared", {}, { country: "de" }, []],
  ["country taken away", { country: "us" }, { country: "" }, ["country"]],
  ["a flag", { ssl: true }, { ssl: false }, ["ssl"]],
  ["a flag back at its default", { ssl: false }, { ssl: undefined }, []],
  ["a number", { poolSize: 3 }, { pool_size: 4 }, ["poolSize"]],
  ["a number as text", { poolSize: 3 }, { pool_size: "3" }, []],
  [
    "a default that the manager leaves out",
    { dns: "local", proxyRetry: 2, session: true },
    { dns: undefined, proxy_retry: undefined, session: undefined },
    [],
  ],
  ["a default that is left out but was not declared as such", { dns: "remote" }, { dns: undefined }, ["dns"]],
  ["headers", { headers: [{ name: "a", value: "b" }] }, { headers: [{ name: "a", value: "c" }] }, ["headers"]],
  ["rules with digits as numbers", { rules: [{ status: "200" }] }, { rules: [{ status: 200 }] }, []],
  ["an expression that begins with a digit", { rules: [{ status: "5.." }] }, { rules: [{ status: "5.." }] }, []],
  ["an expression that became a number", { rules: [{ status: "5.." }] }, { rules: [{ status: 5 }] }, ["rules"]],
  [
    "a text in an action that became a number",
    { rules: [{ action: { process: { price: "1 + 1" } } }] },
    { rules: [{ action: { process: { price: 1 } } }] },
    [],
  ],
  [
    "rules in the manager's spelling",
    { rules: [{ actionType: "ban_ip", action: { ban_ip: 1, of_tomorrow: 1 } }] },
    { rules: [{ action_type: "ban_ip", action: { ban_ip: 1, of_tomorrow: 1 } }] },
    [],
  ],
  [
    "a rule in a spelling that the manager does not know",
    { rules: [{ action: { banIp: 1 } }] },
    { rules: [{ action: { banIp: 1 } }] },
    ["rules"],
  ],
  ["lower-cased users", { users: ["Ann"] }, { users: ["ann"] }, []],
  [
    "a limit's part",
    { bwLimit: { days: 1, bytes: 5 } },
    { bw_limit: { days: 2, bytes: 5, renewable: false } },
    ["bwLimit.days"],
  ],
  ["a limit's further parts", { bwLimit: { days: 1, bytes: 5 } }, { bw_limit: { days: 1, bytes: 5, start: "x" } }, []],
  ["a limit taken away", { bwLimit: { days: 1, bytes: 5 } }, { bw_limit: "" }, ["bwLimit.days", "bwLimit.bytes"]],
  ["a password of the manager's own", { password: "hush" }, { password: "theirs" }, []],
  ["a customer that was forgotten", { customer: "hl_1" }, { customer: undefined }, []],
  ["addresses", { whitelistIps: ["203.0.113.7"] }, { whitelist_ips: ["203.0.113.8"] }, ["whitelistIps"]],
  ["addresses that are gone", { whitelistIps: ["203.0.113.7"] }, { whitelist_ips: undefined }, ["whitelistIps"]],
  ["addresses by another spelling", { whitelistIps: ["10.20.30.77/16"] }, { whitelist_ips: ["10.20.0.0/16"] }, []],
  ["no addresses", { whitelistIps: [] }, { whitelist_ips: undefined }, []],
])("reading a port finds drift in %s", async (_, fields, edit, expected) => {
  const scene = await scenery();
  const inputs = { ...INPUTS, ...fields };
  const state = await created(scene, inputs);
  Object.assign(record(scene) ?? {}, edit);
  expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual(expected);
  expect(changes(scene)).toEqual([]);
});

test("reading a port tells the port's own addresses from those that every port has", async () => {
  const scene = await scenery({ manager: { whitelistIps: ["198.51.100.1"] } });
  scene.manager.state.settings.www_whitelist_ips = ["198.51.100.2"];
  scene.manager.state.settings.whitelist_ips = ["198.51.100.3", "203.0.113.7"];
  const inputs = { ...INPUTS, whitelistIps: ["203.0.113.7", "203.0.113.8"] };
  const state = await created(scene, inputs);
  expect(record(scene)?.whitelist_ips).toHaveLength(5);
  expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual([]);

  Object.assign(record(scene) ?? {}, { whitelist_ips: ["198.51.100.2", "203.0.113.7", "203.0.113.9"] });
  const context = scene.anotherContext();
  const read = await proxyPort.read("24500", inputs, { ...scene.step(), context }, {});
  expect(read?.whitelistIps).toEqual(["203.0.113.9"]);
});

test("reading a port believes that it is gone only when a look for that port alone says so too", async () => {
  const scene = await scenery();
  const state = await created(scene);
  scene.manager.service.faults.add({ path: "/api/proxies", kind: "respond", status: 200, body: "[]" });
  expect(await proxyPort.read("24500", INPUTS, scene.step(), {})).toEqual(state);
  expect(count(scene, "GET /api/proxies/24500")).toBe(1);
  await proxyPort.delete("24500", state, scene.step());
  expect(await proxyPort.read("24500", INPUTS, scene.step(), {})).toBeUndefined();
});

test("reading a port does not believe that it is gone when that look fails", async () => {
  const scene = await scenery();
  await created(scene);
  scene.manager.service.faults.add({ path: "/api/proxies", kind: "respond", status: 200, body: "[]" });
  scene.manager.service.faults.add({ path: "/api/proxies/24500", kind: "respond", status: 500, body: "x" });
  expect(await failure(proxyPort.read("24500", INPUTS, scene.step(), {}))).toBeInstanceOf(ServerError);
});

test("reading a port of a manager that is logged out finds that the port has lost its zone, and nothing else", async () => {
  const scene = await scenery();
  const inputs = { ...INPUTS, country: "us", password: "hush" };
  const state = await created(scene, inputs);
  scene.manager.logOut();
  expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual(["zone"]);
});

test("reading a port of a manager that does not answer ends when time is up, also where many wait for one list", async () => {
  const scene = await scenery();
  await created(scene);
  scene.manager.service.faults.add({ path: "/api/proxies", kind: "hang" });
  const { deadline, expire } = controlledDeadline();
  const hurried = failure(proxyPort.read("24500", INPUTS, scene.step(deadline), {}));
  await vi.waitFor(() => expect(count(scene, "GET /api/proxies")).toBe(1));
  expire();
  expect(await hurried).toBeInstanceOf(DeadlineError);
});

test("reading a port by its number alone tells what the manager has, and nothing of the account's", async () => {
  const scene = await scenery();
  await created(scene, EVERYTHING);
  const state = await proxyPort.read("24500", undefined, scene.step(), {});
  expect(state).toMatchObject({ port: 24_500, listenPort: 24_500, zone: "web", internalName: "shop", country: "us" });
  expect(JSON.stringify(state)).not.toContain(scene.manager.state.settings.lpm_token?.split("|")[0]);
  expect(state).not.toHaveProperty("zones");
  expect(await proxyPort.read("24501", undefined, scene.step(), {})).toBeUndefined();
});

const NO_NUMBERS = ["", "web", "24000.5", "-1", "0", "024000", "24000.0", "24000 ", "0x5dc0", "2.4e4", "65536"];

test.each(NO_NUMBERS)("reading a port by what is no number as the manager writes it (%j) is refused", async (id) => {
  const scene = await scenery();
  expect((await failure(proxyPort.read(id, undefined, scene.step(), {}))).message).toContain(
    "is not the id of a proxy port",
  );
  expect(scene.manager.service.requests).toEqual([]);
});

test.each<[string, JsonObject, string[]]>([
  ["the list once", {}, ["GET /api/proxies"]],
  [
    "the list and the addresses of all ports once",
    { whitelistIps: ["203.0.113.7"] },
    ["GET /api/proxies", "GET /api/settings"],
  ],
])("reading fifty ports asks for %s", async (_, fields, requests) => {
  const scene = await scenery();
  const inputs = await fifty(scene, fields);
  const step = scene.step();
  const states = await Promise.all(inputs.map((one) => proxyPort.read(String(one.port), one, step, {})));
  expect(states.map((state) => state?.port)).toEqual(inputs.map(({ port }) => port));
  expect(scene.manager.service.requests.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(requests);
});

test("ports that there are are listed by their numbers, without those that no resource can be", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", multiply: 3 });
  await foreign(scene, { port: 24_600, zone: "other" });
  expect(scene.manager.state.records.map(({ port }) => port)).toContain(22_225);
  expect(await proxyPort.list(scene.step())).toEqual(["24500", "24600"]);
});

test("ports that there are are described by what a program has to declare of them", async () => {
  const scene = await scenery();
  scene.manager.state.settings.whitelist_ips = ["198.51.100.3"];
  await created(scene, { ...EVERYTHING, dns: "local" });
  Object.assign(record(scene) ?? {}, { pool_size: "3", vip: "", ssl: "true", preset: "session_long" });
  const state = await proxyPort.read("24500", undefined, scene.step(), {});
  const described = proxyPort.describe(state ?? {});
  expect(described).toEqual({
    ...INPUTS,
    internalName: "shop",
    whitelistIps: ["10.20.0.0/16", "203.0.113.7"],
    users: ["ann"],
    user: "u",
    ssl: true,
    country: "us",
    rules: EVERYTHING.rules,
    headers: EVERYTHING.headers,
    ips: ["198.18.0.1"],
    vips: ["us_1"],
    poolSize: 3,
    bwLimit: { days: 1, bytes: 1_000_000, renewable: false, start: expect.any(String) },
    zip: "07001",
  });
  expect(proxyPort.check(described, undefined).failures).toEqual([]);
  expect(proxyPort.diff(state ?? {}, declaredIn(described), described)).toEqual({
    changed: [],
    replaces: [],
    deleteBeforeReplace: false,
  });
});

test("the word for a value of the manager's settings, which a port was made with, is no value of its own", async () => {
  const scene = await scenery();
  await foreign(scene, { ...INPUTS, debug: "default-none", lpm_auth: "default-full" });
  expect(await described(proxyPort, scene.step())).toEqual({ 24500: INPUTS });
});

describe("updating a port", () => {
  const update = (scene: Stage, state: JsonObject, before: JsonObject, after: JsonObject) =>
    proxyPort.update("24500", state, declaredIn(before), after, scene.step());

  test("sends what changes, and what must be repeated", async () => {
    const scene = await scenery();
    const before = { ...INPUTS, country: "us", ssl: true, ips: ["198.18.0.1"], vips: ["us_1"] };
    const state = await created(scene, before);
    const after = { ...before, country: "de", poolSize: 4 };
    expect(await update(scene, state, before, after)).toEqual({ ...after, listenPort: 24_500 });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
      { proxy: { zone: "web", ips: ["198.18.0.1"], vips: ["us_1"], country: "de", pool_size: 4 } },
    ]);
    expect(record(scene)).toMatchObject({ country: "de", pool_size: 4, ssl: true, zone: "web", ips: ["198.18.0.1"] });
    expect(await drift(proxyPort, "24500", state, after, scene.step())).toEqual(["poolSize"]);
  });

  test("waits until the manager has learned of a new zone, where the port gets another", async () => {
    const scene = await scenery({ manager: { zonesVisibleAfterReads: 3 } });
    const state = await created(scene);
    scene.account.addZone("late", { type: "static" });
    scene.context.managerZones.forget();
    expect(await update(scene, state, INPUTS, { ...INPUTS, zone: "late" })).toMatchObject({ zone: "late" });
    expect(count(scene, "GET /api/zones")).toBeGreaterThan(2);
    expect(record(scene)).toMatchObject({ zone: "late" });
  });

  test.each<[string, unknown, JsonObject]>([
    ["country", "us", { country: "" }],
    ["ssl", true, { ssl: false }],
    ["poolSize", 3, { pool_size: 0 }],
    ["proxyRetry", 5, { proxy_retry: 2 }],
    ["dns", "remote", { dns: "local" }],
    ["session", "mine", { session: true }],
    ["lpmAuth", "full", { lpm_auth: "default-none" }],
    ["headers", [{ name: "a", value: "b" }], { headers: [] }],
    ["rules", [{ status: 200 }], { rules: [] }],
    ["ips", ["198.18.0.1"], { ips: "" }],
    ["vip", 5, { vip: "*" }],
    ["extProxies", ["203.0.113.9:8080"], { ext_proxies: "" }],
    ["whitelistIps", ["203.0.113.7"], { whitelist_ips: [] }],
    ["bwLimit", { days: 1, bytes: 5 }, { bw_limit: "" }],
    ["userPassword", "hush", { user_password: "" }],
    ["customer", "hl_1", { customer: "" }],
    ["multiply", 3, { multiply: 0 }],
  ])("takes %s back to its default when it is no longer declared", async (field, value, sent) => {
    const scene = await scenery();
    const before = { ...INPUTS, [field]: value };
    const state = await created(scene, before);
    const after = await update(scene, state, before, INPUTS);
    expect(after).toEqual({ ...INPUTS, listenPort: 24_500 });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", ...sent } }]);
    expect(await drift(proxyPort, "24500", { ...after, [field]: undefined }, INPUTS, scene.step())).toEqual([]);
    // Once is enough.
    forgetRequests(scene);
    await update(scene, after, INPUTS, INPUTS);
    expect(changes(scene)).toEqual([]);
  });

  test("keeps the meaning of expressions that begin with a digit", async () => {
    const scene = await scenery();
    const ruled = (status: string) => ({ ...INPUTS, rules: [{ status, body: "1|2", action: { banIp: 60 } }] });
    const state = await created(scene, ruled("5.."));
    const after = await update(scene, state, ruled("5.."), ruled("403|429"));
    expect(after).toMatchObject({ rules: [{ status: "403|429", body: "1|2" }] });
    expect(record(scene)).toMatchObject({ rules: [{ status: "(?:403|429)", body: "(?:1|2)" }] });
    expect(await drift(proxyPort, "24500", after, ruled("403|429"), scene.step())).toEqual([]);
    expect(proxyPort.diff(after ?? {}, declaredIn(ruled("403|429")), ruled("403"))).toMatchObject({
      changed: ["rules"],
    });
  });

  test.each([
    ["(?:403|407)", "(?:403|407)"],
    ["(?:4..)|(?:5..)", "(?:4..)|(?:5..)"],
    ["(?:403)", "(?:403)"],
    ["4..|5..", "(?:4..|5..)"],
  ])("takes the group %s for what it was declared as", async (status, sent) => {
    const scene = await scenery();
    const inputs = { ...INPUTS, rules: [{ status, action: { banIp: 60 } }] };
    const state = await created(scene, inputs);
    expect(record(scene)).toMatchObject({ rules: [{ status: sent }] });
    expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual([]);
    const read = (await proxyPort.read("24500", undefined, scene.step(), {})) ?? {};
    const [rule] = read.rules as [JsonObject];
    expect(() => new RegExp(String(rule.status))).not.toThrow();
    expect(proxyPort.diff(read, declaredIn(inputs), inputs).changed).not.toContain("rules");
    await update(scene, state, inputs, { ...inputs, country: "us" });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "us" } }]);
  });

  test("takes away a part of a limit that is no longer declared", async () => {
    const scene = await scenery();
    const limited = { ...INPUTS, bwLimit: { days: 1, bytes: 5 } };
    const warned = { ...INPUTS, bwLimit: { ...limited.bwLimit, use_limit_webhook: true, th_webhook_value: 60 } };
    const state = await created(scene, warned);
    const after = await update(scene, state, warned, limited);
    expect(after).toMatchObject({ bwLimit: limited.bwLimit });
    expect(record(scene)?.bw_limit).toMatchObject({ days: 1, use_limit_webhook: false });
    expect(record(scene)?.bw_limit).not.toMatchObject({ th_webhook_value: expect.anything() });
    expect(await drift(proxyPort, "24500", after, limited, scene.step())).toEqual([]);
  });

  test("gives a port a value of its own where the manager has one for all", async () => {
    const scene = await scenery();
    const state = await created(scene);
    scene.manager.state.settings.lpm_auth = "full";
    const quiet = { ...INPUTS, lpmAuth: "none" };
    const after = await update(scene, state, INPUTS, quiet);
    expect(record(scene)).toMatchObject({ lpm_auth: "none" });
    expect(await drift(proxyPort, "24500", after, quiet, scene.step())).toEqual([]);
    await update(scene, after, quiet, INPUTS);
    expect(record(scene)).not.toHaveProperty("lpm_auth");
    expect(scene.manager.state.running.get("24500")?.config).toMatchObject({ lpm_auth: "full" });
  });

  describe("with numbers that ports without their own have from the manager's settings", () => {
    const SETTINGS = { har_limit: 5000, socket_inactivity_timeout: 60_000, logs: 7 };
    const OWN = { ...INPUTS, harLimit: 1024, socketInactivityTimeout: 120_000, logs: 1000 };

    async function elsewhere(
      fields: JsonObject = {},
    ): Promise<{ scene: Stage; state: JsonObject; inputs: JsonObject }> {
      const scene = await scenery();
      Object.assign(scene.manager.state.settings, SETTINGS);
      const inputs = { ...INPUTS, ...fields };
      return { scene, state: await created(scene, inputs), inputs };
    }

    test("gives a port numbers of its own that are the vendor's defaults", async () => {
      const { scene, state } = await elsewhere();
      const after = await update(scene, state, INPUTS, OWN);
      expect(scene.manager.state.running.get("24500")?.config).toMatchObject({
        har_limit: 1024,
        socket_inactivity_timeout: 120_000,
        logs: 1000,
      });
      expect(await drift(proxyPort, "24500", after, OWN, scene.step())).toEqual([]);
    });

    test("takes the manager's where they are no longer declared", async () => {
      const own = { harLimit: 2048, socketInactivityTimeout: 90_000, logs: 10 };
      const { scene, state, inputs } = await elsewhere(own);
      await update(scene, state, inputs, INPUTS);
      expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", ...SETTINGS } }]);
      expect(scene.manager.state.running.get("24500")?.config).toMatchObject(SETTINGS);
    });

    test("finds those that the manager has for all, though it saves none that are as its own", async () => {
      const { scene, state, inputs } = await elsewhere({ harLimit: 5000, socketInactivityTimeout: 60_000 });
      for (const name of Object.keys(SETTINGS)) Reflect.deleteProperty(record(scene) ?? {}, name);
      expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual([]);
      forgetRequests(scene);
      await update(scene, state, inputs, { ...inputs, country: "us" });
      expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "us" } }]);
      scene.manager.state.settings.har_limit = 1024;
      scene.context.managerSettings.forget();
      expect(await drift(proxyPort, "24500", state, inputs, scene.step())).toEqual(["harLimit"]);
    });
  });

  test("writes users in lower case, as a creation does", async () => {
    const scene = await scenery();
    const before = { ...INPUTS, users: ["Ann"] };
    const state = await created(scene, before);
    expect(record(scene)).toMatchObject({ users: ["ann"] });
    await update(scene, state, before, { ...INPUTS, users: ["Ann", "Bob"] });
    expect(record(scene)).toMatchObject({ users: ["ann", "bob"] });
  });

  test("leaves alone what was never declared", async () => {
    const scene = await scenery();
    const state = await created(scene);
    Object.assign(record(scene) ?? {}, { country: "de", ssl: true });
    await update(scene, state, INPUTS, { ...INPUTS, internalName: "shop" });
    expect(record(scene)).toMatchObject({ country: "de", ssl: true, internal_name: "shop" });
  });

  test("to what is there already sends nothing", async () => {
    const scene = await scenery();
    const state = await created(scene, EVERYTHING);
    await update(scene, state, EVERYTHING, { ...EVERYTHING, timeouts: { update: 5 }, users: ["ANN"] });
    expect(changes(scene)).toEqual([]);
  });

  test("sends what cannot be read back only when it is another", async () => {
    const scene = await scenery();
    const before = { ...INPUTS, userPassword: "hush", logs: 10 };
    const state = await created(scene, before);
    await update(scene, state, before, { ...before, country: "us" });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "us" } }]);
    forgetRequests(scene);
    await update(scene, state, before, { ...before, country: "us", userPassword: "hush-new" });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", user_password: "hush-new" } }]);
  });

  test("keeps the addresses that every port has out of the port's own", async () => {
    const scene = await scenery();
    scene.manager.state.settings.whitelist_ips = ["198.51.100.3"];
    const before = { ...INPUTS, whitelistIps: ["203.0.113.7"] };
    const state = await created(scene, before);
    await update(scene, state, before, { ...INPUTS, whitelistIps: ["203.0.113.7", "198.51.100.3"] });
    expect(changes(scene)).toEqual([]);
    await update(scene, state, before, { ...INPUTS, whitelistIps: ["203.0.113.8"] });
    expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([
      { proxy: { zone: "web", whitelist_ips: ["203.0.113.8"] } },
    ]);
  });

  describe("of many", () => {
    /** Two ports of which the second is listed, and has not been changed since by this process. */
    async function listed(fields: JsonObject = {}): Promise<{ scene: Stage; inputs: JsonObject }> {
      const scene = await scenery();
      const [first, inputs] = (await fifty(scene, { country: "us", ...fields })) as [JsonObject, JsonObject];
      await proxyPort.update("24500", first, declaredIn(first), { ...first, country: "de" }, scene.step());
      forgetRequests(scene);
      return { scene, inputs };
    }

    const change = (scene: Stage, inputs: JsonObject, changed: JsonObject) =>
      proxyPort.update("24501", inputs, declaredIn(inputs), { ...inputs, ...changed }, scene.step());

    test.each<[string, JsonObject, JsonObject, string[]]>([
      ["asks for one list", {}, { country: "de" }, ["GET /api/proxies"]],
      [
        "asks for one list and for the addresses of all ports",
        { whitelistIps: ["203.0.113.7"] },
        { country: "de" },
        ["GET /api/proxies", "GET /api/settings"],
      ],
      [
        "asks for one list of ports and one of zones",
        {},
        { zone: "other" },
        ["GET /api/mode", "GET /api/proxies", "GET /api/zones"],
      ],
    ])("%s, and for no port", async (_, fields, changed, requests) => {
      const scene = await scenery();
      const inputs = await fifty(scene, fields);
      const step = scene.step();
      await Promise.all(
        inputs.map((one) =>
          proxyPort.update(String(one.port), one, declaredIn(one), { ...one, ...changed, zip: "07001" }, step),
        ),
      );
      expect(scene.manager.state.records.filter(({ zip }) => zip === "07001")).toHaveLength(50);
      expect(changes(scene)).toHaveLength(50);
      const asked = scene.manager.service.requests.filter(({ method }) => method === "GET");
      expect(asked.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(requests);
    });

    test("puts right what somebody else has changed since the list was asked for", async () => {
      const { scene, inputs } = await listed({ poolSize: 3 });
      await changeElsewhere(scene, 24_501, { pool_size: 9, asn: "7922" });
      await change(scene, inputs, { country: "de" });
      expect(record(scene, 24_501)).toMatchObject({ country: "de", pool_size: 3, asn: "7922" });
      expect(changes(scene)).toHaveLength(2);
    });

    test("keeps what was sent by the list where what is left to do fails", async () => {
      const { scene, inputs } = await listed({ poolSize: 3 });
      await changeElsewhere(scene, 24_501, { pool_size: 9 });
      const path = "/api/proxies/24501";
      scene.manager.service.faults.add({ method: "GET", path, kind: "respond", status: 403, body: "no" });
      const error = await failure(change(scene, inputs, { country: "de" }));
      expect(error).toMatchObject({ id: "24501", state: { ...inputs, country: "de" } });
      expect(record(scene, 24_501)).toMatchObject({ country: "de" });
    });

    test("puts right what somebody else has changed where the list has nothing to change", async () => {
      const { scene, inputs } = await listed();
      await changeElsewhere(scene, 24_501, { country: "fr" });
      await proxyPort.update("24501", inputs, declaredIn({ zone: "web" }), inputs, scene.step());
      expect(record(scene, 24_501)).toMatchObject({ country: "us" });
    });

    test("takes nothing back that must be repeated and was changed by somebody else", async () => {
      const scene = await scenery();
      const inputs = { zone: "web", port: 24_501, country: "us" };
      await foreign(scene, { ...inputs, ips: ["198.18.0.1"] });
      await scene.context.ports.find(24_501, scene.step().deadline.signal);
      await changeElsewhere(scene, 24_501, { ips: ["198.18.0.2"] });
      await change(scene, inputs, { country: "de" });
      expect(record(scene, 24_501)).toMatchObject({ country: "de", ips: ["198.18.0.2"] });
    });

    test("takes a port that has come since for what it is", async () => {
      const { scene } = await listed();
      await foreign(scene, { zone: "web", port: 25_000, country: "us" });
      const inputs = { zone: "web", port: 25_000 };
      await proxyPort.update("25000", inputs, declaredIn(inputs), { ...inputs, country: "de" }, scene.step());
      expect(record(scene, 25_000)).toMatchObject({ country: "de" });
    });

    test("tells of a port that has gone since", async () => {
      const { scene, inputs } = await listed();
      const elsewhere = { ...scene.step(), context: scene.anotherContext() };
      await proxyPort.delete("24501", inputs, elsewhere);
      const error = await failure(change(scene, inputs, { country: "de" }));
      expect(error.message).toMatch(/24501 is gone.*`pulumi refresh`/);
    });
  });

  describe("at which the manager fails, with the values in its record already", () => {
    /** An update to another country, at which the manager trips over what somebody else has sent: with that, it fails once. */
    async function tripped(kind: Lifecycle, before: JsonObject, after: JsonObject) {
      const scene = await scenery();
      const { id, state } = await kind.create(before, scene.step());
      await changeElsewhere(scene, 24_500, { multiply: 2, debug: "default-none" });
      const error = await failure(kind.update(id, state, declaredIn(before), after, scene.step()));
      expect(error).toBeInstanceOf(PartialFailure);
      expect(record(scene)).toMatchObject({ country: "us" });
      expect(country(scene)).toBeUndefined();
      return { scene, id, known: (error as PartialFailure).state };
    }

    const country = (scene: Stage) => scene.manager.state.running.get("24500")?.config.country;

    test.each([
      ["a port", proxyPort, INPUTS, { ...INPUTS, country: "us" }],
      [
        "a set",
        proxyPorts,
        { defaults: { zone: "web" }, ports: { a: { port: 24_500 } } },
        { defaults: { zone: "web" }, ports: { a: { port: 24_500, country: "us" } } },
      ],
    ] as [string, Lifecycle, JsonObject, JsonObject][])(
      "of %s is sent again by the next, also after a refresh",
      async (_, kind, before, after) => {
        const { scene, id, known } = await tripped(kind, before, after);
        const read = (await kind.read?.(id, pick(known, declaredIn(after)), scene.step(), known)) ?? {};
        expect(kind.diff(read, declaredIn(after), after).changed).not.toEqual([]);
        const state = await kind.update(id, read, declaredIn(after), after, scene.step());
        expect(country(scene)).toBe("us");
        expect(kind.diff(state, declaredIn(after), after).changed).toEqual([]);
      },
    );

    test("takes away by the next, too, what the record has no more", async () => {
      const scene = await scenery();
      const { id, state } = await proxyPort.create(INPUTS, scene.step());
      const known = { ...state, unsettled: ["country"] };
      await proxyPort.update(id, known, declaredIn(INPUTS), INPUTS, scene.step());
      expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", country: "" } }]);
    });
  });

  describe("whose answer is lost", () => {
    const LOCKED = { whitelistIps: ["203.0.113.7"], user: "u", userPassword: "hush", logs: 10, country: "us" };
    const OPENED = { whitelistIps: ["203.0.113.0/24"], user: "v", userPassword: "hush-new", logs: 20, country: "de" };
    const LIMITED = { bwLimit: { days: 1, bytes: 5, use_limit_webhook: true } };

    /** What the engine has of a port after an update whose answer is lost, and whether the manager has carried it out. */
    async function unsure(before: JsonObject, after: JsonObject, kind: "reset" | "reset-after") {
      const scene = await scenery();
      const inputs = { ...INPUTS, ...before };
      const state = await created(scene, inputs);
      scene.manager.service.faults.add({ method: "PUT", path: "/api/proxies/24500", kind });
      const error = await failure(update(scene, state, inputs, { ...INPUTS, ...after }));
      expect(error).toBeInstanceOf(PartialFailure);
      expect(error.cause).toBeInstanceOf(ConnectionError);
      const { id, state: known } = error as PartialFailure;
      expect(id).toBe("24500");
      const declared = new Set([...declaredIn(inputs), ...declaredIn({ ...INPUTS, ...after })]);
      return { scene, known, declared };
    }

    /** The values that a port runs with, as far as they mean something. */
    const effective = (scene: Stage): JsonObject => {
      const { bwLimit, ...found }: PortFields = fromServicePort(scene.manager.state.running.get("24500")?.config ?? {});
      const values = PORT_FIELDS.map((field) => [field, portValue(field, Reflect.get(found, field))] as const);
      return { ...Object.fromEntries(values), webhook: bwLimit?.use_limit_webhook === true };
    };

    const cases: [string, JsonObject, JsonObject][] = [
      ["adds settings", {}, LOCKED],
      ["removes settings", LOCKED, {}],
      ["changes settings", LOCKED, OPENED],
      ["takes a part of one away", LIMITED, { bwLimit: { days: 1, bytes: 5 } }],
    ];
    const all = cases.flatMap(([what, ...sides]) =>
      (["reset", "reset-after"] as const).flatMap((kind) =>
        [0, 1].flatMap((side) => [false, true].map((refreshes) => ({ what, kind, side, refreshes, sides }))),
      ),
    );

    test.each(all)(
      "is done or taken back by the next update where it $what ($kind, $side, $refreshes)",
      async (one) => {
        const [before, after] = one.sides as [JsonObject, JsonObject];
        const { scene, known, declared } = await unsure(before, after, one.kind);
        const read = one.refreshes ? await proxyPort.read("24500", pick(known, declared), scene.step(), known) : known;
        const paths = new Set([...declared].filter((path) => at(read, path) !== undefined));
        const wanted = { ...INPUTS, ...one.sides[one.side] };
        const state = await proxyPort.update("24500", read as JsonObject, paths, wanted, scene.step());
        expect(state).toEqual({ ...wanted, listenPort: 24_500 });
        const fresh = await scenery();
        await created(fresh, wanted);
        expect(effective(scene)).toEqual(effective(fresh));
      },
    );
  });

  const inSet = (port: JsonObject) => ({ defaults: { zone: "web" }, ports: { a: { port: 24_500, ...port } } });
  const alone = (port: JsonObject) => ({ ...INPUTS, ...port });
  const secondRequests = [
    ["a port", proxyPort, alone],
    ["a set", proxyPorts, inSet],
  ].flatMap((kind) => ["cancelled", "refused"].map((how) => [...kind, how]));

  test.each(secondRequests as [string, Lifecycle, (port: JsonObject) => JsonObject, string][])(
    "of %s in two requests keeps what the first has done, where the second is $3",
    async (_, kind, withFields, how) => {
      const scene = await scenery();
      const before = withFields({ debug: "full", whitelistIps: ["203.0.113.7"] });
      const { id, state } = await kind.create(before, scene.step());
      const inputs = withFields({ whitelistIps: ["203.0.113.7", "198.51.100.9"] });
      const { service } = scene.manager;
      if (how === "refused")
        service.faults.add({ method: "PUT", path: "/api/proxies/24500", kind: "respond", status: 400, after: 1 });
      const deadline = how === "cancelled" ? cancelledBy(service, "PUT /api/proxies/24500") : undefined;
      const error = await failure(kind.update(id, state, declaredIn(before), inputs, scene.step(deadline)));
      expect(error).toBeInstanceOf(PartialFailure);
      const { state: known } = error as PartialFailure;
      const all = new Set([...declaredIn(before), ...declaredIn(inputs)]);
      expect(kind.diff(known, all, before).changed).not.toEqual([]);
      await kind.update(id, known, all, before, scene.step());
      expect(record(scene)).toMatchObject({ whitelist_ips: ["203.0.113.7"], debug: "full" });
    },
  );

  test("that is gone says how to get it back", async () => {
    const scene = await scenery();
    const state = await created(scene);
    await proxyPort.delete("24500", state, scene.step());
    const error = await failure(update(scene, state, INPUTS, { ...INPUTS, country: "us" }));
    expect(error.message).toMatch(/24500 is gone.*`pulumi refresh`/);
  });

  test("of another kind, which the manager does not change, says so", async () => {
    const scene = await scenery();
    const state = { zone: "web", port: 22_225, listenPort: 22_225 };
    const inputs = { zone: "web", port: 22_225, country: "us" };
    const error = await failure(proxyPort.update("22225", state, declaredIn(state), inputs, scene.step()));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(/read-only.*drop-in port/s);
  });

  test.each<[string, (scene: Stage) => void, RegExp]>([
    [
      "that is gone",
      ({ account }) => account.removeZone("web"),
      /zone name is not valid.*does not know the port's zone/is,
    ],
    [
      "that is off",
      ({ account }) => Object.assign(account.zone("web") ?? {}, { status: "disabled" }),
      /zone disabled.*Enable the zone/is,
    ],
    ["in a manager that is logged out", ({ manager }) => manager.logOut(), /zone name is not valid.*log in/is],
  ])("of a zone %s says what to do", async (_, happen, words) => {
    const scene = await scenery();
    const state = await created(scene);
    happen(scene);
    const error = await failure(update(scene, state, INPUTS, { ...INPUTS, country: "us" }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toMatch(words);
  });
});

test("a change that is sent as its time ends is known to have been sent", async () => {
  const scene = await scenery();
  const before = { ...INPUTS, whitelistIps: ["203.0.113.7"], userPassword: "old" };
  const state = await created(scene, before);
  const inputs = { ...before, userPassword: "new" };
  const { deadline, expire } = controlledDeadline();
  const step = scene.step(deadline);
  vi.spyOn(step.context.ports, "drop").mockImplementation(expire);
  const error = await failure(proxyPort.update("24500", state, declaredIn(before), inputs, step));
  if (!(error instanceof PartialFailure)) throw error;
  forgetRequests(scene);
  await proxyPort.update("24500", error.state, declaredIn(inputs), before, scene.step());
  expect(bodies(scene, "PUT /api/proxies/24500")).toEqual([{ proxy: { zone: "web", user_password: "old" } }]);
});

test("deleting a port deletes that one, alone in its call", async () => {
  const scene = await scenery();
  const step = scene.step();
  const ports = [24_500, 24_501, 24_502];
  await Promise.all(ports.map((port) => proxyPort.create({ zone: "web", port }, step)));
  forgetRequests(scene);
  await Promise.all(ports.map((port) => proxyPort.delete(String(port), {}, step)));
  expect(bodies(scene, "POST /api/proxies/delete")).toEqual(ports.map((port) => ({ ports: [port] })));
  expect(scene.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist")).toEqual([]);
});

test.each<[string, Lifecycle, JsonObject]>([
  ["a port", proxyPort, { port: 22_225, listenPort: 22_225 }],
  ["a set", proxyPorts, { ports: { own: { port: 22_225, listenPort: 22_225 } } }],
])("deleting %s that was imported leaves the manager's drop-in port alone, and says so", async (_, kind, state) => {
  const scene = await scenery();
  const said: string[] = [];
  const step = { ...scene.step(), say: (words: string) => void said.push(words) };
  await kind.delete("22225", { zone: "web", ...state }, step);
  expect(count(scene, "POST /api/proxies/delete")).toBe(0);
  expect(said).toEqual(["port 22225 is the Proxy Manager's drop-in port, and is kept."]);
});

test("deleting a port that is gone already is done, at once", async () => {
  const scene = await scenery({}, { BRIGHTDATA_RETRIES: "3" });
  await proxyPort.delete("24500", {}, scene.step());
  expect(count(scene, "POST /api/proxies/delete")).toBe(1);
});

test("deleting a port is seen by those that look for it next", async () => {
  const scene = await scenery();
  const state = await created(scene);
  const look = () => proxyPort.read("24500", INPUTS, scene.step(), state);
  expect(await look()).toBeDefined();
  await proxyPort.delete("24500", state, scene.step());
  expect(await look()).toBeUndefined();
});

test("deleting a port is not done where the manager says that it is gone, and shows it all the same", async () => {
  const scene = await scenery();
  const state = await created(scene);
  const said = { kind: "respond", status: 500, body: "Server error: this proxy does not exist" } as const;
  scene.manager.service.faults.add({ path: "/api/proxies/delete", ...said });
  expect(await failure(proxyPort.delete("24500", state, scene.step()))).toBeInstanceOf(NotFoundError);
  expect(record(scene)).toBeDefined();
});

test("deleting a port whose creation was uncertain deletes the one that bears its mark", async () => {
  const scene = await scenery();
  await foreign(scene, { port: 24_500, zone: "web", pulumi_id: "mark" });
  await proxyPort.delete("24500", { ...INPUTS, mark: "another" }, scene.step());
  expect(record(scene)).toBeDefined();
  expect(changes(scene)).toEqual([]);
  await proxyPort.delete("24500", { ...INPUTS, mark: "mark" }, scene.step());
  expect(record(scene)).toBeUndefined();
});

test("deleting a port whose answer is lost is settled by asking again", async () => {
  const scene = await scenery({}, { BRIGHTDATA_RETRIES: "1" });
  const state = await created(scene);
  scene.manager.service.faults.add({ path: "/api/proxies/delete", kind: "reset-after" });
  await proxyPort.delete("24500", state, scene.step());
  expect(record(scene)).toBeUndefined();
});

test("deleting a port that is being deleted already waits until it is gone", async () => {
  const scene = await scenery();
  const state = await created(scene);
  const running = scene.manager.state.running.get("24500");
  expect(running).toBeDefined();
  Object.assign(running ?? {}, { stuck: true });
  const deletion = proxyPort.delete("24500", state, scene.step());
  await vi.waitFor(() => expect(count(scene, "GET /api/proxies/24500")).toBeGreaterThan(1));
  scene.manager.state.records = scene.manager.state.records.filter(({ port }) => port !== 24_500);
  await deletion;
  expect(count(scene, "POST /api/proxies/delete")).toBe(1);
});

test("deleting a port that stays stuck ends with the time allowed, and says what helps", async () => {
  const scene = await scenery();
  const state = await created(scene);
  Object.assign(scene.manager.state.running.get("24500") ?? {}, { stuck: true });
  const { deadline, expire } = controlledDeadline();
  const deletion = failure(proxyPort.delete("24500", state, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /api/proxies/24500")).toBeGreaterThan(1));
  expire();
  expect((await deletion).message).toMatch(/waiting for port 24500.*restart of the manager/);
});

test("deleting a port that fails otherwise fails", async () => {
  const scene = await scenery();
  const state = await created(scene);
  scene.manager.service.faults.add({
    path: "/api/proxies/delete",
    kind: "respond",
    status: 500,
    body: "Server error: x",
  });
  expect(await failure(proxyPort.delete("24500", state, scene.step()))).toBeInstanceOf(ServerError);
});
