import type { Simulator } from "../../../simulator";

/** A zone that may have proxy IPs, with as many as given. */
export function addZone({ account }: Simulator, name: string, ips = 0): string[] {
  const zone = account.addZone(name, { type: "static", ips_type: "dedicated", ips });
  return zone.allocatedIps.map(({ ip }) => ip);
}

/** Asks the manager as its own web page does. */
export async function askManager({ manager }: Simulator, method: string, path: string, body?: object): Promise<void> {
  const init = { method, headers: { "content-type": "application/json" } };
  const answer = await fetch(manager.url + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
}

export const addPort = (simulator: Simulator, port: number, fields: object = {}): Promise<void> =>
  askManager(simulator, "POST", "/api/proxies", { proxy: { port, zone: "web", ...fields } });
