import { join } from "node:path";
import { run } from "../../scripts/process.mts";

const TIMEOUT_MS = 120_000;

/** Where jobs run, with what the runner's machine has. */
export interface Machine {
  /** A clone of the project. */
  readonly folder: string;
  /** Of the machine: PATH, HOME and the like. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where caches are kept between jobs. */
  readonly caches: string;
  /** Where jobs upload what others download. */
  readonly artifacts: string;
  /** Scratch space of a job. */
  readonly scratch: string;
}

/** How a job ended. */
export interface JobEnding {
  /** Of the first command that failed; 0 for none. */
  readonly status: number;
  readonly log: string;
  /** Where the environment that it made is found. */
  readonly link?: string;
}

/** Runs a script as runners do: bash that stops at the first error. */
export async function runScript(
  script: string,
  { folder, environment }: Machine,
  variables: Readonly<Record<string, string>>,
): Promise<JobEnding> {
  const env = { ...environment, ...variables };
  const options = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
  const { status, stdout, stderr } = await run("bash", options, { cwd: folder, env, timeoutMs: TIMEOUT_MS });
  return { status: status ?? 255, log: `$ ${script}\n${stdout}${stderr}` };
}

/** Where a path of a workflow is: `~` is the home of the runner's user. */
export const pathOn = ({ folder, environment }: Machine, path: string): string =>
  path.startsWith("~/") ? join(environment.HOME ?? "", path.slice(2)) : join(folder, path);
