import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mts";

const TIMEOUT_MS = 5 * 60_000;

const ACTIONLINT = "1.7.12";
const ZIZMOR = "1.32.0";

/** Programs that check workflows. */
export interface WorkflowChecks {
  actionlint: string;
  zizmor: string;
}

/** Installs the programs that check workflows, outside the repository, unless they are there already. */
export async function installWorkflowChecks(): Promise<WorkflowChecks> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-brightdata");
  const actionlint = await installed(join(cache, `actionlint-${ACTIONLINT}`), "actionlint", (folder) =>
    succeed("go", ["install", `github.com/rhysd/actionlint/cmd/actionlint@v${ACTIONLINT}`], { GOBIN: folder }),
  );
  const zizmor = await installed(join(cache, `zizmor-${ZIZMOR}`), "bin/zizmor", (folder) =>
    succeed("python3", ["-m", "pip", "install", "--quiet", "--target", folder, `zizmor==${ZIZMOR}`], {}),
  );
  return { actionlint, zizmor };
}

/** A folder is renamed once it is complete: an installation that breaks off leaves nothing behind that looks like one. */
async function installed(folder: string, program: string, install: (folder: string) => Promise<void>): Promise<string> {
  const path = join(folder, program);
  if (existsSync(path)) return path;
  const partial = `${folder}.${process.pid}`;
  await mkdir(partial, { recursive: true });
  try {
    await install(partial);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return path;
}

async function succeed(command: string, args: readonly string[], variables: NodeJS.ProcessEnv): Promise<void> {
  const { status, stderr } = await run(command, args, { env: { ...process.env, ...variables }, timeoutMs: TIMEOUT_MS });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr}`);
}
