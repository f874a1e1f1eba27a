import { expect, test } from "vitest";
import { cannot, startManager } from "./harness";

const put = "PUT /api/settings";

test("a logged-in manager shows all its settings", async () => {
  const { replay, manager, call } = await startManager();
  await replay([
    [
      "GET /api/settings",
      undefined,
      200,
      {
        account_id: "c_test1",
        customer_id: "hl_test1",
        customer: "hl_test1",
        zone: "static",
        password: "pass_static",
        www_whitelist_ips: [],
        whitelist_ips: [],
        fixed_whitelist_ips: [],
        read_only: false,
        config: "simulated/.luminati.json",
        test_url: "http://geo.brdtest.com/mygeo.json",
        mail_domain: "bright.cn",
        logs: 1000,
        log: "notice",
        har_limit: 1024,
        debug: "none",
        lpm_auth: "none",
        request_stats: true,
        dropin: true,
        pending_ips: [],
        pending_www_ips: [],
        zagent: false,
        av_server: false,
        reseller: false,
        sync_config: false,
        cache_report: [0],
        cache_limit: 100000000,
        lpm_token: manager.state.settings.lpm_token,
        cloud_url_address: "pmgr-customer-test1.brd.superproxy.io",
        server_conf: { client: {}, cloud: {}, zone_auth_type_whitelist: [] },
        proxy_port: 22225,
        logs_settings: {},
        use_custom_cert: false,
        socket_inactivity_timeout: 120000,
        new_ui: false,
      },
    ],
  ]);
  const pretty = await call("GET /api/settings?pretty");
  expect(pretty.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(pretty.body).toMatch(/^\{\n {2}"account_id": "c_test1",\n/);
});

test("a change answers with all the settings", async () => {
  const { call } = await startManager();
  const change = {
    logs: 500,
    har_limit: 2048,
    request_stats: false,
    log: "info",
    debug: "full",
    lpm_auth: "full",
    socket_inactivity_timeout: 60000,
    bw_limit_webhook_url: "http://127.0.0.1/limit",
    bw_th_webhook_url: "http://127.0.0.1/threshold",
  };
  expect((await call(put, change)).body).toMatchObject({ ...change, customer: "hl_test1" });
  expect((await call(put, {})).body).toMatchObject(change);
  expect((await call(put)).body).toMatchObject(change);
  expect((await call(put, [1])).body).toMatchObject(change);
  const back = { request_stats: "true", socket_inactivity_timeout: 120000 };
  expect((await call(put, back)).body).toMatchObject({ request_stats: true, socket_inactivity_timeout: 120000 });
});

test("what cannot be changed is ignored, and what can is not checked", async () => {
  const { call, replay } = await startManager();
  const fixed = { customer: "x", password: "y", read_only: true, test_url: "http://x", dropin: false, unknown: 1 };
  const { body } = await call(put, fixed);
  expect(body).toMatchObject({ customer: "hl_test1", password: "pass_static", read_only: false, dropin: true });
  expect(body).not.toHaveProperty("unknown");
  const odd = { logs: "abc", log: "nonsense", har_limit: "12", zone: "nosuch" };
  expect((await call(put, odd)).body).toMatchObject({ ...odd, har_limit: 12, password: "pass_static" });
  expect((await call(put, { logs: null, zone: null })).body).toMatchObject({ logs: 0, zone: null });
  await replay([
    [put, { logs_settings: { type: "custom" } }, 400, "Available only in Cloud Proxy Manager"],
    ["POST /api/settings", {}, 404, cannot("POST /api/settings")],
  ]);
});

test("a manager in the cloud delivers its logs, and takes fewer values", async () => {
  const { call, replay, manager } = await startManager({ zagent: true });
  const delivery = { type: "s3", bucket: "logs" };
  expect((await call(put, { logs: 500, logs_settings: delivery })).body).toMatchObject({
    zagent: true,
    logs: 500,
    logs_settings: delivery,
  });
  const tooMany = "Request logs limit can only have a maximum value of 1000 in Cloud Proxy Manager";
  const fixed = "Request logs limit can not be changed while remote logs delivery enabled";
  const odd = "Response size limit can only be 1KB or Disabled in Cloud Proxy Manager";
  const open = "Not allowed to set 'any' or 0.0.0.0/0 as a whitelisted IP in Cloud Proxy Manager";
  await replay([
    [put, { logs: 1001 }, 400, tooMany],
    [put, { logs: 600 }, 400, fixed],
    [put, { har_limit: 7 }, 400, odd],
    [put, { whitelist_ips: ["0.0.0.0/0"] }, 400, open],
    [put, { www_whitelist_ips: ["any"] }, 400, open],
  ]);
  expect((await call(put, { logs: 600, logs_settings: { disable: true } })).body).toMatchObject({ logs: 600 });
  expect(manager.state.settings.logs_settings).toBeUndefined();
});

test("the running ports follow, except where a port differs on purpose", async () => {
  const { call, data, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000 }, []);
  await data("POST /api/proxies", { port: 24001, zone: "dc", debug: "none", har_limit: 7 }, []);
  await call(put, { har_limit: 99, debug: "full", zone: "res" });
  const config = (port: number): unknown => manager.state.running.get(String(port))?.config;
  expect(config(24000)).toMatchObject({ har_limit: 99, debug: "full", zone: "res" });
  expect(config(24001)).toMatchObject({ har_limit: 99, debug: "none", zone: "dc" });
  expect(manager.state.record(24000)).not.toHaveProperty("zone");
});

test("synchronised settings and ports cannot be changed while the vendor is out of reach", async () => {
  const { call, replay, data, manager } = await startManager();
  await data("POST /api/proxies", { port: 24000, zone: "static" }, []);
  await call(put, { sync_config: true });
  manager.state.vendorReachable = false;
  const lost = "Server error: no_lpm_f_conn";
  await replay([
    ["PUT /api/proxies/24000", { proxy: { country: "us" } }, 500, lost],
    ["PUT /api/proxies/24000", { proxy: { port: 24001 } }, 500, lost],
    [put, { logs: 5 }, 500, lost],
    ["DELETE /api/proxies/24000", undefined, 204, null],
  ]);
  expect((await call("POST /api/proxies", { proxy: { port: 24000 } })).status).toBe(200);
});
