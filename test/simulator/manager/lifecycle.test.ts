import { expect, test } from "vitest";
import { goesUnanswered, startManager } from "./harness";

test("the manager tells its own version, the newest and that of Node.js", async () => {
  const { replay, call, manager } = await startManager();
  await replay([
    ["GET /api/version", undefined, 200, { version: "1.570.247", argv: "", backup_exist: false }],
    ["GET /api/v2/version", undefined, 200, { version: "1.570.247", argv: "", backup_exist: false }],
    ["GET /api/last_version", undefined, 200, { version: "1.570.247", newer: false, versions: [] }],
  ]);
  expect((await call("GET /api/node_version")).body).toEqual({
    current: process.versions.node,
    satisfied: true,
    recommended: ">=20.12.1",
  });
  manager.state.latestVersion = "1.1000.1";
  await replay([["GET /api/last_version", undefined, 200, { version: "1.1000.1", newer: true, versions: [] }]]);
});

test("an upgrade with nothing newer is never answered", async () => {
  const harness = await startManager();
  expect(await goesUnanswered(harness, "POST /api/upgrade")).toBe(true);
});

test("an upgrade takes effect with the next start", async () => {
  const { replay, manager } = await startManager({ version: "1.500.1", latestVersion: "1.570.247" });
  const version = (text: string) => ({ version: text, argv: "", backup_exist: false });
  await replay([["POST /api/restart", undefined, 200, { result: "ok" }]]);
  await manager.settled();
  await replay([
    ["GET /api/version", undefined, 200, version("1.500.1")],
    ["POST /api/upgrade", undefined, 200, { result: "ok" }],
    ["GET /api/version", undefined, 200, version("1.500.1")],
    ["POST /api/restart", undefined, 200, { result: "ok" }],
  ]);
  await manager.settled();
  await replay([["GET /api/version", undefined, 200, version("1.570.247")]]);
  manager.state.upgradeError = "EACCES: permission denied";
  await replay([["POST /api/upgrade", undefined, 403, "EACCES: permission denied"]]);
});

test("a restart is answered, and then the manager is down; closing it cuts that short", async () => {
  const { manager, call, replay } = await startManager({ restartMs: 60_000 });
  const { url } = manager;
  await replay([["POST /api/restart", undefined, 200, { result: "ok" }]]);
  const failure = () => call("GET /api/version").catch(({ code }) => code);
  await expect.poll(failure).toBe("ECONNREFUSED");
  expect(manager.url).toBe(url);
  await manager.close();
  await manager.settled();
  expect(await failure()).toBe("ECONNREFUSED");
});

test("a restarted manager listens where it did", async () => {
  const { manager, call } = await startManager({ restartMs: 1 });
  const { url } = manager;
  await call("POST /api/restart");
  await manager.settled();
  expect(manager.url).toBe(url);
  expect((await call("GET /api/version")).status).toBe(200);
});

