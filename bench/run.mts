import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as runProgram } from "../scripts/process.mts";
import { environmentFor, type PulumiCli, resolvePulumi } from "../scripts/pulumi.mts";
import { ROOT } from "../scripts/root.mts";
import { measureDownloads } from "./download.mts";
import { IDLE_PROVIDERS } from "./idle.mts";
import { measureImport } from "./import.mts";
import { measure, type Task, type Tools } from "./measure.mts";
import { estimateOf } from "./plan.mts";
import { type Measurement, type Results, readResults, thisMachine, writeResults } from "./results.mts";
import { STEPS } from "./steps.mts";

/** What has nothing to do with the number of ports. */
const OTHERS = { import: async () => [...measureImport()], download: measureDownloads };

export interface Run {
  tasks: readonly Task[];
  /** Whether to measure imports and downloads, too. */
  others: boolean;
  /** Where the results go. */
  file: string;
  /** Whether the file holds a part of them already. */
  goOn: boolean;
}

/** Measures, prints and writes down each figure as it comes. */
export async function run({ tasks: planned, others, file, goOn }: Run): Promise<Results> {
  const cli = await resolvePulumi();
  const results: Results = goOn ? await readResults(file) : { machine: thisMachine(cli.version), measurements: [] };
  let tasks = planned.filter((task) => !isMeasured(task, results));
  const idle: Tools["idle"] = {};
  for (const language of new Set(tasks.flatMap(({ column }) => column.idle ?? []))) {
    try {
      idle[language] = await IDLE_PROVIDERS[language]();
    } catch (error) {
      console.log(`Without the columns of the provider in ${language}: ${(error as Error).message}.`);
      tasks = tasks.filter(({ column }) => column.idle !== language);
    }
  }

  const home = tasks.some(({ column }) => column.plugin) ? await homeWithPlugin(cli) : undefined;
  try {
    await measureAll(tasks, { cli, idle, home }, results, file);
  } finally {
    if (home !== undefined) await rm(home, { recursive: true });
  }
  if (!others) return results;
  const { measurements } = results;
  for (const [service, measureOthers] of Object.entries(OTHERS)) {
    if (measurements.some((each) => each.service === service)) continue;
    console.log(`\n${service}`);
    measurements.push(...(await measureOthers()));
    await writeResults(file, results);
  }
  return results;
}

async function measureAll(tasks: readonly Task[], tools: Tools, results: Results, file: string): Promise<void> {
  const { machine, measurements } = results;
  console.log(`Pulumi ${machine.pulumi}, Node ${machine.node}, ${machine.cores} cores.`);
  for (const [index, task] of tasks.entries()) {
    const { service, column, size, round } = task;
    const rest = Math.round(estimateOf(tasks.slice(index)) / 60);
    console.log(`\n${column.title}, ${size} on the ${service}, round ${round}; about ${rest} min to go`);
    for await (const measurement of measure(task, tools)) {
      console.log(lineOf(measurement));
      measurements.push(measurement);
      await writeResults(file, results);
    }
  }
}

/** A folder of the CLI in which the plugin is registered, as people do it: all columns share it, as all stacks of a machine do. */
async function homeWithPlugin(cli: PulumiCli): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "bench-home-"));
  const env = { ...environmentFor(cli, process.env), PULUMI_HOME: home };
  const args = [join(ROOT, "dist/cli/index.js"), "plugin", "install"];
  const { status, stderr } = await runProgram(process.execPath, args, { env, timeoutMs: 120_000 });
  if (status !== 0) throw new Error(stderr);
  return home;
}

/** What was interrupted is measured from its beginning. */
function isMeasured({ service, column, size, round }: Task, results: Results): boolean {
  const isOfTask = (measurement: Measurement): boolean =>
    measurement.service === service &&
    measurement.column === column.name &&
    measurement.size === size &&
    measurement.round === round;
  if (results.measurements.filter(isOfTask).length >= STEPS.length) return true;
  results.measurements = results.measurements.filter((measurement) => !isOfTask(measurement));
  return false;
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
