import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { send } from "../../../scripts/send.mts";
import { type Simulator, startSimulator } from "../../../simulator";
import { VERSION } from "../../../src/base/version";
import { kindIn } from "../../../src/pulumi/types";
import { clickTogether, fleet } from "./account";
import { differences, entriesIn, imported } from "./program";

const BIOME = join(__dirname, "../../../node_modules/.bin/biome");

async function account(): Promise<Simulator> {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  await clickTogether(simulator);
  simulator.remote.service.requests.length = 0;
  simulator.manager.service.requests.length = 0;
  return simulator;
}

/** A text as a formatter writes it that was told nothing but to indent by blanks. */
const formatted = (text: string): string => {
  const args = ["format", "--indent-style=space", "--line-width=80", "--stdin-file-path=index.ts"];
  return execFileSync(BIOME, args, { cwd: tmpdir(), input: text, encoding: "utf8" });
};

test("the program is what a person would have written, formatted, without a secret", async () => {
  const simulator = await account();
  const { files, leftOut } = await imported(simulator.environment());
  const text = files.get("index.ts") ?? "";
  await expect(text).toMatchFileSnapshot("clickedTogether.ts.txt");
  expect(text).toBe(formatted(text));
  expect(leftOut).toEqual([]);
  expect(text).not.toContain("s3cret");
  expect(await differences(files)).toEqual([]);
});

test("a program for the plugin is the same but for its import line, and nothing differs from its import file", async () => {
  const simulator = await account();
  const { files: dynamic } = await imported(simulator.environment());
  const { files } = await imported(simulator.environment(), { isNative: true });
  expect(files.get("index.ts")?.replace("pulumi-brightdata/native", "pulumi-brightdata")).toBe(dynamic.get("index.ts"));
  const entries = entriesIn(dynamic.get("import.json")).map(
    ({ type, inputs: { __provider: text, ...inputs }, outputs: { __provider: _, ...outputs }, ...entry }) => {
      expect(text).toContain("pulumi-brightdata/provider");
      return { ...entry, type: `brightdata:index:${kindIn(type)}`, version: VERSION, inputs, outputs };
    },
  );
  expect(entriesIn(files.get("import.json"))).toEqual(entries);
  expect(await differences(files)).toEqual([]);
});

test("all is asked for once, and nothing is changed", async () => {
  const simulator = await account();
  const { remote, manager } = simulator;
  await imported(simulator.environment());
  const requests = [...remote.service.requests, ...manager.service.requests].map(
    ({ method, path, query }) => `${method} ${path}${path === "/zone" ? JSON.stringify(query) : ""}`,
  );
  expect(requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([]);
});

test("what cannot be read back is said once, also of ports in sets", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  for (let index = 0; index < 8; index++) {
    const proxy = { port: 24_000 + index, zone: "web", user: `u${index}`, ssl: index > 5 };
    await send(simulator.manager.url, "POST", "/api/proxies", { proxy });
  }
  const { files } = await imported(simulator.environment());
  expect(files.get("index.ts")?.match(/new .*|.*cannot be read back.*/g)).toEqual([
    expect.stringContaining("Passwords of ports cannot be read back"),
    "new brightdata.ProxyPorts(",
    "new brightdata.ProxyPort(",
    "new brightdata.ProxyPort(",
  ]);
});

test("IPs of zones are resources where they are asked for", async () => {
  const simulator = await account();
  const { files, leftOut } = await imported(simulator.environment(), {}, ["Zone", "ZoneIps"]);
  expect(leftOut).toEqual([]);
  expect(files.get("index.ts")).toContain(`new brightdata.ZoneIps(
  "Web-Old",
  { zone: webOld.name, count: 3 },
  { protect: true },
);
`);
  expect(await differences(files)).toEqual([]);
});

test.each([false, true])(
  "the webhook URLs of a manager's settings are secrets (for the plugin: %s)",
  async (isNative) => {
    const simulator = await startSimulator({ seed: "import" });
    onTestFinished(() => simulator.close());
    const bw_limit_webhook_url = "https://hooks.example.com/s3cret";
    Object.assign(simulator.manager.state.settings, { bw_limit_webhook_url, logs: 500 });
    const { files, leftOut } = await imported(simulator.environment(), { isNative });
    expect(leftOut).toEqual([]);
    expect(files.get("index.ts")).toContain('bwLimitWebhookUrl: config.requireSecret("settingsBwLimitWebhookUrl")');
    expect(files.get("index.ts")).not.toContain("s3cret");
    expect(JSON.parse(files.get("import.secrets.json") ?? "")).toEqual({
      settingsBwLimitWebhookUrl: { value: bw_limit_webhook_url, secret: true },
    });
    expect(await differences(files)).toEqual([]);
  },
);

