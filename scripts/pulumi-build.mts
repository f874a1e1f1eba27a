import { chmod, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mts";
import { run } from "./process.mts";
import {
  cacheFolder,
  DYNAMIC_PROVIDER,
  inspectPulumi,
  isExecutable,
  LANGUAGE_HOST,
  pinnedVersion,
  ROOT,
  versionOf,
} from "./pulumi-home.mts";

const BUILD_TIMEOUT_MS = 15 * 60_000;

/** Longer than one build and one download, which is what another process may be doing. */
export const LOCK_TIMEOUT_MS = BUILD_TIMEOUT_MS + 2 * 60_000;

/** The lock under which anything is put into `folder`. */
export function lockFile(folder: string): string {
  return `${dirname(folder)}.lock`;
}

interface GoProgram {
  /** Folder of the module that names the program as its tool and fixes every dependency. */
  module: string;
  package: string;
  version: string;
  tags?: string;
}

/**
 * Builds into `folder` what a Node program needs of the Pulumi CLI and is not there yet. For machines that reach a Go
 * module proxy but not the vendor's download. The language host is an older one: it left the SDK's module at 3.69 and
 * its own module was never tagged; what it lacks (linking packages, other package managers) `pulumi up` does not use.
 */
export async function buildPulumi(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ("problem" in (await versionOf(join(folder, "pulumi"), env))) {
    console.error("Building the Pulumi CLI with Go: about 3 minutes on 2 cores.");
    const cli = {
      module: "cli",
      package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
      version: await pinnedVersion(),
      tags: "osusergo,grpcnotrace",
    };
    await goBuild(cli, join(folder, "pulumi"), env);
  }
  if (!(await isExecutable(join(folder, LANGUAGE_HOST)))) {
    console.error("Building Pulumi's language host for Node.js: about half a minute.");
    const languageHost = {
      module: "language-host",
      package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
      version: "3.68.0",
    };
    await goBuild(languageHost, join(folder, LANGUAGE_HOST), env);
  }
  if (!(await isExecutable(join(folder, DYNAMIC_PROVIDER)))) {
    await placeWhole(join(folder, DYNAMIC_PROVIDER), async (draft) => {
      await copyFile(join(ROOT, "node_modules/@pulumi/pulumi", DYNAMIC_PROVIDER), draft);
      await chmod(draft, 0o755);
    });
  }
}

async function goBuild(program: GoProgram, target: string, env: NodeJS.ProcessEnv): Promise<void> {
  const versionFlag = `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${program.version}`;
  await placeWhole(target, async (draft) => {
    const args = ["build", "-trimpath", "-buildvcs=false", "-ldflags", `-w -s ${versionFlag}`, "-o", draft];
    if (program.tags !== undefined) args.push("-tags", program.tags);
    const { status, timedOut } = await run("go", [...args, program.package], {
      cwd: join(ROOT, "tools/pulumi-cli", program.module),
      env: { ...env, GOFLAGS: "-mod=readonly", GOWORK: "off", CGO_ENABLED: "0" },
      timeoutMs: BUILD_TIMEOUT_MS,
      output: "stderr",
    }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === "ENOENT" ? new Error("`go` is not on PATH: install Go 1.25 or newer") : error;
    });
    if (timedOut)
      throw new Error(`go build of ${program.package} took longer than ${BUILD_TIMEOUT_MS / 60_000} minutes`);
    if (status !== 0) throw new Error(`go build of ${program.package} ended with status ${status}`);
  });
}

/** A file under its final name is always a whole one. */
async function placeWhole(target: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${target}.${process.pid}.tmp`;
  try {
    await write(draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

if (import.meta.main) {
  const folder = cacheFolder(await pinnedVersion(), process.env);
  const bin = join(folder, "pulumi");
  try {
    await withLock(lockFile(folder), { timeoutMs: LOCK_TIMEOUT_MS }, () => buildPulumi(folder, process.env));
    const inspection = await inspectPulumi(bin, process.env);
    if ("problem" in inspection) throw new Error(`${bin} ${inspection.problem}`);
    console.log(`Pulumi ${inspection.version} is in ${folder}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
