import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname } from "node:path";
import type { Part } from "./processTree.mts";

/** What stands behind the ports: the simulator, or the vendor's own Proxy Manager. */
export const SERVICES = ["simulator", "manager"] as const;
export type ServiceName = (typeof SERVICES)[number];

/** One run of one step. */
export interface Measurement {
  /** What was measured: many ports on a service, or something else. */
  service: ServiceName | "import" | "download";
  column: string;
  /** The number of ports. */
  size: number;
  round: number;
  step: string;
  seconds: number;
  /** Seconds of CPU; not on systems other than Linux. */
  cpu?: Partial<Record<Part, number>>;
  /** Peak memory of the provider's process. */
  peakBytes?: number;
  /** Peak memory of all processes of the provider together, what they share counted once. */
  togetherBytes?: number;
  /** HTTP requests that the service has received. */
  requests?: number;
  /** Size of the state afterwards. */
  stateBytes?: number;
}

/** Where and when a run was made. */
export interface Machine {
  date: string;
  cores: number;
  cpu: string;
  memoryBytes: number;
  node: string;
  pulumi: string;
}

/** What a file of results holds. */
export interface Results {
  machine: Machine;
  measurements: Measurement[];
}

export const thisMachine = (pulumi: string): Machine => ({
  date: new Date().toISOString().slice(0, 10),
  cores: availableParallelism(),
  cpu: cpus()[0]?.model ?? "unknown",
  memoryBytes: totalmem(),
  node: process.versions.node,
  pulumi,
});

export async function readResults(file: string): Promise<Results> {
  return JSON.parse(await readFile(file, "utf8")) as Results;
}

/** A run that is interrupted while it writes leaves the file as it was. A measurement is a line, for the sake of diffs. */
export async function writeResults(file: string, { machine, measurements }: Results): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const lines = measurements.map((measurement) => `    ${JSON.stringify(measurement, rounded)}`);
  const text = `{\n  "machine": ${JSON.stringify(machine)},\n  "measurements": [\n${lines.join(",\n")}\n  ]\n}\n`;
  await writeFile(`${file}.new`, text);
  await rename(`${file}.new`, file);
}

/** No clock here is better than a tenth of a millisecond. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === "number" ? Number(value.toFixed(4)) : value;