test.each([false, true])("the requests that rules send are secrets (for the plugin: %s)", async (isNative) => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("web", { type: "static", ips_type: "shared" });
  const request_url = {
    url: "https://hooks.example.com/s3cret",
    method: "POST",
    payload: { key: "s3cret", ip: "$IP" },
  };
  const rules = [{ status: "403", action: { request_url }, action_type: "request_url" }];
  for (let index = 0; index < 5; index++)
    await send(simulator.manager.url, "POST", "/api/proxies", { proxy: { port: 27_000 + index, zone: "web", rules } });
  const { files, leftOut } = await imported(simulator.environment(), { isNative });
  expect(leftOut).toEqual([]);
  expect(files.get("index.ts")).toContain('rules: config.requireSecretObject("port27000Rules")');
  expect(files.get("index.ts")).not.toContain("s3cret");
  expect(files.get("import.secrets.json")).toContain("s3cret");
  expect(await differences(files)).toEqual([]);
});

test("secrets are in files that a shell can hand to a command, all of them", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("web", { type: "static", ips_type: "shared" });
  const proxies = Array.from({ length: 2_500 }, (_, index) => `192.0.${index >> 8}.${index % 256}`);
  for (let index = 0; index < 6; index++) {
    const proxy = { port: 24_000 + index, zone: "web", ext_proxies: proxies };
    await send(simulator.manager.url, "POST", "/api/proxies", { proxy });
  }
  const { files } = await imported(simulator.environment());
  const parts = [...files].filter(([file]) => file.startsWith("import.secrets"));
  expect(parts.map(([file]) => file)).toEqual([
    "import.secrets.json",
    "import.secrets-2.json",
    "import.secrets-3.json",
  ]);
  expect(Math.max(...parts.map(([, text]) => Buffer.byteLength(text)))).toBeLessThan(131_072);
  const secrets = parts.flatMap(([, text]) => Object.entries<{ value: string }>(JSON.parse(text)));
  expect(secrets.map(([, { value }]) => value)).toEqual(Array(6).fill(JSON.stringify(proxies)));
});

test.each([
  ["in sets", true, 25_000],
  ["one by one", false, 26_000],
])("odd names of ports and zones, %s, make a program that is right", async (_, areSets, first) => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  simulator.account.addZone("constructor", { type: "static", ips_type: "shared" });
  const add = (port: number, internal_name: string) =>
    send(simulator.manager.url, "POST", "/api/proxies", { proxy: { port, zone: "constructor", internal_name } });
  const names = ["__proto__", "toString", "valueOf", "a`$x\"\\'b*/\n\u2028", "1\ufe0f\u20e3 x\u20dd", "a::b", "await"];
  for (const [index, name] of names.entries()) await add(first + index, name);
  await send(simulator.manager.url, "POST", `/api/proxies/${first + 4}/banip`, { ip: "203.0.113.9" });
  const { files, leftOut } = await imported(simulator.environment(), { areSets });
  expect(leftOut).toEqual([]);
  expect(await differences(files)).toEqual([]);
});

test("a ban is made after the ports that it is for, also where they are in sets", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  const { url } = simulator.manager;
  for (let port = 30_000; port < 30_012; port++)
    await send(url, "POST", "/api/proxies", { proxy: { port, zone: port % 2 ? "web" : "shop" } });
  await send(url, "POST", "/api/proxies", { proxy: { port: 30_100, zone: "web", ssl: true } });
  for (const port of [30_001, 30_003, 30_002, 30_100])
    await send(url, "POST", `/api/proxies/${port}/banip`, { ip: "203.0.113.9" });
  await send(url, "POST", "/api/proxies/30001/banip", { ip: "203.0.113.10" });
  const { files, leftOut } = await imported(simulator.environment());
  const text = files.get("index.ts") ?? "";
  expect(text).toContain(`  "203.0.113.9",
  { ip: "203.0.113.9", ports: [30001, 30002, 30003, port30100.port] },
  { protect: true, dependsOn: [web, shop] },
`);
  expect(text).toContain(`  "203.0.113.10",
  { ip: "203.0.113.10", port: 30001 },
  { protect: true, dependsOn: [web] },
`);
  expect(text).toBe(formatted(text));
  expect(leftOut).toEqual([]);
  expect(await differences(files)).toEqual([]);
  const unprotected = await imported(simulator.environment(), { protect: false });
  expect(unprotected.files.get("index.ts")).toContain("  { dependsOn: [web] },\n");
});

