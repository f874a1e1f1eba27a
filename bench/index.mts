// Measures what many ports cost, in Pulumi and without it: npm run bench -- [options]
//   --columns ProxyPorts,engine   only these columns, in all of --sizes 10,100,1000, in --rounds 3, on --service simulator|manager
//   --out FILE                    where the results go, after each measurement; by default dist/bench.json
//   --continue                    adds what the file does not hold yet
import { join } from "node:path";
import { parseArgs } from "node:util";
import { resolvePulumi } from "../scripts/pulumi-cli.mts";
import { ROOT } from "../scripts/pulumi-home.mts";
import { COLUMNS, columnNamed } from "./columns.mts";
import { measure, type Task } from "./measure.mts";
import { buildNative } from "./native.mts";
import { type Comparison, estimateOf, tasksOf, WHOLE_PLAN } from "./plan.mts";
import { type Measurement, type Results, readResults, thisMachine, writeResults } from "./results.mts";
import { SERVICES } from "./service.mts";
import { STEPS } from "./steps.mts";

const { values: options } = parseArgs({
  options: {
    columns: { type: "string" },
    sizes: { type: "string" },
    rounds: { type: "string" },
    service: { type: "string" },
    out: { type: "string", default: join(ROOT, "dist/bench.json") },
    continue: { type: "boolean", default: false },
  },
});

const cli = await resolvePulumi({ allowInstall: true });
const results: Results = { machine: thisMachine(cli.version), measurements: [] };
if (options.continue) results.measurements = (await readResults(options.out)).measurements;

let tasks = tasksOf(planned()).filter((task) => !isMeasured(task));
let nativeFolder: string | undefined;
if (tasks.some(({ column }) => column.offline)) {
  const native = await buildNative();
  if ("folder" in native) nativeFolder = native.folder;
  else {
    console.log(`Without the engine's floor: ${native.problem}.`);
    tasks = tasks.filter(({ column }) => !column.offline);
  }
}

console.log(
  `Pulumi ${cli.version}, Node ${process.versions.node}, ${results.machine.cores} cores. About ${minutes(estimateOf(tasks))} min.`,
);
for (const [index, task] of tasks.entries()) {
  const { service, column, size, round } = task;
  const rest = minutes(estimateOf(tasks.slice(index)));
  console.log(`\n${column.title}, ${size} on the ${service}, round ${round} (${rest} min to go)`);
  for await (const measurement of measure(task, { cli, nativeFolder })) {
    console.log(lineOf(measurement));
    results.measurements.push(measurement);
    await writeResults(options.out, results);
  }
}

/** The whole plan, or what the options ask for. */
function planned(): readonly Comparison[] {
  const { columns, sizes, rounds, service } = options;
  if (columns === undefined && sizes === undefined && rounds === undefined) {
    return WHOLE_PLAN.filter((comparison) => service === undefined || comparison.service === service);
  }
  const named = columns?.split(",").map(columnNamed) ?? COLUMNS;
  const serviceName = SERVICES.find((name) => name === (service ?? "simulator"));
  if (serviceName === undefined) throw new Error(`--service must be one of ${SERVICES.join(", ")}.`);
  return (sizes ?? "10,100,1000")
    .split(",")
    .map((size) => ({ service: serviceName, columns: named, size: Number(size), rounds: Number(rounds ?? 3) }));
}

/** A task is only half done when the run was interrupted: then it is done again. */
function isMeasured({ service, column, size, round }: Task): boolean {
  const isOfTask = (measurement: Measurement): boolean =>
    measurement.service === service &&
    measurement.column === column.name &&
    measurement.size === size &&
    measurement.round === round;
  if (results.measurements.filter(isOfTask).length >= STEPS.length) return true;
  results.measurements = results.measurements.filter((measurement) => !isOfTask(measurement));
  return false;
}

function minutes(seconds: number): string {
  return (seconds / 60).toFixed(0);
}

function lineOf({ step, seconds, cpu, peakBytes, requests, stateBytes }: Measurement): string {
  const total = Object.values(cpu ?? {}).reduce((sum, part) => sum + part, 0);
  return [
    `  ${step.padEnd(10)} ${seconds.toFixed(2).padStart(8)} s`,
    cpu && `${total.toFixed(2).padStart(8)} s CPU`,
    peakBytes !== undefined && `${(peakBytes / 2 ** 20).toFixed(0).padStart(5)} MiB`,
    requests !== undefined && `${String(requests).padStart(6)} requests`,
    stateBytes !== undefined && `${String(stateBytes).padStart(9)} bytes`,
  ]
    .filter((part) => part)
    .join("  ");
}
