import { type Ask, FIRST_PORTS, FIRST_SETTINGS } from "./hands.mts";
import type { Machine } from "./machine.mts";
import type { Services } from "./world.mts";

/** So many accounts, each with a manager: at addresses of their own, or at one where the token decides. */
export async function servicesOf(
  machine: Machine,
  number: number,
  count: number,
  oneUrl: boolean,
): Promise<Services[]> {
  const options = (service: number) => ({ seed: `${number} ${service}`, customer: `hl_${service}` });
  if (!oneUrl) {
    return Promise.all(Array.from({ length: count }, (_, service) => machine.simulator(options(service))));
  }
  const names = Array.from({ length: count - 1 }, (_, index) => `other${index + 1}`);
  const first = await machine.simulator({
    ...options(0),
    accounts: Object.fromEntries(names.map((name, index) => [name, { customer: `hl_${index + 1}` }])),
    managers: Object.fromEntries(names.map((name) => [name, { account: name }])),
  });
  const others = [...first.remotes.values()].map((remote, index) => {
    const manager = [...first.managers.values()][index] as Services["manager"];
    return { account: remote.account, remote, manager, token: remote.account.token };
  });
  return [first, ...others];
}

/** Has a manager have what is there before any program. */
export async function furnish(ask: Ask): Promise<void> {
  const requests = [
    ["PUT", "/api/settings", FIRST_SETTINGS],
    ...FIRST_PORTS.map((proxy) => ["POST", "/api/proxies", { proxy }] as const),
  ] as const;
  for (const [method, path, body] of requests) {
    if (await ask(method, path, body)) continue;
    throw new Error(
      `A manager refuses what is to be there before any program: ${method} ${path} ${JSON.stringify(body)}.`,
    );
  }
}
