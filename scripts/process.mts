import { type ChildProcess, spawn } from "node:child_process";

/** How a program ended. `status` is null when a signal or the time limit ended it. */
export interface Ending {
  status: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
}

/** A program that has been started. */
export interface Running {
  child: ChildProcess;
  /** Rejects only when the program could not be started. */
  ending: Promise<Ending>;
}

export interface RunOptions {
  timeoutMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Where both of the program's streams go as they come; by default they are collected. */
  output?: "stdout" | "stderr";
}

const FATAL_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const GRACE_MS = 5_000;

/** Signals a process started with `detached: true` together with everything it started. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Runs a program to its end, or to the end of its time. Rejects only when the program cannot be started. */
export const run = (command: string, args: readonly string[], options: RunOptions): Promise<Ending> =>
  start(command, args, options).ending;

/**
 * Starts a program, and ends it at the end of its time. It gets a process group of its own, because what it starts
 * (a shell, curl, a compiler) must not outlive it; so a signal meant for us has to be handed to that group by hand.
 */
export function start(command: string, args: readonly string[], options: RunOptions): Running {
  const { timeoutMs, cwd, env, output } = options;
  const sink = output === undefined ? "pipe" : output === "stdout" ? 1 : 2;
  const passOn = (signal: NodeJS.Signals) => {
    signalGroup(child, signal);
    settle();
    process.kill(process.pid, signal);
  };
  const settle = () => {
    clearTimeout(timer);
    for (const signal of FATAL_SIGNALS) process.off(signal, passOn);
  };
  // Before the program starts: a signal in between would end us and leave the program.
  for (const signal of FATAL_SIGNALS) process.on(signal, passOn);

  const child = spawn(command, args, {
    stdio: ["ignore", sink, sink],
    detached: true,
    ...(cwd !== undefined && { cwd }),
    ...(env !== undefined && { env }),
  });
  const soFar: Ending = { status: null, stdout: "", stderr: "", timedOut: false };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    soFar.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    soFar.stderr += text;
  });

  let timer = setTimeout(() => {
    soFar.timedOut = true;
    // A program of ours that has such groups itself needs the chance to end them.
    signalGroup(child, "SIGTERM");
    timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
  }, timeoutMs);
  const ending = new Promise<Ending>((resolve, reject) => {
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("close", (status) => {
      settle();
      if (soFar.timedOut) signalGroup(child, "SIGKILL");
      resolve({ ...soFar, status });
    });
  });
  return { child, ending };
}
