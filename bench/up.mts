// `up`, an unchanged `preview` and `destroy` of many ports through the real CLI: with this package, with dynamic resources of
// the usual kind, and as a bare loop over this package's client. Rounds alternate; only ratios of one run mean anything.
//   npm run bench -- [ports] [rounds]
import { createRequire } from "node:module";
import { join } from "node:path";
import { resolvePulumi } from "../scripts/pulumi-cli.mts";
import { ROOT } from "../scripts/pulumi-home.mts";
import { Stack } from "../scripts/stack.mts";

const require = createRequire(import.meta.url);
const { startSimulator } = require("../dist/simulator/index.js") as typeof import("../dist/simulator/index.js");
const { ManagerClient, readSettings } = require("../dist/index.js") as typeof import("../dist/index.js");

const [ports = 200, rounds = 3] = process.argv.slice(2).map(Number);
const cli = await resolvePulumi({ allowInstall: true });
const figures = new Map<string, number[]>();

for (let round = 0; round < rounds; round++) {
  for (const kind of ["package", "usual"]) await timeStack(kind);
  await timeLoop();
}

const median = (name: string): number => {
  const sorted = (figures.get(name) ?? []).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
};
console.log(`${ports} ports, medians of ${rounds} rounds, Pulumi ${cli.version}, Node ${process.versions.node}`);
for (const step of ["up", "preview", "refresh", "destroy", "state"]) {
  const [ours, usual] = [median(`package ${step}`), median(`usual ${step}`)];
  const unit = step === "state" ? "KB" : "s";
  console.log(
    `${step.padEnd(8)} package ${ours.toFixed(2)} ${unit}, usual ${usual.toFixed(2)} ${unit}: ${(usual / ours).toFixed(2)} times ours`,
  );
}
console.log(
  `loop     create ${median("loop").toFixed(2)} s: up is ${(median("package up") / median("loop")).toFixed(1)} times that`,
);

async function timeStack(kind: string): Promise<void> {
  const simulator = await benchSimulator();
  const environment = { ...simulator.environment(), BENCH_PORTS: String(ports) };
  const stack = await Stack.create(cli, join(ROOT, "bench/ports", kind), environment);
  try {
    for (const command of ["up", "preview", "refresh", "destroy"] as const) {
      await timed(`${kind} ${command}`, () => stack.expect(command));
      if (command !== "up") continue;
      await checkPorts(simulator.manager.url);
      record(`${kind} state`, (await stack.stateText()).length / 1024);
    }
  } finally {
    await stack.remove();
    await simulator.close();
  }
}

async function timeLoop(): Promise<void> {
  const simulator = await benchSimulator();
  const environment = simulator.environment();
  const client = new ManagerClient(readSettings(() => undefined, environment));
  try {
    await timed("loop", async () => {
      for (let index = 0; index < ports; index++) {
        await client.ports.create({ port: 30_000 + index, zone: "bench", country: "us" });
      }
    });
  } finally {
    await simulator.close();
  }
}

async function benchSimulator() {
  const simulator = await startSimulator();
  simulator.account.addZone("bench", { type: "static" });
  return simulator;
}

/** A figure for a program that did nothing would look very good. */
async function checkPorts(url: string): Promise<void> {
  const records = (await (await fetch(`${url}/api/proxies`)).json()) as { proxy_type?: string }[];
  const made = records.filter(({ proxy_type }) => proxy_type === "persist").length;
  if (made !== ports) throw new Error(`There are ${made} ports instead of ${ports}.`);
}

async function timed(name: string, task: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await task();
  record(name, (performance.now() - start) / 1000);
}

function record(name: string, value: number): void {
  figures.set(name, [...(figures.get(name) ?? []), value]);
}
