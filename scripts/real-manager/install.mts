import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../process.mts";

/** The newest Proxy Manager that the vendor has published to npm. */
export const MANAGER_VERSION = "1.570.247";

const PACKAGE = "@luminati-io/luminati-proxy";
const INSTALL_TIMEOUT_MS = 8 * 60_000;

/** The vendor's package folder; installed outside the repository on first use (about 350 MB and one minute). */
export async function installRealManager(): Promise<string> {
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pulumi-brightdata");
  const folder = join(cache, `proxy-manager-${MANAGER_VERSION}`);
  const packageFolder = join(folder, "node_modules", PACKAGE);
  if (!existsSync(packageFolder)) await installInto(folder);
  return packageFolder;
}

/** Installs beside the folder and renames, so that the folder is there only when it is whole. */
async function installInto(folder: string): Promise<void> {
  console.error(`Installing the vendor's Proxy Manager ${MANAGER_VERSION} into ${folder}: about a minute.`);
  await mkdir(dirname(folder), { recursive: true });
  const staging = await mkdtemp(`${folder}.`);
  try {
    await writeFile(join(staging, "package.json"), JSON.stringify({ private: true }));
    // Its optional dependencies and install scripts are for the desktop program; one of its peer ranges contradicts another.
    const flags = ["--omit=optional", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
    const { status, timedOut } = await run("npm", ["install", ...flags, `${PACKAGE}@${MANAGER_VERSION}`], {
      cwd: staging,
      timeoutMs: INSTALL_TIMEOUT_MS,
      output: "stderr",
    });
    if (timedOut) throw new Error(`npm took longer than ${INSTALL_TIMEOUT_MS / 60_000} minutes to install ${PACKAGE}`);
    if (status !== 0) throw new Error(`npm could not install ${PACKAGE}@${MANAGER_VERSION} (status ${status})`);
    // Another process may have been faster.
    if (!existsSync(folder)) await rename(staging, folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
