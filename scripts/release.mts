// Releases what is on main: npm run release -- patch|minor|major [--dry-run]
// The tag that it pushes starts .github/workflows/release.yml, which publishes.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { REPORT, removedExports } from "./api.mts";
import { BREAKING, section, turn, UNRELEASED } from "./changelog.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const LEVELS = ["patch", "minor", "major"] as const;
export type Level = (typeof LEVELS)[number];

const COMMAND_TIMEOUT_MS = 120_000;

/**
 * The version after `version`.
 *
 * @throws an error when `breaking` is true and the level tells nobody so: below 1.0.0 that takes a minor version, from
 * then on a major one
 */
export function nextVersion(version: string, level: Level, breaking: boolean): string {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  const least = major === 0 ? "minor" : "major";
  if (breaking && LEVELS.indexOf(level) < LEVELS.indexOf(least)) {
    throw new Error(`CHANGELOG.md marks a change as ${BREAKING}: after ${version} that takes a ${least} version.`);
  }
  if (level === "major") return `${major + 1}.0.0`;
  return level === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/** What the command line asks for. */
export function parseArguments(args: readonly string[]): { level: Level; dryRun: boolean } {
  const [first, second, ...rest] = args;
  const level = LEVELS.find((each) => each === first);
  if (level === undefined || (second ?? "--dry-run") !== "--dry-run" || rest.length > 0) {
    throw new Error("Usage: npm run release -- patch|minor|major [--dry-run]");
  }
  return { level, dryRun: second !== undefined };
}

export interface Release {
  version: string;
  /** The changelog's section for it. */
  notes: string;
}

/** Checks that a repository can be released as it stands, and says what that release is. Changes nothing in it. */
export async function plan(root: string, level: Level): Promise<Release> {
  const git = commandIn(root, "git");
  if ((await git("status", "--porcelain")) !== "") throw new Error("There are changes that are not committed.");
  const branch = await git("rev-parse", "--abbrev-ref", "HEAD");
  if (branch !== "main") throw new Error(`Releases are made from main, and this is ${branch}.`);
  await git("fetch", "--tags", "origin", "main");
  if ((await git("rev-parse", "HEAD")) !== (await git("rev-parse", "FETCH_HEAD"))) {
    throw new Error("main is not what origin has: only what the continuous integration has seen is released.");
  }
  const notes = section(await readFile(join(root, "CHANGELOG.md"), "utf8"), UNRELEASED);
  const manifest = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const breaking = notes.includes(BREAKING);
  const gone = breaking ? [] : await goneSinceLastRelease(root);
  if (gone.length > 0) {
    throw new Error(`CHANGELOG.md marks nothing as ${BREAKING}, but these exports are gone: ${gone.join(", ")}.`);
  }
  const version = nextVersion(manifest.version, level, breaking);
  if ((await git("tag", "--list", `v${version}`)) !== "") throw new Error(`There is a tag v${version} already.`);
  return { version, notes };
}

async function goneSinceLastRelease(root: string): Promise<string[]> {
  const git = commandIn(root, "git");
  const [last] = (await git("tag", "--list", "v*", "--sort=-version:refname")).split("\n");
  if (!last || (await git("ls-tree", last, REPORT)) === "") return [];
  return removedExports(await git("show", `${last}:${REPORT}`), await readFile(join(root, REPORT), "utf8"));
}

/** Writes the version and its date, commits, tags, and pushes both or neither. */
export async function carryOut(root: string, { version, notes }: Release, date: string): Promise<void> {
  const git = commandIn(root, "git");
  const changelog = join(root, "CHANGELOG.md");
  await writeFile(changelog, turn(await readFile(changelog, "utf8"), version, date));
  await commandIn(root, "npm")("version", version, "--no-git-tag-version", "--ignore-scripts");
  await git("commit", "--all", "--message", `Release ${version}`);
  await git("tag", "--annotate", `v${version}`, "--cleanup=verbatim", "--message", `${version}\n\n${notes}`);
  await git("push", "--atomic", "origin", "main", `v${version}`);
}

/** Runs a program in a folder to its end, and returns what it printed. */
function commandIn(cwd: string, command: string): (...args: string[]) => Promise<string> {
  return async (...args) => {
    const { status, stdout, stderr } = await run(command, args, { cwd, timeoutMs: COMMAND_TIMEOUT_MS });
    if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stderr.trim()}`);
    return stdout.trim();
  };
}

if (import.meta.main) {
  try {
    const { level, dryRun } = parseArguments(process.argv.slice(2));
    const release = await plan(ROOT, level);
    if (!dryRun) await carryOut(ROOT, release, new Date().toISOString().slice(0, 10));
    console.log(`${dryRun ? "Would release" : "Released"} ${release.version}:\n\n${release.notes}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
