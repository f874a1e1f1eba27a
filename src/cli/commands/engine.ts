import { spawn } from "node:child_process";
import { constants } from "node:os";
import { ArgumentError } from "../../base/errors";
import { Interrupted } from "./command";

/** How a command of the CLI ended. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

const CANCELLED = 128 + constants.signals.SIGINT;

/**
 * Runs a command of the CLI that may take long. What it prints is kept; a signal is handed on, so that it can end in order.
 *
 * @param options.isShown whether its output goes to standard error as well
 */
export function runPulumi(
  args: readonly string[],
  { isShown = false, variables = {} }: { isShown?: boolean; variables?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const child = spawn("pulumi", args, {
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
      if (isShown) process.stderr.write(text);
    });
  }
  let interrupted: Interrupted | undefined;
  const passOn = (signal: "SIGINT" | "SIGTERM") => {
    interrupted = new Interrupted(signal, "The CLI was told to stop.");
    child.kill(signal);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, passOn);
  return new Promise((resolve, reject) => {
    const settle = () => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, passOn);
    };
    child.on("error", (error) => {
      settle();
      reject(new ArgumentError(`The Pulumi CLI cannot be run: ${error.message}. Install it, and put it on PATH.`));
    });
    child.on("close", (status) => {
      settle();
      if (interrupted === undefined) resolve({ status: status ?? CANCELLED, ...texts });
      else reject(interrupted);
    });
  });
}
