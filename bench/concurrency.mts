// How many ports the vendor's Proxy Manager likes to be asked for at a time: node bench/concurrency.mts (after npm run build)
import { createRequire } from "node:module";
import { startRealManager } from "../scripts/real-manager/index.mts";
import { median } from "./summary.mts";

const require = createRequire(import.meta.url);
const { ManagerClient, portRange, readSettings } = require("../dist/index.js") as typeof import("../src/index.ts");
const { forEach } = require("../dist/lifecycle/pool.js") as typeof import("../src/lifecycle/pool.ts");

const AT_ONCE = [1, 2, 4, 8, 16, 32];
// All rounds together stay below the manager's limit of 2,000 requests a minute for each route.
const [PORTS, ROUNDS] = [100, 3];

const manager = await startRealManager();
const { ports } = new ManagerClient(
  readSettings(() => undefined, { BRIGHTDATA_PROXY_MANAGER_URL: manager.url, BRIGHTDATA_LOG: "off" }),
);
const numbers = Object.values(portRange({ from: 24_000, count: PORTS })).map(({ port }) => Number(port));

const operations: Record<string, (port: number) => Promise<unknown>> = {
  create: (port) => ports.create({ port, zone: "static" }),
  update: (port) => ports.update(port, { zone: "static", country: "us" }),
  delete: (port) => ports.remove(port),
};

const seconds = new Map<string, number[]>();
try {
  for (let round = 0; round < ROUNDS; round++) {
    for (const atOnce of AT_ONCE.map((_, index) => AT_ONCE[(index + round) % AT_ONCE.length] as number)) {
      for (const [operation, run] of Object.entries(operations)) {
        const began = performance.now();
        await forEach(numbers, atOnce, async (port) => void (await run(port)));
        const key = `${operation} ${atOnce}`;
        seconds.set(key, [...(seconds.get(key) ?? []), (performance.now() - began) / 1000]);
      }
    }
  }
} finally {
  await manager.stop();
}

console.log(`${PORTS} ports, milliseconds each, median of ${ROUNDS} rounds`);
for (const atOnce of AT_ONCE) {
  const times = Object.keys(operations).map(
    (operation) => `${operation} ${((median(seconds.get(`${operation} ${atOnce}`) ?? []) * 1000) / PORTS).toFixed(2)}`,
  );
  console.log(`${String(atOnce).padStart(2)} at once: ${times.join(", ")}`);
}
