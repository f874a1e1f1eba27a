import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";

/** A resource as a released version wrote it into a state. */
export interface Recorded {
  kind: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
}

/** A resource of each kind, as a release has written them. */
export const statesOf = (release: string): Recorded[] =>
  JSON.parse(readFileSync(join(__dirname, `${release}.json`), "utf8")) as Recorded[];

type ZoneOutputs = { name: string; plan: JsonObject; disabled: boolean; created: string };

/** Services that have what the states of a release say. */
export async function services(states: readonly Recorded[]): Promise<Simulator> {
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
