import { dirname, join, resolve } from "node:path";
import { withLock } from "./lock.mts";
import { buildPulumi, LOCK_TIMEOUT_MS, lockFile } from "./pulumi-build.mts";
import { downloadPulumi } from "./pulumi-download.mts";
import {
  cacheFolder,
  inspectPulumi,
  isExecutable,
  OLDEST_PULUMI,
  pinnedVersion,
  searchPath,
  versionOf,
} from "./pulumi-home.mts";

/** A Pulumi CLI with all that is needed to run a Node program. */
export interface PulumiCli {
  bin: string;
  /** The folder of `bin`. */
  dir: string;
  version: string;
  /** Where it was found, for a reader. */
  source: string;
}

/** Puts a CLI into a folder, or throws. */
export interface Installer {
  name: string;
  install(folder: string, env: NodeJS.ProcessEnv): Promise<void>;
}

export interface ResolveOptions {
  /** Whether the CLI may be downloaded or built where there is none. */
  allowInstall: boolean;
  env?: NodeJS.ProcessEnv;
  /** Tried in order. */
  installers?: readonly Installer[];
}

/** No usable Pulumi CLI; the message says where it was looked for and what to do. */
export class PulumiMissing extends Error {
  constructor(reasons: readonly string[]) {
    super(
      [
        "There is no usable Pulumi CLI.",
        ...reasons.map((reason) => `  - ${reason}`),
        `Install Pulumi ${OLDEST_PULUMI} or newer (https://www.pulumi.com/docs/install/) and put it on PATH, or name it in`,
        "PULUMI_BIN; or install Go 1.25 or newer and run `npm run pulumi:build`.",
      ].join("\n"),
    );
    this.name = "PulumiMissing";
  }
}

const DOWNLOAD: Installer = { name: "the vendor's download", install: downloadPulumi };
const BUILD: Installer = { name: "a build with Go", install: buildPulumi };

/**
 * Finds the Pulumi CLI: `PULUMI_BIN`, then PATH, then the folder where the Automation API keeps its versions, which is
 * also where a CLI is installed if that is allowed and there is none.
 */
export async function resolvePulumi(options: ResolveOptions): Promise<PulumiCli> {
  const { allowInstall, env = process.env, installers = [DOWNLOAD, BUILD] } = options;
  if (env.PULUMI_BIN) {
    const bin = resolve(env.PULUMI_BIN);
    const inspection = await inspectPulumi(bin, env);
    if ("problem" in inspection) throw new Error(`PULUMI_BIN is ${bin}, which ${inspection.problem}`);
    return { bin, dir: dirname(bin), version: inspection.version, source: "PULUMI_BIN" };
  }

  const reasons: string[] = [];
  for (const dir of searchPath(env)) {
    const bin = join(dir, "pulumi");
    if (!(await isExecutable(bin))) continue;
    const inspection = await inspectPulumi(bin, env);
    if ("version" in inspection) return { bin, dir, version: inspection.version, source: "PATH" };
    reasons.push(`${bin} ${inspection.problem}`);
  }
  if (reasons.length === 0) reasons.push("there is no pulumi on PATH");

  const dir = cacheFolder(await pinnedVersion(), env);
  const bin = join(dir, "pulumi");
  const inCache = async (source: string): Promise<PulumiCli | undefined> => {
    const inspection = await inspectPulumi(bin, env);
    if ("version" in inspection) return { bin, dir, version: inspection.version, source };
    reasons.push(`${bin} ${inspection.problem}`);
    return undefined;
  };
  const cached = await inCache("cache");
  if (cached) return cached;
  if (!allowInstall) throw new PulumiMissing(reasons);

  const onWait = () => console.error("Another process is installing Pulumi; waiting for it.");
  return withLock(lockFile(dir), { timeoutMs: LOCK_TIMEOUT_MS, onWait }, async () => {
    const meanwhile = await inCache("cache");
    if (meanwhile) return meanwhile;
    // A CLI that runs but lacks its companions is an unfinished build, which a build finishes sooner than a download.
    const unfinished = "version" in (await versionOf(bin, env));
    for (const { name, install } of unfinished ? installers.toReversed() : installers) {
      try {
        await install(dir, env);
      } catch (error) {
        reasons.push(`${name}: ${(error as Error).message}`);
        continue;
      }
      const installed = await inCache(name);
      if (installed) return installed;
    }
    throw new PulumiMissing([...new Set(reasons)]);
  });
}

/** The CLI that is there already, or undefined. A `PULUMI_BIN` that cannot be used is an error all the same. */
export async function findPulumi(env: NodeJS.ProcessEnv = process.env): Promise<PulumiCli | undefined> {
  try {
    return await resolvePulumi({ allowInstall: false, env });
  } catch (error) {
    if (error instanceof PulumiMissing) return undefined;
    throw error;
  }
}
