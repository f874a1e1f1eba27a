import { accessSync, constants, statSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, resolve, sep } from "node:path";
import { run } from "./process.mts";
import { buildPulumi, DYNAMIC_PROVIDER, LANGUAGE_HOST } from "./pulumi-build.mts";
import { ROOT } from "./root.mts";

/** A Pulumi CLI with all that is needed to run a Node program. */
export interface PulumiCli {
  bin: string;
  version: string;
  /** Where it was found, for a reader. */
  source: string;
}

type Inspection = PulumiCli | { problem: string };

/** Puts a CLI into a folder, or throws. */
export type Install = (folder: string, version: string, env: NodeJS.ProcessEnv) => Promise<void>;

/** Where a CLI may be, or may be put. */
interface Place {
  source: string;
  folder: string;
  install?: Install;
}

/** The oldest engine whose dynamic resources can return new inputs from `read`. */
const OLDEST = "3.216.0";
const VERSION_TIMEOUT_MS = 30_000;
const DOWNLOAD_TIMEOUT_MS = 60_000;

const INSTALLERS: Readonly<Record<string, Install>> = {
  "the vendor's download": downloadPulumi,
  "a build with Go": buildPulumi,
};

/**
 * Finds the Pulumi CLI: `PULUMI_BIN`, then PATH, then the folder where the Automation API keeps its versions. Where there is none,
 * the version that `tools/pulumi-cli` pins is installed there.
 */
export async function resolvePulumi(env = process.env, installers = INSTALLERS): Promise<PulumiCli> {
  if (env.PULUMI_BIN) {
    const bin = resolve(env.PULUMI_BIN);
    const named = await inspect(bin, "PULUMI_BIN", env);
    if ("problem" in named) throw new Error(`PULUMI_BIN is ${bin}, which ${named.problem}`);
    return named;
  }
  const version = await pinnedVersion();
  const folder = cacheFolder(version, env);
  const onPath = searchPath(env).filter((each) => isExecutable(join(each, "pulumi")));
  const places: Place[] = [
    ...onPath.map((each) => ({ source: "PATH", folder: each })),
    { source: "cache", folder },
    ...Object.entries(installers).map(([source, install]) => ({ source, folder, install })),
  ];
  const problems = new Set<string>();
  for (const place of places) {
    const found = await lookIn(place, version, env);
    if (!("problem" in found)) return found;
    problems.add(found.problem);
  }
  throw new Error(
    [
      "There is no usable Pulumi CLI.",
      ...[...problems].map((problem) => `  - ${problem}`),
      `Install Pulumi ${OLDEST} or newer (https://www.pulumi.com/docs/install/) and put it on PATH, or name it in`,
      "PULUMI_BIN; or install Go 1.26 or newer, with which it is built here.",
    ].join("\n"),
  );
}

async function lookIn(
  { source, folder, install }: Place,
  version: string,
  env: NodeJS.ProcessEnv,
): Promise<Inspection> {
  try {
    await install?.(folder, version, env);
  } catch (error) {
    return { problem: `${source}: ${(error as Error).message}` };
  }
  const bin = join(folder, "pulumi");
  const found = await inspect(bin, source, env);
  return "problem" in found ? { problem: `${bin} ${found.problem}` } : found;
}

/** The environment of a program that is to use exactly this CLI. */
export function environmentFor({ bin }: PulumiCli, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  // The CLI's folder may hold an older node as well (/usr/local/bin), so the folder of the running node goes first.
  // node_modules/.bin comes after the CLI because it holds the npm package's `pulumi`, which would download another.
  const path = [dirname(process.execPath), dirname(bin), join(ROOT, "node_modules/.bin"), env.PATH ?? ""];
  return {
    ...env,
    PATH: path.join(delimiter),
    PULUMI_BIN: bin,
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** The version that the repository is tested with: the one that `tools/pulumi-cli` builds. */
export async function pinnedVersion(): Promise<string> {
  const module = await readFile(join(ROOT, "tools/pulumi-cli/cli/go.mod"), "utf8");
  const version = /github\.com\/pulumi\/pulumi\/pkg\/v3 v(\S+)/.exec(module)?.[1];
  if (version === undefined) throw new Error("tools/pulumi-cli/cli/go.mod does not say which Pulumi CLI it builds.");
  return version;
}

/** Where the Automation API, the npm package `pulumi` and these scripts alike keep one version of the CLI. */
export function cacheFolder(version: string, env: NodeJS.ProcessEnv): string {
  return join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", version, "bin");
}

/** Runs the npm package `pulumi`, which downloads into the cache unless there is something. */
async function downloadPulumi(_folder: string, version: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { status, timedOut } = await run(process.execPath, [join(ROOT, "node_modules/pulumi/run.js"), "version"], {
    env: { ...env, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeoutMs: DOWNLOAD_TIMEOUT_MS,
    output: "stderr",
  });
  if (status !== 0) throw new Error(timedOut ? "it took longer than a minute" : `it ended with status ${status}`);
}

/** Looks whether `bin` is a real Pulumi CLI, new enough and with all it needs for a Node program. */
async function inspect(bin: string, source: string, env: NodeJS.ProcessEnv): Promise<Inspection> {
  if (!isExecutable(bin)) return { problem: "is not an executable file" };
  const real = await realpath(bin);
  // Running the npm package's launcher would start a download of unknown length.
  if (real.split(sep).includes("node_modules")) return { problem: "is the npm package's downloader, not the CLI" };

  const asked = { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const answer = await run(bin, ["version"], { env: asked, timeoutMs: VERSION_TIMEOUT_MS }).catch(
    ({ message }: Error) => ({ status: null, stdout: "", stderr: message }),
  );
  const version = /^v?(\d+\.\d+\.\d+\S*)/.exec(answer.stdout.trim())?.[1];
  if (answer.status !== 0 || version === undefined) {
    const [said] = (answer.stderr || answer.stdout).trim().split("\n");
    return { problem: `failed to answer \`version\` (${said || `status ${answer.status}`})` };
  }
  if (version.localeCompare(OLDEST, "en", { numeric: true }) < 0) {
    return { problem: `is version ${version}; ${OLDEST} or newer is needed` };
  }
  const folders = [dirname(bin), dirname(real), ...searchPath(env)];
  for (const companion of [LANGUAGE_HOST, DYNAMIC_PROVIDER]) {
    const isThere = folders.some((folder) => isExecutable(join(folder, companion)));
    if (!isThere) return { problem: `has no ${companion} beside it or on PATH` };
  }
  return { bin, version, source };
}

const searchPath = (env: NodeJS.ProcessEnv): string[] => (env.PATH ?? "").split(delimiter).filter(Boolean);

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
