import type { Simulator } from "../../../simulator";
import type { Ask } from "../../histories/hands.mts";

/** A zone that may have proxy IPs, with as many as given. */
export function addZone({ account }: Simulator, name: string, ips = 0): string[] {
  const zone = account.addZone(name, { type: "static", ips_type: "dedicated", ips });
  return zone.allocatedIps.map(({ ip }) => ip);
}

/** What asks the managers of simulators that are at no address of this machine. */
const askers = new WeakMap<Simulator, Ask>();

/** Has a simulator's manager be asked in another way than over the network. */
export const askBy = (simulator: Simulator, ask: Ask): unknown => askers.set(simulator, ask);

/** Asks the manager as its own web page does. */
export async function askManager(simulator: Simulator, method: string, path: string, body?: object): Promise<void> {
  const ask = askers.get(simulator) ?? fetching(simulator.manager.url);
  if (!(await ask(method, path, body))) throw new Error(`The manager refuses ${method} ${path}.`);
}

const fetching =
  (url: string): Ask =>
  async (method, path, body) => {
    const init = { method, headers: { "content-type": "application/json" } };
    const answer = await fetch(url + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.ok;
  };

export const addPort = (simulator: Simulator, port: number, fields: object = {}): Promise<void> =>
  askManager(simulator, "POST", "/api/proxies", { proxy: { port, zone: "web", ...fields } });
