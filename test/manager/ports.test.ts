import { describe, expect, test } from "vitest";
import { json, type SimulatedResponse, text } from "../../simulator/service";
import {
  AlreadyExistsError,
  ConnectionError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  ResponseFormatError,
  ServerError,
  ServiceError,
} from "../../src/base/errors";
import { failure } from "../http/loopback";
import { startManager } from "./harness";
import { managerWith } from "./manager";

const RECORD = { port: 24000, zone: "web", proxy_type: "persist", whitelist_ips: ["1.2.3.4"], password: "zone-pass" };
const FIELDS = { port: 24000, zone: "web", proxyType: "persist", whitelistIps: ["1.2.3.4"], password: "zone-pass" };
/** What the manager puts beside a port's fields. */
const RUNNING = {
  ...RECORD,
  lpm_token: "account-token",
  token_auth: "api-key",
  zones: { web: { password: "other-pass" } },
  gb_cost: 8,
};

const refused = (msg: string, field?: string) =>
  json({ errors: [{ msg, ...(field === undefined ? {} : { field }) }] }, 400);

test("list reads the ports, the drop-in port included, and no credentials of others", async () => {
  const dropin = { port: 22225, listen_port: 22225, zone: "web" };
  const { client, service } = await managerWith({ "GET /api/proxies": () => json([RUNNING, dropin]) });
  expect(await client.ports.list()).toEqual([FIELDS, { port: 22225, listenPort: 22225, zone: "web" }]);
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/proxies", query: {}, body: "" }]);
});

test("defaults reads what the command line gives ports, and nothing of the manager's own", async () => {
  const { client, service } = await managerWith({
    "GET /api/defaults": () => json({ country: "us", max_ban_retries: 5, www: 22999, lpm_token: "account-token" }),
  });
  expect(await client.ports.defaults()).toEqual({ country: "us", maxBanRetries: 5 });
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/defaults", query: {}, body: "" }]);
});

test("thousands of ports are listed with the passwords of all zones, which newer managers put beside each", async () => {
  const zones = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`zone_${index}`, `password_${index}`]));
  const ports = Array.from({ length: 4000 }, (_, index) => ({ ...RECORD, port: 24000 + index, zones }));
  const answer = json(ports);
  const { client } = await managerWith({ "GET /api/proxies": () => answer, "GET /api/proxies_running": () => answer });
  await expect(client.ports.list()).resolves.toHaveLength(ports.length);
  await expect(client.ports.running()).resolves.toHaveLength(ports.length);
});

test("list reports the manager's page for what it is", async () => {
  const { client } = await managerWith({});
  expect(await failure(client.ports.list())).toBeInstanceOf(ResponseFormatError);
});

test.each<[string, object]>([
  ["`0.port`", { zone: "web" }],
  ...[null, "", true, [24000], {}, "24000x", 1.5].map((port): [string, object] => ["`0.port`", { ...RECORD, port }]),
  ["`0.iface`", { ...RECORD, iface: {} }],
  ["`0.iface`", { ...RECORD, iface: 7 }],
])("list reports a record of another shape, for which the port would be made anew (%s: %j)", async (place, record) => {
  const { client } = await managerWith({ "GET /api/proxies": () => json([record]) });
  const error = await failure(client.ports.list());
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error.message).toContain(`JSON of another shape (${place}`);
});

test("list reads what the manager keeps of the fields that can be changed, whatever it is", async () => {
  const { client } = await managerWith({
    "GET /api/proxies": () => json([{ ...RECORD, iface: null, headers: "x" }]),
  });
  expect(await client.ports.list()).toEqual([{ ...FIELDS, headers: "x" }]);
});

describe("get", () => {
  const PATH = "GET /api/proxies/:port";

  test("reads one object, as the manager answers", async () => {
    const { client, service } = await managerWith({ [PATH]: () => json(RUNNING) });
    expect(await client.ports.get(24000)).toEqual(FIELDS);
    expect(service.requests).toMatchObject([{ method: "GET", path: "/api/proxies/24000" }]);
  });

  test("reads an array, as the contract has it", async () => {
    const { client } = await managerWith({ [PATH]: () => json([{ port: 24001 }, RUNNING]) });
    expect(await client.ports.get(24000)).toEqual(FIELDS);
  });

  test.each<[string, SimulatedResponse]>([
    ["the manager's words", text("invalid port number", 400)],
    ["an empty array", json([])],
    ["an array without it", json([{ port: 24001 }])],
  ])("knows %s for a port that is not there", async (_, answer) => {
    const { client } = await managerWith({ [PATH]: () => answer });
    expect(await client.ports.get(24000)).toBeUndefined();
  });

  test("reports the record of another port", async () => {
    const { client } = await managerWith({ [PATH]: () => json({ ...RUNNING, port: 24001 }) });
    const error = await failure(client.ports.get(24000));
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(error.message).toContain("`port` holds what cannot be used");
  });

  test("does not take a page of another program for the word that the port is gone", async () => {
    const { client } = await managerWith({ [PATH]: () => text("<html><title>404 Not Found</title></html>", 404) });
    const error = await failure(client.ports.get(24000));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error.message).toContain("brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL");
  });

  test.each([
    ["text", text("Not Found", 404)],
    ["JSON", json({ error: "zone not found" }, 404)],
    ["nothing", text("", 404)],
  ])("does not take another service's 404 for the word that the port is gone (%s)", async (_, answer) => {
    const { client } = await managerWith({ [PATH]: () => answer });
    const error = await failure(client.ports.get(24000));
    expect(error).toMatchObject({ name: "ServiceError", status: 404 });
    expect(error.message).toContain("brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL");
  });

  test.each([500, 403])("does not take %d for the word that the port is gone", async (status) => {
    const { client } = await managerWith({ [PATH]: () => text("no", status) }, { retries: 0 });
    expect(await failure(client.ports.get(24000))).toMatchObject({ status });
  });
});

