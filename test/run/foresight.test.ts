import { afterEach, beforeEach, expect, type MockInstance, onTestFinished, test, vi } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import type { Adapter } from "../../src/dynamic/adapter";

const PREVIEW = { __program: { preview: { zoneIsDeclared: false } } };
const ON = { BRIGHTDATA_CHECK_ON_PREVIEW: "true", BRIGHTDATA_RETRIES: "0" };
const plan = { type: "static" };

let resource: (kind: string) => Adapter;
let said: MockInstance;

beforeEach(async () => {
  // What a process has read and said once it does not read or say again.
  vi.resetModules();
  ({ resource } = await import("../../src/provider.js"));
  said = vi.spyOn(console, "log").mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

async function start(environment: Record<string, string | undefined> = ON): Promise<Simulator> {
  const simulator = await startSimulator({ manager: { dropin: false } });
  onTestFinished(() => simulator.close());
  const all = { ...simulator.environment(), BRIGHTDATA_LOG: "off", ...environment };
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  return simulator;
}

async function check(kind: string, inputs: JsonObject, olds: JsonObject = {}, mark: JsonObject = PREVIEW) {
  const { name, port } = inputs;
  const place = `place of ${kind} ${name ?? port ?? JSON.stringify(inputs)}`;
  const answer = await resource(kind).check(olds, { __key: place, ...mark, ...inputs });
  expect(answer.failures).toEqual([]);
  expect(answer.inputs).not.toHaveProperty("__program");
}

const warnings = (): string[] =>
  said.mock.calls.map(([words]) => String(words)).filter((words) => words.startsWith("brightdata: warning: "));

const asked = ({ remote, manager }: Simulator): string[] =>
  [...remote.service.requests, ...manager.service.requests].map(({ method, path }) => `${method} ${path}`);

const noZone = (zone: string, meant = "") =>
  `there is no zone "${zone}", and the program has not declared one of that name before.${meant}`;

test("by default, and in an update, nothing is read", async () => {
  const simulator = await start({});
  await check("ProxyPort", { zone: "web", port: 24000 });
  vi.stubEnv("BRIGHTDATA_CHECK_ON_PREVIEW", "true");
  await check("ProxyPort", { zone: "web", port: 24000 }, {}, {});
  expect(asked(simulator)).toEqual([]);
});

test("one list of each service is enough for all resources", async () => {
  const simulator = await start();
  simulator.account.addZone("web", plan);
  for (const port of [24000, 24001]) await check("ProxyPort", { zone: "web", port });
  for (const name of ["one", "two"]) await check("Zone", { name, plan });
  expect(asked(simulator).toSorted()).toEqual(["GET /api/proxies", "GET /zone/get_all_zones"]);
  expect(warnings()).toEqual([]);
});

test("a service that is down, or refuses the token, is told once", async () => {
  await start({ ...ON, BRIGHTDATA_API_TOKEN: "another", BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:1" });
  for (const name of ["one", "two"]) await check("Zone", { name, plan });
  for (const port of [24000, 24001]) await check("ProxyPort", { zone: "web", port });
  expect(warnings()).toEqual([
    expect.stringMatching(/^brightdata: warning: Could not list the zones: .* answered 401/),
    expect.stringMatching(/^brightdata: warning: Could not list the proxy ports: http:\/\/127\.0\.0\.1:1/),
  ]);
});

test("a service that does not answer is waited for once, also where a zone is missing", async () => {
  const { manager } = await start();
  manager.service.faults.add({ kind: "hang", times: Number.POSITIVE_INFINITY });
  const { timeout } = AbortSignal;
  vi.spyOn(AbortSignal, "timeout").mockImplementation(() => timeout.call(AbortSignal, 300));
  await check("ProxyPort", { zone: "web", port: 24000 });
  expect(manager.service.requests.map(({ path }) => path)).toEqual(["/api/proxies"]);
  expect(warnings()).toContainEqual(expect.stringContaining(" has not answered within 10 s."));
});

test("without a token the account is not read, and without the right to list its zones it says nothing", async () => {
  const simulator = await start({ ...ON, BRIGHTDATA_API_TOKEN: "" });
  await check("Zone", { name: "web", plan });
  expect(asked(simulator)).toEqual([]);
  vi.stubEnv("BRIGHTDATA_API_TOKEN", simulator.token);
  simulator.remote.service.faults.add({ kind: "respond", status: 403, body: "no" });
  await check("Zone", { name: "web", plan });
  expect(warnings()).toEqual([]);
});

test("a name or number that is taken is told, unless it is adopted or the resource's own", async () => {
  const simulator = await start();
  simulator.account.addZone("web", plan);
  for (const port of [24000, 24002]) {
    const body = JSON.stringify({ proxy: { port, zone: "web" } });
    const headers = { "content-type": "application/json" };
    await fetch(`${simulator.manager.url}/api/proxies`, { method: "POST", headers, body });
  }
  await check("Zone", { name: "web", plan, adopt: true });
  await check("Zone", { name: "web", plan }, { name: "web", plan });
  await check("ProxyPort", { zone: "web", port: 24000, adopt: true });
  await check("ProxyPort", { zone: "web" });
  expect(warnings()).toEqual([]);
  await check("Zone", { name: "web", plan });
  await check("ProxyPort", { zone: "web", port: 24000 });
  await check("ProxyPorts", { defaults: { zone: "web" }, ports: { us: { port: 24002 }, de: { port: 24001 } } });
  const taken = (what: string) =>
    `brightdata: warning: ${what} exists already, so the creation will fail. Set \`adopt: true\` to take it over, or choose another name or number.`;
  expect(warnings()).toEqual([taken("zone web"), taken("port 24000"), taken("port 24002")]);
});

test("what is replaced makes room for itself", async () => {
  const simulator = await start();
  simulator.account.addZone("web", plan);
  const zone = resource("Zone");
  const news = { __key: "place", ...PREVIEW, name: "web", plan: { type: "static", country: "us" } };
  const { inputs } = await zone.check({ name: "web", plan }, news);
  await zone.diff("web", { __key: "place", __declared: "name,plan.type", name: "web", plan }, inputs);
  await zone.check({}, news);
  expect(warnings()).toEqual([]);
});

test("a zone that is missing is told, with the one that was meant", async () => {
  const simulator = await start();
  simulator.account.addZone("web", plan);
  await check("ZoneAccess", { zone: "wep", allowedIps: ["any"] });
  for (const port of [24000, 24001]) await check("ProxyPort", { zone: "shop", port });
  await check("ProxyPorts", { defaults: { zone: "web" }, ports: { us: { zone: "wbe" }, de: { zone: "webs" } } });
  expect(warnings()).toEqual([
    `brightdata: warning: ZoneAccess: ${noZone("wep", ' Did you mean "web"?')}`,
    `brightdata: warning: ProxyPort: ${noZone("shop")}`,
    // Two slips in a short name: it may be any other.
    `brightdata: warning: ProxyPorts: ${noZone("wbe")}`,
    `brightdata: warning: ProxyPorts: ${noZone("webs", ' Did you mean "web"?')}`,
  ]);
});

test("a zone is not missing that the program declares, or that another account may have", async () => {
  const simulator = await start();
  simulator.account.addZone("web", plan);
  // Logged out, the manager knows no zones.
  simulator.manager.logOut();
  await check("Zone", { name: "new", plan });
  await check("ProxyPort", { zone: "new", port: 24000 });
  await check("ProxyPort", { zone: "other", port: 24001 }, {}, { __program: { preview: { zoneIsDeclared: true } } });
  vi.stubEnv("BRIGHTDATA_API_TOKEN", "");
  await check("ProxyPort", { zone: "unsure", port: 24002 });
  expect(warnings()).toEqual([]);
});

test("what is not known yet is not looked at", async () => {
  const simulator = await start();
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  await check("ProxyPort", { zone: unknown, port: unknown });
  await check("ProxyPort", { zone: "web", manager: unknown });
  expect(warnings()).toEqual([]);
  expect(asked(simulator)).toEqual(["GET /api/proxies"]);
});
