import { expect, test } from "vitest";
import { startManager } from "./harness";

test("the file has what differs from the defaults, every secret of the manager included", async () => {
  const { call, data, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000, zone: "dc", dns: "local", smtp: [], gb_cost: 1 }, []);
  await data("PUT /api/proxies/24000", { country: "us", max_ban_retries: 10, proxy_retry: "" }, []);
  await call("PUT /api/settings", { logs: 5, whitelist_ips: ["1.1.1.1"] });
  const { config } = (await call("GET /api/config")).body as { config: string };
  expect(JSON.parse(config)).toEqual({
    _defaults: {
      account_id: "c_test1",
      customer: "hl_test1",
      customer_id: "hl_test1",
      debug: "none",
      logs: 5,
      lpm_auth: "none",
      lpm_token: manager.state.settings.lpm_token,
      password: "pass_static",
      version: "1.570.247",
      whitelist_ips: ["1.1.1.1"],
    },
    proxies: [
      { av_server_url: "127.0.0.1:1343", country: "us", password: "pass_dc", port: 24000, proxy_retry: 0, zone: "dc" },
    ],
  });
  expect(config).toMatch(/^\{\n {2}"_defaults": \{\n {4}"account_id": "c_test1",\n/);
  expect(JSON.parse(manager.state.configFile)).toHaveProperty("ts", "2026-11-20T08:42:54.000Z");
});

test("a new config file replaces everything, even where it is no JSON", async () => {
  const { call, replay, data, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000 }, []);
  const ports = (): number[] => manager.state.records.map(({ port }) => port);
  const config = JSON.stringify({
    _defaults: { customer: "hl_test1", lpm_token: "abc|hl_test1", www_whitelist_ips: ["10.0.0.1"] },
    proxies: [{ port: 24005, zone: "static" }],
  });
  await replay([["POST /api/config", { config }, 200, { result: "ok" }]]);
  expect(ports()).toEqual([24005, 22225]);
  expect((await call("GET /api/settings")).body).toMatchObject({ lpm_token: "abc|hl_test1", zone: "static" });
  await replay([
    ["POST /api/config", { config: "{bad" }, 200, { result: "ok" }],
    ["GET /api/mode", undefined, 200, { logged_in: false }],
  ]);
  expect(ports()).toEqual([22225]);
});

test("where there is no text to write, nothing is lost", async () => {
  const { data, replay, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000 }, []);
  const crash = (what: string): string =>
    `Server error: The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received ${what}`;
  await replay([
    ["POST /api/config", undefined, 500, crash("undefined")],
    ["POST /api/config", { config: null }, 500, crash("null")],
    ["POST /api/config", { config: true }, 500, crash("type boolean (true)")],
    ["POST /api/config", { config: {} }, 500, crash("an instance of Object")],
    ["POST /api/config", { config: ["x"] }, 500, crash("an instance of Array")],
  ]);
  expect(manager.state.records.map(({ port }) => port)).toContain(24000);
});

test.each([
  ["with one port twice", [{ port: 24001 }, { port: 24001 }]],
  ["while a port is stuck", []],
])("a new file %s takes the manager down, where it shall hang as the real one", async (name, proxies) => {
  for (const hangs of [false, true]) {
    const { call, data, manager } = await startManager({ hangs });
    await data("POST /api/proxies", { port: 24000 }, []);
    if (name.includes("stuck")) await call("POST /api/proxies/delete", { ports: [24999, 24000] });
    expect((await call("POST /api/config", { config: JSON.stringify({ proxies }) })).body).toEqual({ result: "ok" });
    await manager.settled();
    const answer = call("GET /api/mode").then(
      ({ status }) => status,
      ({ code }) => code,
    );
    expect(await answer).toBe(hangs ? "ECONNREFUSED" : 200);
  }
});
