import { createRequire } from "node:module";
import { startRealManager } from "../scripts/real-manager/index.mts";
import type { ServiceName } from "./results.mts";

const require = createRequire(import.meta.url);
const { SimulatedManager, startSimulator } =
  require("../dist/simulator/index.js") as typeof import("../simulator/index.ts");

/** A Proxy Manager, or several, without ports. */
export interface Service {
  /** The variables that point a program at it. */
  environment: Record<string, string>;
  urls: readonly string[];
  /** How many requests it has received so far. */
  requests(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the simulator, or the vendor's own Proxy Manager. Each has a zone named `bench`. */
export const startService = (name: ServiceName, managers: number): Promise<Service> =>
  name === "simulator" ? startSimulators(managers) : startVendors();

async function startSimulators(count: number): Promise<Service> {
  const simulator = await startSimulator();
  const { account } = simulator;
  account.addZone("bench", { type: "static" });
  const others = Array.from({ length: count - 1 }, () => new SimulatedManager({ account, clock: account.clock }));
  await Promise.all(others.map((manager) => manager.listen()));
  const managers = [simulator.manager, ...others];
  return {
    environment: simulator.environment(),
    urls: managers.map(({ url }) => url),
    requests: async () => managers.reduce((sum, { service }) => sum + service.requests.length, 0),
    close: async () => {
      await Promise.all(others.map((manager) => manager.close()));
      await simulator.close();
    },
  };
}

async function startVendors(): Promise<Service> {
  const plan = { type: "static", ips_type: "shared", ips: 10, bandwidth: "bandwidth" };
  const manager = await startRealManager({ zones: { bench: { password: "pass_bench", plan } } });
  return {
    environment: { BRIGHTDATA_PROXY_MANAGER_URL: manager.url },
    urls: [manager.url],
    requests: async () => (await manager.requests()).length,
    close: () => manager.stop(),
  };
}

/** The countries of all ports, in the order of their numbers. */
export async function countriesOf({ urls }: Service): Promise<string[]> {
  const lists = await Promise.all(
    urls.map(async (url) => {
      const response = await fetch(`${url}/api/proxies`);
      return (await response.json()) as { port: number; proxy_type?: string; country?: string }[];
    }),
  );
  return lists
    .flat()
    .filter(({ proxy_type }) => proxy_type === "persist")
    .toSorted((one, other) => one.port - other.port)
    .map(({ country }) => country ?? "");
}
