import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { type RunOptions, run } from "./process.mts";

const INSTALL_TIMEOUT_MS = 15 * 60_000;

/** What is installed outside of the repository, on first use. */
interface Installation {
  /** Name of its folder. A new version needs a new one. */
  name: string;
  /** How large it is and how long it takes. */
  effort: string;
}

/** The folder of an installation. What fills it works in another one, so that the folder is there only when it is whole. */
export async function installed(
  { name, effort }: Installation,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-brightdata");
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  console.error(`Installing ${name} into ${folder}: ${effort}.`);
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}.`);
  try {
    await fill(staging);
    // Another process may have been faster.
    if (!existsSync(folder)) await rename(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return folder;
}

/** Installs npm packages, given with their versions. Their scripts do not run. */
export const installedByNpm = (
  installation: Installation,
  packages: readonly string[],
  flags: readonly string[] = [],
): Promise<string> =>
  installed(installation, async (folder) => {
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true }));
    const args = ["install", ...flags, "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    await install("npm", args, { cwd: folder });
  });

/** Builds the program of a Go module, given with its version, and returns its path. */
export async function installedByGo(program: string, version: string, effort: string): Promise<string> {
  const name = basename(program);
  const folder = await installed({ name: `${name}-${version}`, effort }, (staging) =>
    install("go", ["install", `${program}@v${version}`], {
      env: { ...process.env, GOBIN: staging, GOFLAGS: "-mod=mod" },
    }),
  );
  return join(folder, name);
}

/** Runs a program that installs something, and throws unless it succeeds. */
export async function install(
  command: string,
  args: readonly string[],
  options: Pick<RunOptions, "cwd" | "env">,
): Promise<void> {
  const { status, timedOut } = await run(command, args, {
    ...options,
    timeoutMs: INSTALL_TIMEOUT_MS,
    output: "stderr",
  });
  const words = [command, ...args].join(" ");
  if (timedOut) throw new Error(`${words} took longer than ${INSTALL_TIMEOUT_MS / 60_000} minutes`);
  if (status !== 0) throw new Error(`${words} ended with status ${status}`);
}
