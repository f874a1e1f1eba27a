import { expect, test } from "vitest";
import { startManager } from "./harness";

test("the manager tells its state, its limits and the fields that it knows", async () => {
  const { replay, call } = await startManager();
  const cloud = "Not allowed to use BW limit in Proxy Manager on premise";
  await replay([
    ["GET /api/mode", undefined, 200, { logged_in: true }],
    ["GET /api/conn", undefined, 200, { current_country: "us", domain: true }],
    ["GET /api/server_conf", undefined, 200, { client: {}, cloud: {}, zone_auth_type_whitelist: [] }],
    ["GET /api/tls_warning", undefined, 200, false],
    ["GET /api/browser/24001", undefined, 400, "Puppeteer not installed"],
    ["GET /api/bw_limit/24001", undefined, 403, cloud],
    ["PUT /api/bw_limit/24001", { days: 1, bytes: 1 }, 403, cloud],
    ["GET /api/bw_limit_stats/24001", undefined, 403, cloud],
    ["GET /api/bw_limit_stats", undefined, 403, cloud],
    ["PUT /api/pmgr_domain", {}, 400, "You need to pass a domain name\n"],
    ["PUT /api/pmgr_domain", { domain: "bad domain" }, 422, "Invalid domain\n"],
    ["PUT /api/pmgr_domain", { domain: "pm.example.com" }, 200, "OK"],
  ]);
  expect((await call("GET /api/defaults")).body).toMatchObject({ zone: "static", multiply: 0, www: 22999 });
  expect((await call("GET /api/consts")).body).toMatchObject({
    proxy: {
      port: { desc: { type: "integer", desc: "Port for the HTTP proxy" } },
      dns: { desc: { values: "local|remote" }, values: ["", "local", "remote"] },
      ssl: { desc: { type: "boolean" }, def: false },
      zone: { def: "static" },
    },
    consts: { MAX_STRING_LENGTH: 300 },
  });
});

test("a field on the command line goes for each port that has none, and a port's own of the same value is not kept", async () => {
  const { call, data, manager } = await startManager({ portDefaults: { country: "us", max_ban_retries: 5 } });
  expect((await call("GET /api/defaults")).body).toMatchObject({ country: "us", max_ban_retries: 5, proxy_retry: 2 });
  const fields = ["country", "max_ban_retries"];
  const proxy = { port: 24001, zone: "static" };
  expect(await data("POST /api/proxies", proxy, fields)).toEqual({ country: "us", max_ban_retries: 5 });
  const own = { country: "us", max_ban_retries: 10 };
  expect(await data("PUT /api/proxies/24001", own, fields)).toEqual(own);
  await call("POST /api/restart");
  await manager.settled();
  const { body } = await call("GET /api/proxies/24001");
  expect(body).toMatchObject({ max_ban_retries: 10 });
  expect(body).not.toHaveProperty("country");
});
