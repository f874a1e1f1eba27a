import { delimiter, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { run } from "../scripts/process.mts";
import type { PulumiCli } from "../scripts/pulumi.mts";
import { environmentFor } from "../scripts/pulumi.mts";
import { ROOT } from "../scripts/root.mts";
import { Stack } from "../scripts/stack.mts";
import type { Column } from "./columns.mts";
import type { LoopFigures } from "./floor.mts";
import { ProcessTree } from "./processTree.mts";
import type { Measurement, ServiceName } from "./results.mts";
import { countriesOf, type Service, startService } from "./service.mts";
import { countriesAfter, STEPS, type Step } from "./steps.mts";

/** An ordinary dynamic provider needs many minutes for a thousand resources. */
const TIMEOUT_MS = 30 * 60_000;

/** The first byte of every gzip file. */
const GZIP_MAGIC = 0x1f;

/** What is measured together: all steps, on a manager of their own. */
export interface Task {
  service: ServiceName;
  column: Column;
  size: number;
  round: number;
}

export interface Tools {
  cli: PulumiCli;
  /** The folders of the provider that does nothing. */
  idle: Partial<Record<NonNullable<Column["idle"]>, string>>;
  /** Where the CLI has the plugin registered. */
  home: string | undefined;
}

/** Takes a column through all steps, verifies what each has done, and yields its figures. */
export async function* measure(task: Task, tools: Tools): AsyncGenerator<Measurement> {
  const { column } = task;
  const service = await startService(task.service, column.managers ?? 1);
  try {
    yield* column.program === undefined
      ? measureLoop(task, service)
      : measureStack(task, service, tools, join(ROOT, "bench/programs", column.program));
  } finally {
    await service.close();
  }
}

async function* measureStack(task: Task, service: Service, tools: Tools, program: string): AsyncGenerator<Measurement> {
  const { size } = task;
  const stack = await Stack.create(tools.cli, program, stackEnvironment(task, service, tools), {
    timeoutMs: TIMEOUT_MS,
    ...(task.column.folder !== undefined && { parent: task.column.folder }),
  });
  try {
    for (const step of STEPS) {
      const [BENCH_FIRST_COUNTRY, BENCH_COUNTRY] = step.countries;
      stack.setEnvironment({ BENCH_FIRST_COUNTRY, BENCH_COUNTRY });
      const before = await service.requests();
      const figures = await timeCommand(stack, step);
      const requests = (await service.requests()) - before;
      const state = await stack.stateFile();
      const countries = task.column.idle ? countriesIn(state) : await countriesOf(service);
      verify(task, step, countries, countriesAfter(step, size));
      yield { ...identityOf(task, step), ...figures, requests, stateBytes: state.length };
    }
  } finally {
    await stack.remove();
  }
}

function stackEnvironment({ size, column }: Task, service: Service, { cli, idle, home }: Tools): NodeJS.ProcessEnv {
  const managers = Object.fromEntries(service.urls.map((url, index) => [`m-${index + 1}`, { url }]));
  return {
    ...service.environment,
    ...column.environment,
    BENCH_PORTS: String(size),
    ...(column.plugin && { PULUMI_HOME: home }),
    ...(service.urls.length > 1 && { BRIGHTDATA_MANAGERS: JSON.stringify(managers) }),
    ...(column.idle && { PATH: `${environmentFor(cli, process.env).PATH}${delimiter}${idle[column.idle]}` }),
  };
}

async function timeCommand(stack: Stack, { command }: Step): Promise<Partial<Measurement> & { seconds: number }> {
  const unchanged = command === "preview" || command === "refresh" ? ["--expect-no-changes"] : [];
  const start = performance.now();
  const { child, ending } = stack.start(command, ...unchanged);
  const tree = ProcessTree.supported && child.pid !== undefined ? new ProcessTree(child.pid) : undefined;
  const { status, stdout, stderr } = await ending;
  const seconds = (performance.now() - start) / 1000;
  const usage = tree?.stop();
  if (status !== 0) throw new Error(`pulumi ${command} ended with ${status}:\n${stdout}\n${stderr}`);
  if (usage === undefined) return { seconds };
  const { cpu, providerPeakBytes: peakBytes, providersPeakBytes: togetherBytes } = usage;
  return { seconds, cpu, peakBytes, togetherBytes };
}

async function* measureLoop(task: Task, service: Service): AsyncGenerator<Measurement> {
  for (const step of STEPS) {
    const before = await service.requests();
    const file = join(ROOT, "bench/floor.mts");
    const args = [file, step.name, String(task.size), service.urls[0] ?? ""];
    const { status, stdout, stderr } = await run(process.execPath, args, { timeoutMs: TIMEOUT_MS });
    if (status !== 0) throw new Error(`${task.column.title}, ${step.name}, ended with ${status}:\n${stderr}`);
    const { seconds, cpuSeconds } = JSON.parse(stdout) as LoopFigures;
    const requests = (await service.requests()) - before;
    verify(task, step, await countriesOf(service), countriesAfter(step, task.size));
    yield { ...identityOf(task, step), seconds, cpu: { program: cpuSeconds }, requests };
  }
}

const identityOf = (
  { service, column, size, round }: Task,
  step: Step,
): Pick<Measurement, "service" | "column" | "size" | "round" | "step"> => ({
  service,
  column: column.name,
  size,
  round,
  step: step.name,
});

/** The countries of the resources of the provider that does nothing, in the order of their ports. */
function countriesIn(state: Buffer): string[] {
  const isCompressed = state[0] === GZIP_MAGIC;
  const { checkpoint } = JSON.parse((isCompressed ? gunzipSync(state) : state).toString("utf8")) as {
    checkpoint: { latest: { resources?: { type: string; outputs?: Port & { ports?: Record<string, Port> } }[] } };
  };
  return (checkpoint.latest.resources ?? [])
    .flatMap(({ type, outputs }) => (type.startsWith("noop:index:") && outputs ? [outputs] : []))
    .flatMap((outputs) => (outputs.ports === undefined ? [outputs] : Object.values(outputs.ports)))
    .toSorted((one, other) => one.port - other.port)
    .map(({ country }) => country);
}

interface Port {
  port: number;
  country: string;
}

/** A figure for a program that did nothing would look very good. */
function verify({ column }: Task, { name }: Step, found: readonly string[], expected: readonly string[]): void {
  if (found.join() === expected.join()) return;
  const counts = [...new Set(found)].map(
    (country) => `${found.filter((each) => each === country).length} in ${country}`,
  );
  throw new Error(
    `${column.title}: after ${name} there are ${counts.join(", ") || "no ports"} instead of ${expected.length}.`,
  );
}
