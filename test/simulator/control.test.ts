import { describe, expect, onTestFinished, test } from "vitest";
import { Simulator, startSimulator } from "../../simulator";

interface Control {
  simulator: Simulator;
  /** Sends a control request, without a token; an object is sent as JSON. */
  control(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Sends a request of a program. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
}

async function startControlled(): Promise<Control> {
  const simulator = await startSimulator({ seed: "seed" });
  onTestFinished(() => simulator.close());
  const send = (url: string, method: string, body: unknown, headers: Record<string, string>) =>
    fetch(url, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return {
    simulator,
    control: async (method, path, body) => {
      const response = await send(`${simulator.remote.url}/__simulator${path}`, method, body, {});
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return { status: response.status, body: isJson ? JSON.parse(text) : text };
    },
    call: (method, path, body) =>
      send(simulator.remote.url + path, method, body, {
        authorization: `Bearer ${simulator.token}`,
        "content-type": "application/json",
      }),
  };
}

test("requests are listed and cleared, control requests not among them", async () => {
  const { control, call } = await startControlled();
  await call("DELETE", "/zone", {});
  expect(await control("GET", "/requests")).toEqual({
    status: 200,
    body: [expect.objectContaining({ method: "DELETE", path: "/zone", body: {}, status: 200 })],
  });
  expect(await control("DELETE", "/requests")).toEqual({ status: 204, body: "" });
  expect(await control("GET", "/requests")).toEqual({ status: 200, body: [] });
});

test("the manager has a log of its own", async () => {
  const { simulator } = await startControlled();
  await fetch(`${simulator.manager.url}/api/version`);
  const requests = await fetch(`${simulator.manager.url}/__simulator/requests`);
  expect(await requests.json()).toMatchObject([{ method: "GET", path: "/api/version", status: 200 }]);
  expect(simulator.remote.service.requests).toEqual([]);
});

test("faults are added and cleared", async () => {
  const { control, call } = await startControlled();
  const fault = {
    method: "GET",
    pathPattern: "^/zone/",
    containing: "zone=a",
    times: "always",
    kind: "respond",
    status: 503,
    headers: { "retry-after": "1" },
    body: "busy",
    dripMs: 1,
  };
  expect(await control("POST", "/faults", fault)).toEqual({ status: 204, body: "" });
  for (let count = 0; count < 2; count++) {
    const response = await call("GET", "/zone/status?zone=a");
    expect([response.status, response.headers.get("retry-after"), await response.text()]).toEqual([503, "1", "busy"]);
  }
  expect((await call("GET", "/zone/status?zone=b")).status).toBe(422);
  expect(await control("DELETE", "/faults")).toEqual({ status: 204, body: "" });
  expect((await call("GET", "/zone/status?zone=a")).status).toBe(422);
});

test("faults do not strike control requests", async () => {
  const { control } = await startControlled();
  await control("POST", "/faults", { kind: "respond", status: 500, times: "always" });
  expect(await control("GET", "/requests")).toEqual({ status: 200, body: [] });
});

test.each([
  [{ colour: "red" }, "a fault has no such colour"],
  [{ kind: "explode" }, "a fault has no such kind"],
  [{ times: -1 }, "a fault has no such times"],
  [{ kind: "respond", status: 99 }, "a fault has no such status"],
  [{ kind: "respond", status: 503.5 }, "a fault has no such status"],
  [{ constructor: 1 }, "a fault has no such constructor"],
  [{ dripMs: "slow" }, "a fault has no such dripMs"],
  [{ headers: { a: 1 } }, "a fault has no such headers"],
  [{ pathPattern: "(" }, "pathPattern is not a regular expression"],
  [[], "the body should be a JSON object"],
  [undefined, "the body should be a JSON object"],
])("the fault %j is none: %s", async (body, message) => {
  const { control } = await startControlled();
  expect(await control("POST", "/faults", body)).toEqual({ status: 400, body: message });
});

describe("state", () => {
  test("shows all there is, passwords included", async () => {
    const { simulator, control, call } = await startControlled();
    const zone = simulator.account.addZone("a", { type: "unblocker" });
    await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [{ url: "https://example.com/" }]);
    await call("DELETE", "/zone/blacklist", { ip: "192.0.2.1" });
    expect(await control("GET", "/state")).toMatchObject({
      status: 200,
      body: {
        customer: "hl_simulated",
        token: simulator.token,
        status: "active",
        balance: { balance: 1000 },
        zones: [{ name: "a", status: "active", password: zone.password }],
        sweeps: [{ method: "DELETE", path: "/zone/blacklist", zones: ["a"] }],
        datasets: [{ id: "gd_simulated" }, {}, {}],
        snapshots: [
          { status: "running", upcoming: ["running", "running", "ready"], records: [{ url: "https://example.com/" }] },
        ],
        deliveries: [],
        collectorRuns: [],
      },
    });
  });

  test("the behaviour can be changed", async () => {
    const { control, call } = await startControlled();
    const changed = await control("PATCH", "/behaviour", { unknownZoneStatus: 404, snapshotStates: ["ready"] });
    expect(changed).toMatchObject({ status: 200, body: { unknownZoneStatus: 404, snapshotStates: ["ready"] } });
    expect((await call("GET", "/zone?zone=a")).status).toBe(404);
    expect((await control("GET", "/behaviour")).body).toEqual(changed.body);
  });

  test.each<[Record<string, unknown>, string]>([
    [{ colour: "red" }, "there is no such colour"],
    [{ constructor: {} }, "there is no such constructor"],
    [{ unknownZoneStatus: "404" }, "unknownZoneStatus should be a status from 400 to 599"],
    [{ unknownZoneStatus: 200 }, "unknownZoneStatus should be a status from 400 to 599"],
    [{ zoneCreatedStatus: 500 }, "zoneCreatedStatus should be one of 200, 201"],
    [{ zoneAnswer: "xml" }, 'zoneAnswer should be one of "json", "text", "empty"'],
    [{ availableIps: -1 }, "availableIps should be a whole number, 0 or more"],
    [{ snapshotBuildingReads: 1.5 }, "snapshotBuildingReads should be a whole number, 0 or more"],
    [{ minBatchSize: 0 }, "minBatchSize should be a whole number, 1 or more"],
    [{ deletedNamesReusable: 1 }, "deletedNamesReusable should be true or false"],
    [{ duplicateZoneMessage: 5 }, "duplicateZoneMessage should be a text"],
    [{ snapshotStates: [] }, "snapshotStates should be a list of states, such as running"],
    [{ deliveryStates: ["done", ""] }, "deliveryStates should be a list of states, such as running"],
  ])("not to %j, alone or with the rest of the state", async (change, words) => {
    const { control } = await startControlled();
    const before = await control("GET", "/behaviour");
    const good = { addedIpsVisibleAfterReads: 3 };
    for (const refused of [
      await control("PATCH", "/behaviour", { ...good, ...change }),
      await control("PATCH", "/state", { behaviour: { ...good, ...change } }),
    ]) {
      expect(refused.status).toBe(400);
      expect(JSON.stringify(refused.body)).toContain(JSON.stringify(words).slice(1, -1));
    }
    expect(await control("GET", "/behaviour")).toEqual(before);
  });
});

test("health says whether everything is up", async () => {
  const starting = new Simulator({});
  await starting.remote.listen();
  onTestFinished(() => starting.close());
  expect((await fetch(`${starting.remote.url}/__simulator/health`)).status).toBe(503);
  const { simulator, control } = await startControlled();
  expect(await control("GET", "/health")).toEqual({ status: 200, body: { status: "ok" } });
  expect((await fetch(`${simulator.manager.url}/__simulator/health`)).status).toBe(200);
});

test("the account's balance, status and lists are put in a state, and what is not named stays", async () => {
  const { simulator, control, call } = await startControlled();
  const { account } = simulator;
  account.addZone("a", { type: "unblocker" });
  const state = {
    status: "suspended",
    balance: { balance: 3 },
    behaviour: { unknownZoneStatus: 404 },
    zones: [{ name: "b", plan: { type: "static" }, status: "disabled" }],
    datasets: [{ id: "gd_b", name: "Books" }],
    snapshots: [{ id: "s_1", datasetId: "gd_b", records: 5 }],
    deliveries: [{ id: "dl_1", status: "failed" }],
    collectorRuns: [{ responseId: "z1", rows: [{ title: "A" }] }],
    manager: { vendorReachable: false },
  };
  expect(await control("PATCH", "/state", state)).toEqual({ status: 204, body: "" });
  expect((await call("GET", "/zone?zone=a")).status).toBe(422);
  expect(account.balance).toEqual({ balance: 3, credit: 0, prepayment: 0, pending_costs: 0 });
  expect([...account.zones.values()].map(({ status }) => status)).toEqual(["active", "disabled"]);
  expect(await (await call("GET", "/datasets/v3/snapshot/s_1")).json()).toHaveLength(5);
  expect(await (await call("GET", "/datasets/v3/delivery/dl_1")).json()).toMatchObject({ status: "failed" });
  expect(await (await call("GET", "/dca/get_result?response_id=z1")).json()).toEqual({ title: "A" });
  expect(simulator.manager.state.vendorReachable).toBe(false);
});

test.each([
  [{ colour: "red" }, 400, "there is no such colour"],
  [{ clock: 1 }, 400, "there is no such clock"],
  [{ balance: { gold: 1 } }, 400, "there is no such gold"],
  [{ zones: {} }, 400, "zones should be a list of objects"],
  [{ zones: [{ name: "b" }] }, 400, "plan.type is required"],
  [{ snapshots: [{ status: "ready" }] }, 400, "id is required"],
  [{ accounts: { shop: {} } }, 404, "accounts has no shop"],
  [{ manager: { colour: "red" } }, 400, "there is no such colour"],
])("the state %j is refused", async (state, status, body) => {
  const { control } = await startControlled();
  expect(await control("PATCH", "/state", state)).toEqual({ status, body });
});

test.each([
  { colour: "red" },
  { balance: { gold: 1 } },
  { zones: [{ name: "b", plan: { type: "static" } }, { name: "c" }] },
  { zones: [{ name: "a", status: "disabled", colour: "red" }] },
  { collectorRuns: [{ responseId: "z1", rows: 1 }] },
  { snapshots: [{ id: "s_1", records: "many" }] },
  { accounts: { shop: { zones: [{ name: "b" }] } } },
  { accounts: { nosuch: {} } },
  { managers: { eu: { portsInUse: ["24000"] } } },
  { managers: { eu: { loggedIn: "no" } } },
  { managers: { eu: { config: { proxies: [{ port: 24_000 }] }, ports: [{ port: 24_001 }] } } },
  { managers: { nosuch: {} } },
])("with %j, nothing of a state is put", async (wrong) => {
  const simulator = await startSimulator({ seed: "seed", accounts: { shop: {} }, managers: { eu: {} } });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("a", { type: "unblocker" });
  const part = { status: "suspended", behaviour: { unknownZoneStatus: 404 } };
  const account = { ...part, zones: [{ name: "a", plan: { type: "static" }, status: "disabled" }] };
  const right = {
    ...account,
    accounts: { shop: account },
    balance: { balance: 3 },
    manager: { loggedIn: false, portsInUse: [1], config: { proxies: [{ port: 24_000 }] } },
  };
  const before = JSON.stringify(simulator.state());
  const put = fetch(`${simulator.remote.url}/__simulator/state`, {
    method: "PATCH",
    body: JSON.stringify({ ...right, ...wrong }),
  });
  expect((await put).ok).toBe(false);
  expect(JSON.stringify(simulator.state())).toBe(before);
  // Nor has anything been drawn that is to come.
  expect(simulator.account.generate(12)).toBe(await drawnNext());
});

test("an account that has an address of its own puts nothing of a state that is wrong in part", async () => {
  const simulator = await startSimulator({ accounts: { shop: { port: 0 } } });
  onTestFinished(() => simulator.close());
  const before = JSON.stringify(simulator.state());
  const put = fetch(`${simulator.remotes.get("shop")?.url}/__simulator/state`, {
    method: "PATCH",
    body: JSON.stringify({ status: "suspended", zones: [{ name: "a", plan: { type: "static" } }, { name: "b" }] }),
  });
  expect((await put).status).toBe(400);
  expect(JSON.stringify(simulator.state())).toBe(before);
});

/** What an account of that seed draws where its simulator has been asked for nothing. */
async function drawnNext(): Promise<string> {
  const simulator = await startSimulator({ seed: "seed", accounts: { shop: {} }, managers: { eu: {} } });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("a", { type: "unblocker" });
  simulator.state();
  return simulator.account.generate(12);
}

test("a reset brings back what there was at the start, ids to come included", async () => {
  const { simulator, control, call } = await startControlled();
  const { account, manager, remote } = simulator;
  const trigger = async () =>
    (await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [{ url: "https://example.com/" }])).json();
  const [token, first] = [simulator.token, await trigger()];
  account.addZone("a", { type: "unblocker" });
  account.token = "rotated";
  account.status = "suspended";
  remote.behaviour.unknownZoneStatus = 404;
  remote.service.faults.add({ kind: "respond", times: Number.POSITIVE_INFINITY });
  manager.state.vendorReachable = false;
  manager.service.faults.add({ kind: "respond" });
  expect(await control("POST", "/reset")).toEqual({ status: 204, body: "" });
  expect([simulator.token, account.liveZones(), remote.service.requests]).toEqual([token, [], []]);
  expect((await call("GET", "/zone?zone=a")).status).toBe(422);
  expect((await fetch(`${manager.url}/api/last_version`)).status).toBe(200);
  expect(await trigger()).toEqual(first);
});

