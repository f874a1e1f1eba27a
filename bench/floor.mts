// The requests of one step and nothing else, over connections that are kept: node bench/floor.mts <step> <ports> <url>
import { availableParallelism } from "node:os";
import { Pool } from "undici";
import { STEPS } from "./steps.mts";

/** How many operations the engine has under way at once, unless it is told otherwise. */
export const CONCURRENCY = 4 * availableParallelism();

/** What the loop prints about itself. */
export interface LoopFigures {
  seconds: number;
  cpuSeconds: number;
}

interface Request {
  method: "GET" | "POST" | "PUT";
  path: string;
  body?: object;
}

/** The fewest requests that a client needs. */
function requestsOf(step: string, numbers: readonly number[], [first, others]: readonly [string, string]): Request[] {
  const zone = "bench";
  const change = (port: number, country: string): Request => ({
    method: "PUT",
    path: `/api/proxies/${port}`,
    body: { proxy: { zone, country } },
  });
  switch (step) {
    case "up":
      return numbers.map((port) => ({
        method: "POST",
        path: "/api/proxies",
        body: { proxy: { port, zone, country: others } },
      }));
    case "refresh":
      return [{ method: "GET", path: "/api/proxies" }];
    case "change one":
      return numbers.slice(0, 1).map((port) => change(port, first));
    case "change all":
      return numbers.map((port) => change(port, others));
    case "destroy":
      return numbers.map((port) => ({ method: "POST", path: "/api/proxies/delete", body: { ports: [port] } }));
    default:
      return [];
  }
}

if (import.meta.main) {
  const [name = "", ports, url = ""] = process.argv.slice(2);
  const step = STEPS.find((each) => each.name === name);
  if (step === undefined) throw new Error(`There is no step named ${name}.`);
  const numbers = Array.from({ length: Number(ports) }, (_, index) => 30_000 + index);
  const queue = requestsOf(name, numbers, step.countries).values();
  const pool = new Pool(url, { connections: CONCURRENCY });
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const figures: LoopFigures = { seconds, cpuSeconds: (user + system) / 1e6 };
  console.log(JSON.stringify(figures));
  await pool.close();

  async function worker(): Promise<void> {
    for (const { method, path, body } of queue) {
      const response = await pool.request({
        method,
        path,
        ...(body && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
      });
      const text = await response.body.text();
      if (response.statusCode >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}: ${text}`);
    }
  }
}
