import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRpcSecret, unwrapRpcSecret } from "@pulumi/pulumi/runtime/rpc";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { isObject, type JsonObject } from "../../src/base/json";
import { DiffResponse_DiffChanges } from "../../src/plugin/messages/pulumi/provider_pb";
import { resource } from "../../src/provider";
import { plugin, urnOf } from "../plugin/providerSetup";

/** A resource as a released version wrote it into a state. */
interface Recorded {
  kind: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
}

const RELEASES = ["0.1.0"];

/** What was done once is not looked at by a refresh. */
const READABLE =
  /^(Zone|ZoneAccess|ZoneIps|ZonePassword|ProxyPort|WhitelistIp|BannedIp|Manager(Settings|User|ApiKey))$/;

const statesOf = (release: string): Recorded[] =>
  JSON.parse(readFileSync(join(__dirname, `${release}.json`), "utf8")) as Recorded[];

/** A value as the engine keeps it: secrets are marked beside it. */
function unsealed(value: unknown): unknown {
  if (isRpcSecret(value)) return unsealed(unwrapRpcSecret(value));
  if (Array.isArray(value)) return value.map(unsealed);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unsealed(item)]));
}

async function adapter(kind: string, simulator: Simulator) {
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  const made = resource(kind, 1);
  await made.configure({ config: { get: () => undefined } });
  return made;
}

type ZoneOutputs = { name: string; plan: JsonObject; disabled: boolean; created: string };

/** Services that have what the states of a release say. */
async function services(states: readonly Recorded[]): Promise<Simulator> {
  const simulator = await startSimulator({ manager: { dropin: false } });
  onTestFinished(() => simulator.close());
  const { account, manager } = simulator;
  const outputsOf = (kind: string) => states.filter((state) => state.kind === kind).map(({ outputs }) => outputs);
  for (const { name, plan, disabled, created } of outputsOf("Zone") as ZoneOutputs[]) {
    const { type, ipsType, country, city } = plan as { type: string } & JsonObject;
    const zone = account.addZone(name, { type, ips_type: ipsType, country, city });
    zone.created = created;
    zone.status = disabled ? "disabled" : "active";
    if (disabled) zone.plan.disable = 1;
  }
  const web = account.addZone("web", { type: "static" });
  web.allocatedIps = outputsOf("ZoneIps").flatMap(({ ips }) => (ips as string[]).map((ip) => ({ ip, country: "us" })));
  web.password.push(...outputsOf("ZonePassword").map(({ password }) => String(password)));
  web.ips = ["203.0.113.7"];
  web.deniedIps = ["198.51.100.0/24"];
  manager.logIn();
  const send = async (method: string, path: string, body: object, headers = {}) => {
    const options = { method, headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
    expect((await fetch(`${manager.url}${path}`, options)).ok, path).toBe(true);
  };
  for (const { port, zone, country, rules, internalName } of outputsOf("ProxyPort")) {
    const own = port === 24_500 ? { whitelist_ips: ["10.20.0.0/16"], bw_limit: { days: 1, bytes: 5 } } : {};
    await send("POST", "/api/proxies", { proxy: { port, zone, country, rules, internal_name: internalName, ...own } });
  }
  const [key] = outputsOf("ManagerApiKey");
  manager.state.settings.token_auth = key?.apiKey as string;
  await send("PUT", "/api/wip", { ip: "203.0.113.7" }, { authorization: String(key?.apiKey) });
  await send("PUT", "/api/settings", { logs: 500, www_whitelist_ips: ["203.0.113.8"] });
  await send("POST", "/api/proxies/24500/banip", { ip: "203.0.113.9", domain: "example.com" });
  await send("POST", "/api/lpm_user", { email: "ops@example.com" });
  return simulator;
}

describe.each(RELEASES)("a state that %s has written", (release) => {
  const states = statesOf(release);
  const titled = states.map((state) => ({ ...state, title: `${state.kind} ${state.id}` }));
  // What the class adds by now.
  const declared = ({ inputs }: Recorded): JsonObject => ({ ...inputs, __key: "aB3_x-9k" });

  test("has every kind of that release", () => {
    expect(new Set(states.map(({ kind }) => kind)).size).toBe(19);
  });

  test.each(titled)("is no difference in a preview: $title", async (state) => {
    const it = await adapter(state.kind, await services(states));
    const { inputs, failures } = await it.check(state.inputs, declared(state));
    expect(failures).toEqual([]);
    const { changes } = await it.diff(state.id, state.outputs, unsealed(inputs) as JsonObject);
    expect(changes).toBe(false);
  });

  test("is no difference where the program spells the names in rules as it does everything else by now", async () => {
    const state = states.find(({ id }) => id === "24500") as Recorded;
    const rules = [{ status: "200", actionType: "ban_ip", action: { banIp: 600_000 } }];
    const it = await adapter(state.kind, await services(states));
    const refreshed = unsealed((await it.read(state.id, state.outputs)).props) as JsonObject;
    const { inputs, failures } = await it.check(state.inputs, { ...declared(state), rules });
    expect(failures).toEqual([]);
    for (const outputs of [state.outputs, refreshed])
      expect((await it.diff(state.id, outputs, unsealed(inputs) as JsonObject)).changes).toBe(false);
  });

  test.each(titled.filter(({ kind }) => READABLE.test(kind)))("is none after a refresh: $title", async (state) => {
    const simulator = await services(states);
    const before = simulator.manager.service.requests.length;
    const it = await adapter(state.kind, simulator);
    const read = await it.read(state.id, state.outputs);
    expect(read.id).toBe(state.id);
    const refreshed = unsealed(read.props) as JsonObject;
    const { inputs } = await it.check(state.inputs, declared(state));
    expect((await it.diff(state.id, refreshed, unsealed(inputs) as JsonObject)).changes).toBe(false);
    const requests = [...simulator.remote.service.requests, ...simulator.manager.service.requests.slice(before)];
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test.each(titled)(
    "goes over to the native form, and nothing is sent that changes anything: $title",
    async (state) => {
      const simulator = await services(states);
      const before = simulator.manager.service.requests.length;
      const args = { apiToken: simulator.token, baseUrl: simulator.remote.url, proxyManagerUrl: simulator.manager.url };
      const { ask } = await plugin({ args: { ...args, logLevel: "off" } });
      const held = { id: state.id, urn: urnOf(state.kind), oldInputs: state.inputs };
      const { __provider: _, ...news } = declared(state);
      const checked = await ask("check", { urn: held.urn, olds: state.inputs, news });
      expect(checked.failures).toEqual([]);
      const asked = { ...held, olds: state.outputs, news: checked.inputs };
      expect(await ask("diff", asked)).toMatchObject({ changes: DiffResponse_DiffChanges.DIFF_NONE });
      // The engine updates what has another provider by now.
      const { properties } = await ask("update", asked);
      const next = { ...held, oldInputs: checked.inputs, olds: properties, news: checked.inputs };
      expect(await ask("diff", next)).toMatchObject({ changes: DiffResponse_DiffChanges.DIFF_NONE });
      if (READABLE.test(state.kind)) {
        const read = await ask("read", { ...held, inputs: checked.inputs, properties });
        expect(read.id).toBe(state.id);
      }
      const requests = [...simulator.remote.service.requests, ...simulator.manager.service.requests.slice(before)];
      expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    },
  );
});
