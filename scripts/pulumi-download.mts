import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { run } from "./process.mts";
import { pinnedVersion, ROOT } from "./pulumi-home.mts";

export interface DownloadOptions {
  /** The npm package's program. */
  launcher?: string;
  timeoutMs?: number;
}

/**
 * Lets the vendor's npm package `pulumi` fetch the CLI into `folder`. It works in a folder of its own first, so that a
 * download cut short leaves nothing that looks like an installation.
 */
export async function downloadPulumi(
  folder: string,
  env: NodeJS.ProcessEnv,
  { launcher = join(ROOT, "node_modules/pulumi/run.js"), timeoutMs = 60_000 }: DownloadOptions = {},
): Promise<void> {
  const version = await pinnedVersion();
  const versions = dirname(dirname(folder));
  await mkdir(versions, { recursive: true });
  const staging = await mkdtemp(join(versions, ".download-"));
  try {
    console.error(`Downloading the Pulumi CLI ${version} (at most ${timeoutMs / 1000} s).`);
    const { status, timedOut } = await run(process.execPath, [launcher, "version"], {
      env: { ...env, PULUMI_HOME: staging, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "true", TMPDIR: staging },
      timeoutMs,
      output: "stderr",
    });
    if (timedOut) throw new Error(`the download took longer than ${timeoutMs / 1000} s`);
    if (status !== 0) throw new Error(`the npm package pulumi could not download the CLI (status ${status})`);

    const downloaded = join(staging, "versions", version, "bin");
    await mkdir(folder, { recursive: true });
    for (const name of await readdir(downloaded)) await rename(join(downloaded, name), join(folder, name));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
