import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { json, text } from "../../simulator/service";
import { ConfigurationError, RateLimitError, ResponseFormatError } from "../../src/base/errors";
import { ManagerClient } from "../../src/manager/client";
import { RemoteClient } from "../../src/remote/client";
import { connected } from "../../src/settings/connections";
import { SETTINGS } from "../../src/settings/definitions";
import { PROVIDER_NAME, readSettings } from "../../src/settings/settings";
import { failure } from "../http/loopback";
import { clientOf, managerWith } from "./manager";

const CONFIG = {
  _defaults: { token_auth: "the-key", lpm_token: "account-token", password: "zone-pass" },
  proxies: [{ port: 24000, password: "port-pass" }],
};

test.each<[string, unknown]>([
  ["a text, as the manager answers", JSON.stringify(CONFIG)],
  ["an object", CONFIG],
])("the API key is read without replacing it, the configuration being %s", async (_, config) => {
  const { client, service } = await managerWith({ "GET /api/config": () => json({ config }) });
  expect(await client.apiKeys.current()).toBe("the-key");
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/config" }]);
});

test("the key is found in the configuration of thousands of ports", async () => {
  const proxies = [{ port: 24000, rules: [{ url: "x".repeat(17 * 1024 * 1024) }] }];
  const config = JSON.stringify({ _defaults: { token_auth: "the-key" }, proxies });
  const { client } = await managerWith({ "GET /api/config": () => json({ config }) });
  await expect(client.apiKeys.current()).resolves.toBe("the-key");
});

test.each<[string, unknown]>([
  ["no key", { _defaults: {} }],
  ["an empty key", { _defaults: { token_auth: "" } }],
  ["no key", { _defaults: { token_auth: null } }],
  ["no defaults", {}],
])("the API key is none where there is %s", async (_, config) => {
  for (const form of [config, JSON.stringify(config)]) {
    const { client } = await managerWith({ "GET /api/config": () => json({ config: form }) });
    expect(await client.apiKeys.current()).toBeUndefined();
  }
});

test.each<[string, unknown]>([
  ["that is cut short", { config: JSON.stringify(CONFIG).slice(0, -5) }],
  ["that is no text", { config: 5 }],
  ["that is no object", { config: "[]" }],
  ["with defaults of another shape", { config: { _defaults: "x" } }],
  ["with a key of another shape", { config: { _defaults: { token_auth: 5 } } }],
  ["that is not there", {}],
])("the API key is not thought to be missing with a configuration %s", async (_, answer) => {
  // Whoever finds no key generates one, which makes the one before it useless to everybody.
  const { client } = await managerWith({ "GET /api/config": () => json(answer) });
  const error = await failure(client.apiKeys.current());
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(inspect(error, { showHidden: true, depth: 10 })).not.toMatch(/the-key|account-token|-pass/);
});

test("the API key is generated anew", async () => {
  const { client, service } = await managerWith({ "GET /api/gen_token": () => json({ token: "new-key" }) });
  expect(await client.apiKeys.generate()).toBe("new-key");
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/gen_token" }]);
});

test("the API key is not generated twice when the answer is lost", async () => {
  const { client, service } = await managerWith({ "GET /api/gen_token": () => json({ token: "new-key" }) });
  service.faults.add({ kind: "reset-after" });
  expect((await failure(client.apiKeys.generate())).name).toBe("ConnectionError");
  expect(service.requests).toHaveLength(1);
});

test("more than five API keys an hour are refused at once", async () => {
  const { client, service } = await managerWith({
    "GET /api/gen_token": () => ({
      status: 429,
      headers: { "retry-after": "3600", "ratelimit-policy": "5;w=3600" },
      body: "You have exceeded the 5 requests in 60 minutes limit.",
    }),
  });
  const error = await failure(client.apiKeys.generate());
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error.message).toContain("You have exceeded the 5 requests in 60 minutes limit. Wait 3600 s");
  expect(service.requests).toHaveLength(1);
});

