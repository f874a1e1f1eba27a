import { expect, test } from "vitest";
import { ArgumentError, InvalidRequestError, ServerError, ServiceError } from "../../src/base/errors";
import { isObject } from "../../src/base/json";
import type { SettingsChange } from "../../src/manager/settings";
import { failure, startManager } from "./harness";

test("the settings are read, but for the credentials", async () => {
  const { account, client, manager, requests, request } = await startManager();
  account.addZone("web", { type: "static", ips: 1 });
  manager.logIn();
  expect(await client.settings.get()).toEqual({
    customer: "hl_test",
    accountId: "c_test",
    customerId: "hl_test",
    zone: "web",
    wwwWhitelistIps: [],
    whitelistIps: [],
    fixedWhitelistIps: [],
    pendingIps: [],
    pendingWwwIps: [],
    readOnly: false,
    config: "simulated/.luminati.json",
    testUrl: "http://geo.brdtest.com/mygeo.json",
    mailDomain: "bright.cn",
    logs: 1000,
    log: "notice",
    harLimit: 1024,
    debug: "none",
    lpmAuth: "none",
    requestStats: true,
    dropin: true,
    zagent: false,
    avServer: false,
    reseller: false,
    syncConfig: false,
    cacheReport: [0],
    cacheLimit: 100_000_000,
    cloudUrlAddress: "pmgr-customer-test.brd.superproxy.io",
    proxyPort: 22225,
    useCustomCert: false,
    socketInactivityTimeout: 120_000,
    newUi: false,
  });
  expect(requests).toEqual([request({ method: "GET", path: "/api/settings" })]);
});

test("the settings that the contract names are enough", async () => {
  const { client, answer } = await startManager();
  answer(200, {
    customer: "c",
    zone: "web",
    password: "secret",
    www_whitelist_ips: ["1.1.1.1"],
    whitelist_ips: [],
    fixed_whitelist_ips: [],
    read_only: false,
    config: "/c.json",
    test_url: "http://test.example",
    logs: 1000,
    log: "notice",
    har_limit: 1024,
    request_stats: true,
    dropin: true,
    pending_ips: [],
    pending_www_ips: [],
    zagent: false,
    sync_config: true,
  });
  expect(await client.settings.get()).toEqual({
    customer: "c",
    zone: "web",
    wwwWhitelistIps: ["1.1.1.1"],
    whitelistIps: [],
    fixedWhitelistIps: [],
    readOnly: false,
    config: "/c.json",
    testUrl: "http://test.example",
    logs: 1000,
    log: "notice",
    harLimit: 1024,
    requestStats: true,
    dropin: true,
    pendingIps: [],
    pendingWwwIps: [],
    zagent: false,
    syncConfig: true,
  });
});

test("the settings that make no sense do not stand in the way of the others", async () => {
  const { client, answer } = await startManager();
  const lists = { www_whitelist_ips: [], whitelist_ips: [], fixed_whitelist_ips: [] };
  answer(200, {
    ...lists,
    customer: null,
    zone: "",
    logs: "abc",
    log: "nonsense",
    dropin: "yes",
    pending_ips: "5.5.5.5",
  });
  expect(await client.settings.get()).toEqual({
    log: "nonsense",
    wwwWhitelistIps: [],
    whitelistIps: [],
    fixedWhitelistIps: [],
  });
});

test("a change of the settings is sent in the manager's names, addresses in their one form, and answered with what holds then", async () => {
  const { client, requests, request } = await startManager();
  const change: SettingsChange = {
    zone: "dc",
    wwwWhitelistIps: ["203.0.113.7/32", "10.20.30.77/16"],
    whitelistIps: [],
    logs: 0,
    log: "info",
    harLimit: -1,
    debug: "full",
    lpmAuth: "full",
    requestStats: false,
    syncConfig: false,
    socketInactivityTimeout: 60_000,
    bwLimitWebhookUrl: "https://example.com/limit",
    bwThWebhookUrl: "",
  };
  const { bwThWebhookUrl: _, ...kept } = change;
  expect(await client.settings.update(change)).toMatchObject({
    ...kept,
    wwwWhitelistIps: ["203.0.113.7", "10.20.0.0/16"],
  });
  expect(requests).toEqual([
    request({
      method: "PUT",
      path: "/api/settings",
      body: {
        zone: "dc",
        www_whitelist_ips: ["203.0.113.7", "10.20.0.0/16"],
        whitelist_ips: [],
        logs: 0,
        log: "info",
        har_limit: -1,
        debug: "full",
        lpm_auth: "full",
        request_stats: false,
        sync_config: false,
        socket_inactivity_timeout: 60_000,
        bw_limit_webhook_url: "https://example.com/limit",
        bw_th_webhook_url: "",
      },
    }),
  ]);
});

