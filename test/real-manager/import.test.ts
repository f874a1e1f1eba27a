import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type RealManager, startRealManager } from "../../scripts/real-manager/index.mts";
import { send } from "../../scripts/send.mts";
import { differences, imported } from "../cli/import/program";

/** Settings of which each port has some, as the manager's own page sends them. */
const SETTINGS: readonly object[] = [
  { country: "us", state: "ny", city: "newyork", zip: "10001", asn: "7922" },
  { session: true, rotate_session: true, sticky_ip: true, keep_session: true },
  { session: "shop", pool_size: 3, const: true, session_termination: true },
  { multiply: 3, internal_name: "class", preset: "session_long" },
  { whitelist_ips: ["203.0.113.7", "10.20.30.0/24"], ssl: true, tls_lib: "flex_tls", insecure: true },
  { user: "ann", user_password: "hush-user", password: "hush-zone", iface: "127.0.0.1" },
  { ips: ["198.18.0.1", "198.18.0.2"], multiply_ips: true },
  { ip: "198.18.0.1", proxy_country: "de", proxy_connection_type: "https", proxy_retry: 5, route_err: "block" },
  {
    rules: [
      { status: "403|429", trigger_type: "status", action_type: "ban_ip", action: { ban_ip: 600_000, retry: 2 } },
    ],
  },
  {
    rules: [
      { url: "\\.png$", action: { null_response: true } },
      { min_req_time: 500, action: { retry_port: 24_001 } },
    ],
  },
  {
    headers: [
      { name: "accept-language", value: "de" },
      { name: "Authorization", value: "hush-header" },
    ],
    override_headers: true,
  },
  { ext_proxies: ["u:hush-proxy@192.0.2.4:8080"], ext_proxy_port: 8080 },
  {
    throttle: 5,
    max_ban_retries: 3,
    dns: "remote",
    reverse_lookup_dns: true,
    reverse_lookup_values: ["203.0.113.7 a.b"],
  },
  { smtp: ["smtp.example.com:25"], debug: "full", lpm_auth: "full", har_limit: 2048, logs: 10 },
  { socket_inactivity_timeout: 60_000, follow_redirect: true, render: true, timezone: "auto", resolution: "1920x1080" },
  {
    internal_name: 'it\'s "odd" 日本',
    test_url: "http://example.com/x",
    info: true,
    av_check: true,
    os: "win",
    ua: true,
  },
];

let manager: RealManager;
beforeAll(async () => {
  manager = await startRealManager({ restartDelayMs: 0 });
});
afterAll(() => manager?.stop());

it("fifty ports with all settings are a program of which nothing differs", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.stubEnv("BRIGHTDATA_PROXY_MANAGER_URL", manager.url);
  for (let index = 0; index < 50; index++) {
    const proxy = {
      zone: "static",
      ...(index < 32 ? SETTINGS[index % SETTINGS.length] : { country: index % 2 ? "us" : "de" }),
    };
    await send(manager.url, "POST", "/api/proxies", {
      proxy: { port: 24_000 + 10 * index, proxy_type: "persist", ...proxy },
    });
  }
  await send(manager.url, "PUT", "/api/settings", { logs: 500, whitelist_ips: ["198.51.100.3"] });
  await send(manager.url, "POST", "/api/proxies/24000/banip", { ip: "203.0.113.99", domain: "example.com" });
  const before = (await manager.requests()).length;
  const { files, leftOut } = await imported({ BRIGHTDATA_PROXY_MANAGER_URL: manager.url });
  expect((await manager.requests()).slice(before).filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(leftOut).toEqual([]);
  const text = files.get("index.ts") ?? "";
  expect(text).not.toContain("hush");
  expect(text).toContain("new brightdata.ProxyPorts(");
  expect(await differences(files)).toEqual([]);
});