test.each([{ token: "" }, { token: 5 }, {}])("the API key of another shape is reported: %j", async (answer) => {
  const { client } = await managerWith({ "GET /api/gen_token": () => json(answer) });
  expect(await failure(client.apiKeys.generate())).toBeInstanceOf(ResponseFormatError);
});

test("the general settings are picked field by field", async () => {
  const answer = {
    customer: "acme",
    zone: "web",
    password: "zone-pass",
    lpm_token: "account-token",
    www_whitelist_ips: ["1.1.1.1"],
    whitelist_ips: ["2.2.2.2"],
    fixed_whitelist_ips: ["1.1.1.1", "3.3.3.3"],
    logs: 1000,
  };
  const { client, service } = await managerWith({ "GET /api/settings": () => json(answer) });
  expect(await client.settings.get()).toEqual({
    customer: "acme",
    zone: "web",
    wwwWhitelistIps: ["1.1.1.1"],
    whitelistIps: ["2.2.2.2"],
    fixedWhitelistIps: ["1.1.1.1", "3.3.3.3"],
    logs: 1000,
  });
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/settings" }]);
});

const NO_ADDRESSES = { www_whitelist_ips: [], whitelist_ips: [], fixed_whitelist_ips: [] };

test.each([{}, { customer: null, zone: "" }])(
  "the general settings may be missing, but for the addresses: %j",
  async (answer) => {
    const { client } = await managerWith({ "GET /api/settings": () => json({ ...NO_ADDRESSES, ...answer }) });
    expect(await client.settings.get()).toEqual({ wwwWhitelistIps: [], whitelistIps: [], fixedWhitelistIps: [] });
  },
);

test.each([
  [{}, "missing"],
  [{ ...NO_ADDRESSES, www_whitelist_ips: null }, "null"],
])("the general settings are not believed without what every manager has: %j", async (answer, found) => {
  const { client } = await managerWith({ "GET /api/settings": () => json(answer) });
  const error = await failure(client.settings.get());
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(error.message).toContain(`\`www_whitelist_ips\`: expected a list, but it is ${found}`);
});

test("the general settings take the whole list of the UI", async () => {
  const { client, service } = await managerWith({ "PUT /api/settings": () => json(NO_ADDRESSES) });
  await client.settings.setWwwWhitelistIps(["1.1.1.1", "10.0.0.0/8"]);
  expect(service.requests).toMatchObject([
    { method: "PUT", path: "/api/settings", body: { www_whitelist_ips: ["1.1.1.1", "10.0.0.0/8"] } },
  ]);
});

test("the zones come with their plans, and without their passwords", async () => {
  const zones = [
    { name: "web", password: "zone-pass", plan: { type: "static", ips_type: "shared" }, perm: "country" },
    { name: "old", plan: { disable: 1 } },
    { name: "bare", plan: null },
  ];
  const { client, service } = await managerWith({ "GET /api/zones": () => json({ zones, def: "web" }) });
  expect(await client.zones.list()).toEqual([
    { name: "web", plan: { type: "static", ipsType: "shared" }, disabled: false },
    { name: "old", plan: { disable: 1 }, disabled: true },
    { name: "bare", plan: {}, disabled: false },
  ]);
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/zones" }]);
});

test("the zones are none while nobody is logged in", async () => {
  const { client } = await managerWith({ "GET /api/zones": () => json({ zones: [] }) });
  expect(await client.zones.list()).toEqual([]);
});

test.each([true, false])("tells whether somebody is logged in: %s", async (loggedIn) => {
  const { client, service } = await managerWith({
    "GET /api/mode": () => json({ logged_in: loggedIn, run_config: {} }),
  });
  expect(await client.session.isLoggedIn()).toBe(loggedIn);
  expect(service.requests).toMatchObject([{ method: "GET", path: "/api/mode" }]);
});

test("nobody is logged in to a manager that says nothing of it, as where its vendor was not there at its start", async () => {
  const { client } = await managerWith({ "GET /api/mode": () => json({}) });
  expect(await client.session.isLoggedIn()).toBe(false);
});