test("a change of the settings leaves what it does not name", async () => {
  const { client, requests } = await startManager();
  await client.settings.update({ logs: 500, log: undefined });
  expect(requests[0]?.body).toEqual({ logs: 500 });
  expect(await client.settings.get()).toMatchObject({ logs: 500, log: "notice", harLimit: 1024 });
});

test.each([
  [{ log: "nonsense" }, "`log`: expected one of error, warn, notice, info, debug."],
  [{ logs: "abc" }, "`logs`: expected a whole number from 0 on."],
  [{ logs: -1 }, "`logs`: expected a whole number from 0 on."],
  [{ logs: 1.5 }, "`logs`: expected a whole number from 0 on."],
  [{ harLimit: -2 }, "`harLimit`: expected a whole number from -1 on."],
  [{ socketInactivityTimeout: 0 }, "`socketInactivityTimeout`: expected a whole number from 1 on."],
  [{ debug: "some" }, "`debug`: expected full or none."],
  [{ zone: "" }, "`zone`: expected a zone's name."],
  [
    { wwwWhitelistIps: ["1.1.1.1", "5.5.5"] },
    '`wwwWhitelistIps.1`: "5.5.5" is neither an IPv4 address of four octets nor a CIDR block.',
  ],
  [{ whitelistIps: ["any"] }, '`whitelistIps.0`: "any" is neither an IPv4 address of four octets nor a CIDR block.'],
  [{ bwThWebhookUrl: "ftp://x" }, '`bwThWebhookUrl`: expected an http or https URL, or "".'],
])("a change of the settings is refused for what the manager would swallow: %j", async (change, words) => {
  const { client, requests } = await startManager();
  const error = await failure(client.settings.update(change as SettingsChange), ArgumentError);
  expect(error.message).toBe(`Cannot change the Proxy Manager's settings: ${words}`);
  expect(requests).toEqual([]);
});

test.each(["password", "customer", "readOnly", "dropin", "logsSettings"])(
  "a change of the settings is refused for `%s`, which cannot be changed",
  async (name) => {
    const { client, requests } = await startManager();
    const error = await failure(client.settings.update({ [name]: "secret-value" } as SettingsChange), ArgumentError);
    expect(error.message).toContain(name);
    expect(error.message).not.toContain("secret-value");
    expect(requests).toEqual([]);
  },
);

test("a change of the settings says what to do when the vendor's cloud cannot be reached", async () => {
  const { client, manager } = await startManager();
  await client.settings.update({ syncConfig: true });
  manager.state.vendorReachable = false;
  const error = await failure(client.settings.update({ logs: 1 }), ServerError);
  expect(error.message).toContain("turn sync_config off");
});

test("a change of the settings shows no credential of the answer", async () => {
  const { account, client, manager } = await startManager();
  account.addZone("web", { type: "static", ips: 1 });
  manager.logIn();
  const { lpm_token, password } = manager.state.settings;
  expect([typeof lpm_token, typeof password]).toEqual(["string", "string"]);
  const answer = await client.settings.update({ logs: 5 });
  expect(isObject(answer)).toBe(true);
  for (const secret of [lpm_token, password]) expect(JSON.stringify(answer)).not.toContain(secret);
});

test.each(["bwLimitWebhookUrl", "bwThWebhookUrl"])(
  "a change of the settings shows no `%s`, which is as good as a password, where the manager repeats it",
  async (name) => {
    const { client, manager } = await startManager();
    const url = "https://hooks.example.com/services/T0/hush-hush";
    manager.service.faults.add({ method: "PUT", kind: "respond", status: 400, body: `cannot call ${url}` });
    const error = await failure(client.settings.update({ [name]: url }), InvalidRequestError);
    expect(error.message).toContain("cannot call [secret]");
    expect(error.message).not.toContain("hush");
  },
);

test("the default zone is read", async () => {
  const { account, client, manager, requests, request } = await startManager();
  account.addZone("web", { type: "static", ips: 1 });
  manager.logIn();
  expect(await client.zones.defaultName()).toBe("web");
  expect(requests).toEqual([request({ method: "GET", path: "/api/zones" })]);
  manager.logOut();
  expect(await client.zones.defaultName()).toBeUndefined();
});

test("shows nothing of where logs are delivered to when the manager sends it back", async () => {
  const { client, answer } = await startManager();
  answer(500, "Server error: no bucket my-logs at s3.example.com");
  const change = { logsSettings: { type: "s3", target: { bucket: "my-logs", host: "s3.example.com" } } };
  const error = await failure(client.settings.update(change), ServiceError);
  expect(error.serviceMessage).toBe("Server error: no bucket [secret] at [secret]");
});