test("sets of one zone are told apart by their managers and first ports", async () => {
  const { environment, close } = await fleet(0, 0);
  onTestFinished(close);
  const managers = ["fra-1", "nyc-1"].map((name) =>
    String(JSON.parse(environment.BRIGHTDATA_MANAGERS ?? "")[name].url),
  );
  for (const url of managers)
    for (let port = 30_000; port < 30_015; port++)
      await send(url, "POST", "/api/proxies", { proxy: { port, zone: "web", throttle: port % 3 } });
  const { files } = await imported(environment, {}, ["ProxyPort"]);
  const names = entriesIn(files.get("import.json")).map(({ logicalName }) => logicalName);
  expect(names).toEqual(["web", "fra-1-web", "fra-1-web-30002", "nyc-1-web", "nyc-1-web-30001", "nyc-1-web-30002"]);
});

test("a ban of every port names none, and is made after all of them", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  const { url } = simulator.manager;
  for (let port = 32_000; port < 32_006; port++)
    await send(url, "POST", "/api/proxies", { proxy: { port, zone: "web" } });
  await send(url, "POST", "/api/proxies", { proxy: { port: 32_100, zone: "web", ssl: true, multiply: 2 } });
  const ports = ["22225", ...simulator.manager.state.running.keys()].map(Number);
  for (const ip of ["203.0.113.19", "203.0.113.20"]) await send(url, "POST", "/api/banip", { ip, ports });
  simulator.manager.service.requests.length = 0;
  const { files, leftOut } = await imported(simulator.environment());
  const { requests } = simulator.manager.service;
  expect(requests.filter(({ path }) => path === "/api/proxies_running")).toHaveLength(1);
  const text = files.get("index.ts") ?? "";
  expect(text).toContain(`  { ip: "203.0.113.19" },
  { protect: true, dependsOn: [web, port32100] },
`);
  expect(text).toContain(`  { ip: "203.0.113.20" },
  { protect: true, dependsOn: [web, port32100] },
`);
  expect(text).toBe(formatted(text));
  expect(leftOut).toEqual([]);
  expect(await differences(files)).toEqual([]);
});

test("users are named by their resources, and a limit has no date of its beginning", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  const { url, state } = simulator.manager;
  for (const email of ["ops@example.com", "dev@example.com"]) await send(url, "POST", "/api/lpm_user", { email });
  for (let port = 40_000; port < 40_006; port++)
    await send(url, "POST", "/api/proxies", { proxy: { port, zone: "web" } });
  const bw_limit = { days: 30, bytes: 1_000_000, renewable: true, start: "2026-01-01T00:00:00.000Z" };
  for (const record of state.records) Object.assign(record, { users: ["dev@example.com"] });
  const first = state.records.find(({ port }) => port === 40_000) ?? {};
  Object.assign(first, { bw_limit, users: ["ops@example.com", "gone@example.com"] });
  const { files, leftOut } = await imported(simulator.environment());
  const text = files.get("index.ts") ?? "";
  expect(text).toContain('users: [ops.email, "gone@example.com"]');
  expect(text).toContain("users: [dev.email]");
  expect(text).toContain("bwLimit: { days: 30, bytes: 1000000, renewable: true }");
  expect(leftOut).toEqual([]);
  expect(await differences(files)).toEqual([]);
});

test("what differs in one or two inputs is a loop over a table, and what others refer to is a constant", async () => {
  const simulator = await startSimulator({ seed: "import" });
  onTestFinished(() => simulator.close());
  const { account, manager } = simulator;
  const countries = ["us", "de", "fr", "gb", "jp", "br"];
  for (const country of countries) account.addZone(`web_${country}`, { type: "static", ips_type: "shared", country });
  for (const country of countries) account.addZone(`home_${country}`, { type: "resident" });
  for (const [index, country] of countries.entries())
    account.addZone(`own_${country}`, { type: "static", ips_type: "dedicated", ips: 1 + (index % 3), country });
  for (const country of countries) {
    const zone = account.zone(`home_${country}`);
    Object.assign(zone ?? {}, { ips: [`203.0.113.${country.charCodeAt(0)}`] });
  }
  await send(manager.url, "POST", "/api/proxies", { proxy: { port: 28_000, zone: "web_us" } });
  for (let port = 28_100; port < 28_106; port++)
    await send(manager.url, "POST", "/api/proxies", { proxy: { port, zone: "elsewhere", session: `s${port}` } });
  Object.assign(manager.state.settings, { whitelist_ips: countries.map((_, index) => `198.51.100.${index}`) });
  const { files, leftOut } = await imported(simulator.environment(), { areSets: false });
  const text = files.get("index.ts") ?? "";
  await expect(text).toMatchFileSnapshot("alike.ts.txt");
  expect(text).toBe(formatted(text));
  expect(leftOut).toEqual([]);
  expect(await differences(files)).toEqual([]);
});
