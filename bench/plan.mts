import { type Column, columnNamed, secondsOf } from "./columns.mts";
import type { Task } from "./measure.mts";
import type { ServiceName } from "./results.mts";

/** Columns that are compared with each other: each round runs them all. */
export interface Comparison {
  service: ServiceName;
  columns: readonly Column[];
  size: number;
  rounds: number;
}

const compare = (service: ServiceName, names: string, size: number, rounds: number): Comparison => ({
  service,
  columns: names.split(" ").map(columnNamed),
  size,
  rounds,
});

/** Everything. */
export const WHOLE_PLAN: readonly Comparison[] = [
  compare("simulator", "ProxyPorts ProxyPort native native-set engine engine-set node", 1, 5),
  compare("simulator", "ProxyPorts ProxyPort native usual engine service", 10, 3),
  compare("simulator", "ProxyPorts ProxyPort native usual engine service", 100, 3),
  compare("simulator", "ProxyPorts fleet native-set engine-set service ProxyPort native engine node", 1000, 2),
  compare("simulator", "usual", 1000, 1),
  compare("simulator", "native-providers", 20, 1),
  compare("simulator", "fleet small-heap native-fleet", 5000, 1),
  compare("simulator", "engine skip-checkpoints gzip parallel-1 parallel-64 ram async transpile-only", 500, 1),
  compare("manager", "ProxyPorts ProxyPort service", 10, 1),
  compare("manager", "ProxyPorts ProxyPort service", 100, 1),
  compare("manager", "ProxyPorts ProxyPort service", 1000, 1),
];

/** The rounds of one comparison after those of another, its columns by turns. */
export const tasksOf = (plan: readonly Comparison[]): Task[] =>
  plan.flatMap(({ service, columns, size, rounds }) =>
    Array.from({ length: rounds }, (_, round) =>
      columns.map((column): Task => ({ service, column, size, round: round + 1 })),
    ).flat(),
  );

/** Seconds that tasks take on the machine of the committed results. */
export const estimateOf = (tasks: readonly Task[]): number =>
  tasks.reduce((sum, { column, size }) => sum + secondsOf(column, size), 0);
