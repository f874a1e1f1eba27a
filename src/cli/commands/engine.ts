import { Interruption } from "./interruption";

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command of the CLI that may take long. What it prints is kept; a signal is handed on, so that it can end in order.
 *
 * @param options.isShown whether its output goes to standard error as well
 */
export async function runPulumi(
  args: readonly string[],
  { isShown = false, variables = {} }: { isShown?: boolean; variables?: NodeJS.ProcessEnv } = {},
): Promise<Ended> {
  const texts = { stdout: "", stderr: "" };
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true", ...variables };
  const interruption = new Interruption("The CLI was told to stop.", true);
  try {
    const status = await interruption.ran("pulumi", args, { env, stdio: ["ignore", "pipe", "pipe"] }, (child) => {
      for (const stream of ["stdout", "stderr"] as const) {
        child[stream]?.setEncoding("utf8").on("data", (text: string) => {
          texts[stream] += text;
          if (isShown) process.stderr.write(text);
        });
      }
    });
    interruption.check();
    return { status, ...texts };
  } finally {
    interruption.stop();
  }
}
