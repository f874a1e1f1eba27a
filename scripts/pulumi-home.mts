import { constants } from "node:fs";
import { access, readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./process.mts";

/** The repository's root. */
export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The oldest engine whose dynamic resources can return new inputs from `read`. */
export const OLDEST_PULUMI = "3.216.0";

/** What the engine starts beside itself to run a Node program, and to run its dynamic resources. */
export const LANGUAGE_HOST = "pulumi-language-nodejs";
export const DYNAMIC_PROVIDER = "pulumi-resource-pulumi-nodejs";

const VERSION_TIMEOUT_MS = 30_000;

/** The version the repository is tested with: that of the development dependency `pulumi`. */
export async function pinnedVersion(): Promise<string> {
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const version = manifest.devDependencies.pulumi;
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error("package.json must pin an exact version of the development dependency pulumi");
  }
  return version;
}

/** Where the Automation API, the npm package `pulumi` and these scripts alike keep one version of the CLI. */
export function cacheFolder(version: string, env: NodeJS.ProcessEnv): string {
  return join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", version, "bin");
}

/** Either the version of a CLI that can be used, or why it cannot. */
export type Inspection = { version: string } | { problem: string };

/** Looks whether `bin` is a real Pulumi CLI, new enough and with all it needs for a Node program. */
export async function inspectPulumi(bin: string, env: NodeJS.ProcessEnv): Promise<Inspection> {
  if (!(await isExecutable(bin))) return { problem: "is not an executable file" };
  const real = await realpath(bin);
  // Running the npm package's launcher would start a download of unknown length.
  if (real.split(sep).includes("node_modules")) return { problem: "is the npm package's downloader, not the CLI" };

  const answer = await versionOf(bin, env);
  if ("problem" in answer) return answer;
  if (isOlder(answer.version, OLDEST_PULUMI)) {
    return { problem: `is version ${answer.version}; ${OLDEST_PULUMI} or newer is needed` };
  }

  const places = [dirname(bin), dirname(real), ...searchPath(env)];
  for (const companion of [LANGUAGE_HOST, DYNAMIC_PROVIDER]) {
    const found = await Promise.all(places.map((place) => isExecutable(join(place, companion))));
    if (!found.includes(true)) return { problem: `has no ${companion} beside it or on PATH` };
  }
  return answer;
}

/** Asks a CLI for its version, which also proves that the file is whole and made for this machine. */
export async function versionOf(bin: string, env: NodeJS.ProcessEnv): Promise<Inspection> {
  try {
    const { status, stdout, stderr, timedOut } = await run(bin, ["version"], {
      env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" },
      timeoutMs: VERSION_TIMEOUT_MS,
    });
    if (timedOut) return { problem: `did not answer \`version\` within ${VERSION_TIMEOUT_MS / 1000} s` };
    const version = /^v?(\d+\.\d+\.\d+\S*)/.exec(stdout.trim())?.[1];
    if (status === 0 && version !== undefined) return { version };
    const said = (stderr || stdout).trim().split("\n")[0];
    return { problem: `failed to answer \`version\` (${said || `status ${status}`})` };
  } catch (error) {
    return { problem: `cannot be run: ${(error as Error).message}` };
  }
}

/** The folders of PATH, in order. */
export function searchPath(env: NodeJS.ProcessEnv): string[] {
  return (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    const entry = await stat(file);
    return entry.isFile() && entry.size > 0;
  } catch {
    return false;
  }
}

function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (const [index, wanted] of (right ?? []).entries()) {
    const part = left?.[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}