describe("create", () => {
  const PATH = "POST /api/proxies";

  test.each<[string, unknown]>([
    ["the running configuration, as the manager answers", { data: RUNNING }],
    ["the record, as the contract has it", RECORD],
    ["a number as text", { data: { ...RUNNING, port: "24000" } }],
  ])("sends the fields and reads %s", async (_, answer) => {
    const { client, service } = await managerWith({ [PATH]: () => json(answer) });
    expect(await client.ports.create({ port: 24000, zone: "web", whitelistIps: ["1.2.3.4"], ssl: true })).toBe(24000);
    expect(service.requests).toMatchObject([
      {
        method: "POST",
        path: "/api/proxies",
        headers: { "content-type": "application/json" },
        body: { proxy: { port: 24000, zone: "web", whitelist_ips: ["1.2.3.4"], ssl: true } },
      },
    ]);
  });

  test("leaves the number to the manager where none is given", async () => {
    const { client, service } = await managerWith({ [PATH]: () => json({ data: { ...RUNNING, port: 24007 } }) });
    expect(await client.ports.create({ zone: "web" })).toBe(24007);
    expect(service.requests[0]?.body).toEqual({ proxy: { zone: "web" } });
  });

  test.each([
    "port 24000 in use by another proxy",
    "port 24000 in use by another app",
    "port Error: listen EADDRINUSE: address already in use 0.0.0.0:24001",
    "port 24000 in use by the UI/API and UI/WebSocket",
    "Proxy port already exists",
  ])("reports %j as a port that exists", async (msg) => {
    const { client } = await managerWith({ [PATH]: () => refused(msg, "port") });
    const error = await failure(client.ports.create({ port: 24000, zone: "web" }));
    expect(error).toBeInstanceOf(AlreadyExistsError);
    expect(error.message).toContain(`Could not create proxy port 24000: `);
    expect(error.message).toContain(msg);
  });

  test.each(["Invalid port. It must be a number >= 1000", "number of many proxy ports exceeding the limit: 10000"])(
    "reports %j as a request that is wrong",
    async (msg) => {
      const { client } = await managerWith({ [PATH]: () => refused(msg) });
      expect(await failure(client.ports.create({ zone: "web" }))).toBeInstanceOf(InvalidRequestError);
    },
  );

  test("is not sent twice when its answer is lost", async () => {
    const { client, service } = await managerWith({ [PATH]: () => json({ data: RUNNING }) });
    service.faults.add({ kind: "reset-after" });
    const error = await failure(client.ports.create({ port: 24000, zone: "web" }));
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ settled: false });
    expect(service.requests).toHaveLength(1);
  });

  test("shows no password that the manager sends back", async () => {
    const { client } = await managerWith({
      [PATH]: ({ text: body }) => text(`Server error: bad input ${body}`, 500),
    });
    const error = await failure(
      client.ports.create({
        zone: "web",
        password: "hunter22",
        userPassword: "hunter33",
        extProxies: ["user:hunter44@203.0.113.7:80"],
        extProxyPassword: 'hunter"55',
      }),
    );
    expect(error.message).toContain("bad input");
    expect(error.message).not.toMatch(/hunter/);
  });
});