test("a shutdown is for good", async () => {
  const { manager, call, replay } = await startManager();
  await replay([["POST /api/shutdown", undefined, 200, { result: "ok" }]]);
  await manager.settled();
  await expect(call("GET /api/version")).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

const SENT = {
  port: 24000,
  proxy_type: "persist",
  customer: "hl_mine",
  password: "my_pw",
  zone: "dc",
  country: "us",
  session: "abc",
  sticky_ip: false,
  ssl: true,
  dns: "local",
  preset: "session_long",
  pool_size: 3,
  whitelist_ips: ["1.2.3.4", "bad", "5.5.5.5"],
  rules: [{ action: { retry_port: 24001 }, action_type: "retry_port", status: "200" }],
  debug: "full",
  lpm_auth: "none",
  proxy_retry: 2,
  iface: "",
  internal_name: "my port",
  max_ban_retries: 10,
  multiply: 1,
  smtp: [],
  users: [],
  user_agent: "x",
  logs: 100,
  har_limit: 5,
};

test("a restart keeps what is in the config file, and loses the rest", async () => {
  const { manager, call, data, replay } = await startManager();
  await call("PUT /api/settings", { whitelist_ips: ["5.5.5.5"] });
  const created: object[] = [
    SENT,
    { port: 24001, zone: "nosuchzone" },
    { port: 24002, zone: "off" },
    { port: 24003 },
    { port: 24004, proxy_type: "temp" },
  ];
  for (const proxy of created) await data("POST /api/proxies", proxy, []);
  const { token } = (await call("GET /api/gen_token")).body as { token: string };
  await call("POST /api/proxies/24000/banip", { ip: "1.1.1.1" });
  await call("POST /api/refresh_sessions/24000");
  manager.state.pendingWwwIps.add("9.9.9.9");

  await call("POST /api/restart");
  await manager.settled();
  await replay([
    [
      "GET /api/proxies/24000",
      undefined,
      200,
      {
        country: "us",
        debug: "full",
        har_limit: 5,
        internal_name: "my port",
        lpm_auth: "none",
        multiply: 1,
        password: "pass_dc",
        pool_size: 3,
        port: 24000,
        rules: SENT.rules,
        session: "abc",
        ssl: true,
        user_agent: "x",
        whitelist_ips: ["5.5.5.5", "1.2.3.4"],
        zone: "dc",
        proxy_type: "persist",
        account_id: "c_test1",
        customer: "hl_test1",
        customer_id: "hl_test1",
        gb_cost: 12,
        mobile: false,
        unblock: false,
      },
    ],
    ["GET /api/banlist/24000", undefined, 200, { ips: [] }],
    ["POST /api/refresh_sessions/24000", undefined, 200, { session_id: "24000_1" }],
    ["PUT /api/wip", { ip: "4.4.4.4" }, 200, "OK", { authorization: token }],
  ]);
  const records = (await call("GET /api/proxies")).body as Record<string, unknown>[];
  expect(records.map(({ port, zone, proxy_type, password }) => [port, zone, proxy_type, password])).toEqual([
    [24000, "dc", "persist", "pass_dc"],
    [24001, "static", "persist", "pass_static"],
    [24002, "off", "persist", "pass_off"],
    [24003, "static", "persist", "pass_static"],
    [22225, "static", undefined, "pass_static"],
  ]);
  expect((await call("GET /api/settings")).body).toMatchObject({
    whitelist_ips: ["5.5.5.5", "4.4.4.4"],
    pending_www_ips: [],
  });
});

test("a read-only manager forgets its ports", async () => {
  const { manager, call, data, replay } = await startManager({ readOnly: true, dropin: false });
  await data("POST /api/proxies", { port: 24000 }, []);
  expect((await call("GET /api/settings")).body).toMatchObject({ read_only: true });
  await call("POST /api/restart");
  await manager.settled();
  await replay([["GET /api/proxies", undefined, 200, []]]);
});

test("a port for which there is no room any more is dropped at the start", async () => {
  const { manager, call, data } = await startManager({ dropin: false, portsLimit: 2 });
  for (const port of [24000, 24001]) await data("POST /api/proxies", { port }, []);
  const { config } = (await call("GET /api/config")).body as { config: string };
  await call("POST /api/config", { config: config.replace('"port": 24000', '"multiply": 2, "port": 24000') });
  expect(manager.state.records.map(({ port }) => port)).toEqual([24000]);
});

test("a logout empties the credentials; the ports stay", async () => {
  const { call, replay, data, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000, zone: "dc" }, []);
  const answer = await call("POST /api/logout");
  expect([answer.body, answer.headers["set-cookie"]]).toEqual([{ result: "ok" }, ["local-login=; Path=/"]]);
  await replay([
    ["GET /api/mode", undefined, 200, { logged_in: false }],
    ["GET /api/zones", undefined, 200, { zones: [], def: "" }],
  ]);
  expect((await call("GET /api/settings")).body).toMatchObject({ customer: "", zone: "", password: "", lpm_token: "" });
  expect((await call("GET /api/proxies/24000")).body).not.toHaveProperty("zone");
  manager.logIn();
  manager.logOut();
  await replay([["GET /api/mode", undefined, 200, { logged_in: false }]]);
});