test("the service's page in place of an answer is reported, whatever was asked", async () => {
  const { client } = await managerWith({});
  for (const call of [
    client.settings.get(),
    client.zones.list(),
    client.session.isLoggedIn(),
    client.apiKeys.current(),
  ]) {
    const error = await failure(call);
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(error.message).toContain("an HTML page instead of JSON");
  }
});

test("a request to the manager carries no token of the account", async () => {
  const { client, service } = await managerWith(
    { "GET /api/mode": () => text('{"logged_in":true}') },
    { managerApiKey: { value: "the-key", source: "a test", setting: SETTINGS.managerApiKey } },
  );
  await client.session.isLoggedIn();
  expect(service.requests[0]?.headers.authorization).toBeUndefined();
});

describe("an address that leads to no manager", () => {
  const managers = JSON.stringify({ fra: { url: "http://127.0.0.1:1" } });
  const given: Readonly<Record<string, string>> = {
    "brightdata:managers": managers,
    "brightdata:proxyManagerUrl": "http://127.0.0.1:1",
    "brightdata:retries": "0",
  };

  test.each<[setting: string, config: Readonly<Record<string, string>>, manager: string | undefined]>([
    ["brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL", given, undefined],
    ["brightdata:managers.fra.url / BRIGHTDATA_MANAGERS", given, "fra"],
    [
      '`proxyManagerUrl` of the provider "shop" / BRIGHTDATA_PROXY_MANAGER_URL',
      { ...given, [PROVIDER_NAME]: "shop" },
      undefined,
    ],
    ['`managers.fra.url` of the provider "shop" / BRIGHTDATA_MANAGERS', { ...given, [PROVIDER_NAME]: "shop" }, "fra"],
  ])("is that of %s", async (setting, config, manager) => {
    const settings = connected(
      readSettings((key) => config[key], {}),
      { manager },
    );
    const error = await failure(new ManagerClient(settings).session.isLoggedIn());
    expect(error.message).toContain(`Check that the Proxy Manager is running and that ${setting} names it.`);
  });
});

test("what answers at a named manager's address may be something else", async () => {
  const { service } = await managerWith({ "GET /api/mode": () => text("<html></html>") });
  const managers = { fra: { url: service.url } };
  const settings = connected({ ...readSettings(() => undefined, {}), managers }, { manager: "fra" });
  const error = await failure(new ManagerClient(settings).session.isLoggedIn());
  expect(error.message).toContain(
    "Check that brightdata:managers.fra.url / BRIGHTDATA_MANAGERS names the right service.",
  );
});

test("what refuses a request without a token is no manager", async () => {
  const { client } = await managerWith({ "GET /api/mode": () => text("Auth method is not supported", 401) });
  const error = await failure(client.session.isLoggedIn());
  expect(error.message).toMatch(
    /answered 401: .*\. A Proxy Manager itself asks for no credentials\. Check that brightdata:proxyManagerUrl \/ BRIGHTDATA_PROXY_MANAGER_URL names the right service\.$/,
  );
});

test("a key in clear is refused on the way to another machine", () => {
  const attempt = () => clientOf("http://10.0.0.1:22999").refusePlainHttp();
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow("the Proxy Manager's API key would travel in clear");
  expect(attempt).toThrow("brightdata:proxyManagerUrl / BRIGHTDATA_PROXY_MANAGER_URL");
});

test.each(["http://127.0.0.1:22999", "http://[::1]:22999", "https://manager.example"])(
  "a key in clear may go to %s",
  (url) => {
    expect(() => clientOf(url).refusePlainHttp()).not.toThrow();
  },
);

test("neither client shows its credentials when it is printed", () => {
  const environment = { BRIGHTDATA_API_TOKEN: "the-account-token", BRIGHTDATA_MANAGER_API_KEY: "the-manager-key" };
  const settings = readSettings(() => undefined, environment);
  for (const client of [new ManagerClient(settings), new RemoteClient(settings)]) {
    expect(inspect(client, { depth: 9, showHidden: true })).not.toMatch(/the-(account-token|manager-key)/);
    expect(JSON.stringify(client)).not.toMatch(/the-(account-token|manager-key)/);
  }
  expect(new ManagerClient(settings).apiKey?.value).toBe("the-manager-key");
});
