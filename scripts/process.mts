import { type ChildProcess, spawn } from "node:child_process";

/** How a program ended. `status` is null when a signal or the time limit ended it. */
export interface Ending {
  status: number | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
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

/**
 * Runs a program to its end, or to the end of its time. It gets a process group of its own, because what it starts
 * (a shell, curl, a compiler) must not outlive it; so a signal meant for us has to be handed to that group by hand.
 * Rejects only when the program cannot be started.
 */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<Ending> {
  const { timeoutMs, cwd, env, output } = options;
  const sink = output === undefined ? "pipe" : output === "stdout" ? 1 : 2;
  return new Promise((resolve, reject) => {
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
    const ending: Ending = { status: null, stdout: "", stderr: "", timedOut: false };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      ending.stdout += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      ending.stderr += text;
    });

    let timer = setTimeout(() => {
      ending.timedOut = true;
      // A program of ours that has such groups itself needs the chance to end them.
      signalGroup(child, "SIGTERM");
      timer = setTimeout(() => signalGroup(child, "SIGKILL"), GRACE_MS);
    }, timeoutMs);
    child.on("error", (error) => {
      settle();
      reject(error);
    });
    child.on("close", (status) => {
      settle();
      if (ending.timedOut) signalGroup(child, "SIGKILL");
      ending.status = status;
      resolve(ending);
    });
  });
}