describe("update", () => {
  const PATH = "PUT /api/proxies/:port";

  test("sends the fields given", async () => {
    const { client, service } = await managerWith({ [PATH]: () => json({ data: RUNNING }) });
    await client.ports.update(24000, { zone: "web", poolSize: 3 });
    expect(service.requests).toMatchObject([
      { method: "PUT", path: "/api/proxies/24000", body: { proxy: { zone: "web", pool_size: 3 } } },
    ]);
  });

  test("is sent again when its answer is lost", async () => {
    const { client, service } = await managerWith({ [PATH]: () => json({ data: RUNNING }) });
    service.faults.add({ kind: "reset-after" });
    await client.ports.update(24000, { zone: "web" });
    expect(service.requests).toHaveLength(2);
  });

  test.each([
    [
      "the provided zone name is not valid.",
      "The manager does not know the port's zone any more, or is not logged in.",
    ],
    ["zone disabled", "Enable the zone"],
    ["port 24003 in use by another proxy", "run `pulumi up` once with the former `multiply`."],
    ["port Error: listen EADDRINUSE: address already in use 127.0.0.1:24003", "Free that number first."],
    ["Proxy is read-only", "Port 24000 belongs to the manager itself"],
  ])("says what to do about %j", async (msg, remedy) => {
    const { client } = await managerWith({ [PATH]: () => refused(msg) });
    const error = await failure(client.ports.update(24000, { zone: "web" }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain(msg);
    expect(error.message).toContain(remedy);
  });

  test("knows the manager's word for a port that is not there", async () => {
    const { client } = await managerWith({ [PATH]: () => refused("No proxy at port 24000") });
    expect(await failure(client.ports.update(24000, { zone: "web" }))).toBeInstanceOf(NotFoundError);
  });

  test("says what to do when the manager has lost its link to the vendor", async () => {
    const { client } = await managerWith({ [PATH]: () => text("Server error: no_lpm_f_conn", 500) }, { retries: 0 });
    const error = await failure(client.ports.update(24000, { zone: "web" }));
    expect(error).toBeInstanceOf(ServerError);
    expect(error.message).toContain("turn sync_config off in its settings.");
  });
});

describe("remove", () => {
  const PATH = "POST /api/proxies/delete";

  test("names the one port", async () => {
    const { client, service } = await managerWith({ [PATH]: () => ({ status: 204 }) });
    await client.ports.remove(24000);
    expect(service.requests).toMatchObject([{ method: "POST", path: "/api/proxies/delete", body: { ports: [24000] } }]);
  });

  test("is sent again when the connection broke", async () => {
    const { client, service } = await managerWith({ [PATH]: () => ({ status: 204 }) });
    service.faults.add({ kind: "reset" });
    await client.ports.remove(24000);
    expect(service.requests).toHaveLength(2);
  });

  test("knows the manager's word for a port that is not there, and does not ask twice", async () => {
    const { client, service } = await managerWith({
      [PATH]: () => text("Server error: this proxy does not exist", 500),
    });
    expect(await failure(client.ports.remove(24000))).toBeInstanceOf(NotFoundError);
    expect(service.requests).toHaveLength(1);
  });

  test("does not take another program's page for the word that the port is gone", async () => {
    const { client } = await managerWith({});
    const error = await failure(client.ports.remove(24000));
    expect(error).toMatchObject({ name: "ServiceError", status: 404 });
    expect(error.message).toContain("brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL");
  });

  test("reports a port that is being stopped as the manager's failure", async () => {
    const { client } = await managerWith(
      { [PATH]: () => text("Server error: this proxy is already being stopped and deleted", 500) },
      { retries: 0 },
    );
    const error = await failure(client.ports.remove(24000));
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ serviceMessage: "Server error: this proxy is already being stopped and deleted" });
  });
});

test("a caller whose address the manager does not allow is told what to do", async () => {
  const words =
    "Connection from your IP is forbidden. If you want to access this site ask the administrator to add 10.0.0.9 to the whitelist. for more info please contact us";
  const { client } = await managerWith({ "GET /api/proxies": () => text(words, 403) });
  const error = await failure(client.ports.list());
  expect(error).toBeInstanceOf(PermissionError);
  expect(error.message).toContain("add 10.0.0.9 to the whitelist");
  expect(error.message).toContain("Run this on the manager's own machine, or allow the address");
});

test("a manager that wants each browser to sign in says what lets programs in", async () => {
  const { client } = await startManager({ localLogin: true });
  const error = await failure(client.ports.list());
  expect(error).toBeInstanceOf(PermissionError);
  expect(error.message).toContain("No program can sign in: start the manager without `--local_login`.");
});

test("every operation takes the caller's signal", async () => {
  const { client, service } = await managerWith({});
  const reason = new Error("enough");
  const options = { signal: AbortSignal.abort(reason) };
  const calls = [
    client.ports.list(options),
    client.ports.get(24000, options),
    client.ports.create({ zone: "web" }, options),
    client.ports.update(24000, {}, options),
    client.ports.remove(24000, options),
    client.settings.get(options),
    client.settings.setWwwWhitelistIps([], options),
    client.allowlists.add({ list: "ui", ip: "1.2.3.4" }, options),
    client.allowlists.remove({ list: "ui", ip: "1.2.3.4" }, options),
    client.apiKeys.current(options),
    client.apiKeys.generate(options),
    client.session.isLoggedIn(options),
    client.zones.list(options),
  ];
  for (const outcome of await Promise.allSettled(calls)) expect(outcome).toEqual({ status: "rejected", reason });
  expect(service.requests).toEqual([]);
});
