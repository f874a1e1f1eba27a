import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "./process.mts";

const INSTALL_TIMEOUT_MS = 8 * 60_000;

/** What is installed outside of the repository, on first use. */
interface Installation {
  /** Name of its folder. A new version needs a new one. */
  name: string;
  /** Packages with their versions. */
  packages: readonly string[];
  flags?: readonly string[];
  /** How large it is and how long it takes. */
  effort: string;
}

/** The folder that has the packages in its `node_modules`. */
export async function installed(installation: Installation): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-brightdata");
  const folder = join(cache, installation.name);
  if (!existsSync(folder)) await installInto(folder, installation);
  return folder;
}

/** Installs beside the folder and renames, so that the folder is there only when it is whole. */
async function installInto(folder: string, { packages, flags = [], effort }: Installation): Promise<void> {
  const what = packages.join(" and ");
  console.error(`Installing ${what} into ${folder}: ${effort}.`);
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}.`);
  try {
    await writeFile(join(staging, "package.json"), JSON.stringify({ private: true }));
    const args = ["install", ...flags, "--ignore-scripts", "--no-audit", "--no-fund", ...packages];
    const { status, timedOut } = await run("npm", args, {
      cwd: staging,
      timeoutMs: INSTALL_TIMEOUT_MS,
      output: "stderr",
    });
    if (timedOut) throw new Error(`npm took longer than ${INSTALL_TIMEOUT_MS / 60_000} minutes to install ${what}`);
    if (status !== 0) throw new Error(`npm could not install ${what} (status ${status})`);
    // Another process may have been faster.
    if (!existsSync(folder)) await rename(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