test("what the state says is what the next simulator starts with", async () => {
  const { simulator, call } = await startControlled();
  simulator.account.addZone("a", { type: "static", ips: 2 });
  await call("POST", "/zone", { zone: { name: "b" }, plan: { type: "resident", country: "us" } });
  await call("POST", "/datasets/v3/trigger?dataset_id=gd_simulated", [{ url: "https://example.com/" }]);
  const send = (path: string, body: object) =>
    fetch(simulator.manager.url + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  await send("/api/proxies", { proxy: { port: 24_000, zone: "a" } });
  await send("/api/proxies/24000/banip", { ip: "192.0.2.1" });
  const state = JSON.parse(JSON.stringify(simulator.state())) as Record<string, unknown>;
  const next = await startSimulator({ state });
  onTestFinished(() => next.close());
  const again = JSON.parse(JSON.stringify(next.state())) as Record<string, unknown>;
  const { config, ...manager } = again.manager as { config: { proxies: unknown } };
  const { config: before, ...managerBefore } = state.manager as { config: { proxies: unknown } };
  expect({ ...again, manager }).toEqual({ ...state, manager: managerBefore });
  expect(config.proxies).toEqual(before.proxies);
});

const at = async ({ manager }: Simulator, method: string, path: string, body?: object) => {
  const response = await fetch(`${manager.url}/__simulator${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return [response.status, response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text];
};

test("the manager's state is shown and changed", async () => {
  const { simulator } = await startControlled();
  simulator.account.addZone("a", { type: "static" });
  const change = {
    latestVersion: "2.0.0",
    portsInUse: [24_001],
    config: { proxies: [{ port: 24_000, zone: "a" }] },
    ports: [{ port: 24_000, health: "No peers", bans: [{ ip: "192.0.2.1" }] }],
  };
  expect(await at(simulator, "PATCH", "/state", change)).toEqual([204, ""]);
  expect(await at(simulator, "GET", "/state")).toEqual([
    200,
    expect.objectContaining({
      latestVersion: "2.0.0",
      loggedIn: true,
      portsInUse: [24_001],
      ports: expect.arrayContaining([
        { port: 24_000, health: "No peers", stuck: false, bans: [{ ip: "192.0.2.1", domain: "" }] },
      ]),
    }),
  ]);
  expect(await at(simulator, "PATCH", "/state", { loggedIn: false })).toEqual([204, ""]);
  expect(simulator.manager.state.loggedIn).toBe(false);
});

test.each([{ dropin: false }, { dropinPort: 22_999 }])(
  "the manager's state is taken by one with %j, unless there is something of the drop-in port in it",
  async (options) => {
    const { simulator } = await startControlled();
    const another = await startSimulator({ manager: options });
    onTestFinished(() => another.close());
    const saved = async () => (await at(simulator, "GET", "/state"))[1];
    expect(await at(another, "PATCH", "/state", await saved())).toEqual([204, ""]);
    const broken = { ports: [{ port: 22_225, health: "No peers" }] };
    expect(await at(simulator, "PATCH", "/state", broken)).toEqual([204, ""]);
    expect(await at(another, "PATCH", "/state", await saved())).toEqual([404, "no port 22225 is running"]);
  },
);

test.each([
  [{ settings: {} }, 400, "there is no such settings"],
  [{ portsInUse: 1 }, 400, "portsInUse should be a list of ports"],
  [{ portsInUse: ["24000"] }, 400, "portsInUse should be a list of ports"],
  [{ loggedIn: 1 }, 400, "loggedIn should be true or false"],
  [{ ports: [{ port: 1 }] }, 404, "no port 1 is running"],
  [{ ports: [{ port: 24_000, health: 1 }] }, 400, "there is no such health"],
  [{ ports: [{ port: 24_000, bans: 1 }] }, 400, "bans should be a list of objects"],
  [{ config: [] }, 400, "config should be an object"],
  [{ config: { proxies: [{ port: 24_001 }] }, ports: [{ port: 24_000 }] }, 404, "no port 24000 is running"],
])("the manager's state %j is refused, and nothing of it put", async (change, status, message) => {
  const { simulator } = await startControlled();
  await at(simulator, "PATCH", "/state", { config: { proxies: [{ port: 24_000 }] } });
  const before = await at(simulator, "GET", "/state");
  const right = { latestVersion: "2.0.0", portsInUse: [1], loggedIn: false, config: {} };
  expect(await at(simulator, "PATCH", "/state", { ...right, ...change })).toEqual([status, message]);
  expect(await at(simulator, "GET", "/state")).toEqual(before);
});

test("a reset starts a manager again that was shut down", async () => {
  const { simulator, control } = await startControlled();
  const { manager } = simulator;
  await fetch(`${manager.url}/api/shutdown`, { method: "POST" });
  await manager.settled();
  await expect(fetch(`${manager.url}/api/version`)).rejects.toThrow();
  await control("POST", "/reset");
  expect((await fetch(`${manager.url}/api/version`)).status).toBe(200);
});

test("zones are added, edited and deleted as with a dashboard", async () => {
  const { simulator, control, call } = await startControlled();
  const added = await control("POST", "/zones", { name: "a", plan: { type: "resident", country: "us" } });
  expect(added).toMatchObject({ status: 201, body: { name: "a", plan: { default_country: "us" } } });

  const edited = await control("PATCH", "/zones/a", {
    status: "disabled",
    ips: ["192.0.2.1"],
    plan: { default_country: null, city: 1 },
    usageLimit: { value: 5 },
  });
  expect(edited).toMatchObject({ status: 200, body: { status: "disabled", plan: { type: "resident", city: 1 } } });
  expect(await (await call("GET", "/zone?zone=a")).json()).toMatchObject({
    ips: ["192.0.2.1"],
    perm: "country city",
    usage_limit: { value: 5 },
  });
  expect(simulator.account.zone("a")?.plan).not.toHaveProperty("default_country");

  expect(await control("DELETE", "/zones/a")).toEqual({ status: 204, body: "" });
  expect(simulator.account.zones.get("a")?.status).toBe("deleted");
  expect(simulator.account.sweeps).toEqual([]);
  expect(simulator.remote.service.requests).toMatchObject([{ method: "GET", path: "/zone" }]);
});

test.each([
  ["POST", "/zones", {}, 400, "name is required"],
  ["POST", "/zones", { name: "a" }, 400, "plan.type is required"],
  ["POST", "/zones", { name: "b", plan: { type: "static" }, colour: "red" }, 400, "there is no such colour"],
  ["POST", "/snapshots", { stat: "failed" }, 400, "there is no such stat"],
  ["POST", "/snapshots", { created: 5 }, 400, "created is required"],
  [
    "POST",
    "/snapshots",
    { state: "faild" },
    400,
    "state should be one of ready, running, building, failed, expired, empty",
  ],
  ["PATCH", "/zones/nosuch", {}, 404, "no such zone"],
  ["PATCH", "/zones/a", { name: "b" }, 400, "a zone cannot be renamed"],
  ["PATCH", "/zones/a", { plan: 1 }, 400, "plan should be an object"],
  ["PATCH", "/zones/a", { password: "secret" }, 400, "there is no such password"],
  ["PATCH", "/zones/a", { colour: "red" }, 400, "there is no such colour"],
  ["DELETE", "/zones/nosuch", undefined, 404, "no such zone"],
])("%s %s with %j is refused", async (method, path, body, status, message) => {
  const { simulator, control } = await startControlled();
  const before = structuredClone(simulator.account.addZone("a", { type: "unblocker" }));
  expect(await control(method, path, body)).toEqual({ status, body: message });
  expect([...simulator.account.zones.values()]).toEqual([before]);
});

test("datasets are added and changed", async () => {
  const { control, call } = await startControlled();
  const keyword = { type: "text", active: true, required: true, description: "What to look for" };
  const added = await control("POST", "/datasets", { id: "gd_books", name: "Books", fields: { url: null, keyword } });
  expect(added).toMatchObject({ status: 201, body: { id: "gd_books", name: "Books", fields: { keyword } } });
  const trigger = () => call("POST", "/datasets/v3/trigger?dataset_id=gd_books", [{ keyword: "lamps" }]);
  expect((await trigger()).status).toBe(200);
  await control("POST", "/datasets", { id: "gd_books", ready: false });
  expect(await (await trigger()).text()).toBe("This dataset is not ready yet");
});

test.each([
  [{ name: "Books" }, "id is required"],
  [{ id: "gd_books", size: "large" }, "there is no such size"],
])("the dataset %j is refused", async (body, message) => {
  const { simulator, control } = await startControlled();
  expect(await control("POST", "/datasets", body)).toEqual({ status: 400, body: message });
  expect([...simulator.account.datasets.keys()]).not.toContain("gd_books");
});

test.each([
  ["ready", 200, "ready"],
  ["running", 202, "running"],
  ["building", 202, "building"],
  ["failed", 202, "failed"],
  ["expired", 400, "ready"],
  ["empty", 400, "ready"],
])("snapshots are put in the state %s", async (state, status, progress) => {
  const { control, call } = await startControlled();
  const put = await control("POST", "/snapshots", { state });
  expect(put).toMatchObject({ status: 201, body: { id: expect.any(String) } });
  const { id } = put.body as { id: string };
  expect((await call("GET", `/datasets/v3/snapshot/${id}`)).status).toBe(status);
  expect(await (await call("GET", `/datasets/v3/progress/${id}`)).json()).toMatchObject({ status: progress });
});

test("a snapshot that is there changes state, records and message", async () => {
  const { control, call } = await startControlled();
  const { id } = (await control("POST", "/snapshots", { state: "running", created: "2026-01-01T00:00:00Z" })).body as {
    id: string;
  };
  await control("POST", "/snapshots", { id, state: "failed", errorMessage: "Account is suspended" });
  expect(await (await call("GET", `/datasets/v3/progress/${id}`)).json()).toEqual({
    status: "failed",
    error_message: "Account is suspended",
  });
  const created = new Date().toISOString();
  expect((await control("POST", "/snapshots", { id, records: 5, created })).body).toMatchObject({ id, records: 5 });
  expect(await (await call("GET", `/datasets/v3/snapshot/${id}`)).json()).toHaveLength(5);
  await control("POST", "/snapshots", { id, records: [{ a: 1 }] });
  expect(await (await call("GET", `/datasets/v3/snapshot/${id}`)).json()).toEqual([{ a: 1 }]);
});

test.each([
  [{ id: "s_nosuch" }, 404, "no such snapshot"],
  [{ state: 1 }, 400, "state should be a string"],
  [{ records: "many" }, 400, "records should be a list of objects, or how many to make up"],
])("the snapshot %j is refused", async (body, status, message) => {
  const { simulator, control } = await startControlled();
  expect(await control("POST", "/snapshots", body)).toEqual({ status, body: message });
  expect(simulator.account.snapshots.size).toBe(0);
});

test("what is no control answers 404 and is not logged", async () => {
  const { simulator, control } = await startControlled();
  expect(await control("GET", "/nosuch")).toEqual({ status: 404, body: "The simulator has no such control.\n" });
  expect(simulator.remote.service.requests).toEqual([]);
});
