// What `npm version` runs, in the folder of the package: node scripts/release.mts check, before it changes anything, and
// node scripts/release.mts turn, before it commits.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { REPORT, removedExports } from "./api.mts";
import { BREAKING, section, turn, UNRELEASED } from "./changelog.mts";
import { run } from "./process.mts";

const COMMAND_TIMEOUT_MS = 120_000;

/** Whether a version tells that something may break: below 1.0.0 a minor version does, from then on a major one. */
export function tellsOfBreaking(before: string, version: string): boolean {
  const counted = before.startsWith("0.") ? 2 : 1;
  const [old, now] = [before, version].map((each) => each.split(".").slice(0, counted).join("."));
  return old !== now;
}

/** Checks that a repository can be released as a version as it stands. */
export async function check(root: string, before: string, version: string): Promise<void> {
  const git = gitIn(root);
  // npm does not look at files that are not tracked.
  if ((await git("status", "--porcelain")) !== "") throw new Error("There are changes that are not committed.");
  const branch = await git("rev-parse", "--abbrev-ref", "HEAD");
  if (branch !== "main") throw new Error(`Releases are made from main, and this is ${branch}.`);
  await git("fetch", "--tags", "origin", "main");
  if ((await git("rev-parse", "HEAD")) !== (await git("rev-parse", "FETCH_HEAD"))) {
    throw new Error("main is not what origin has: only what the continuous integration has seen is released.");
  }
  // npm would find out when it has committed.
  if ((await git("tag", "--list", `v${version}`)) !== "") throw new Error(`There is a tag v${version} already.`);
  const isBreaking = section(await readFile(join(root, "CHANGELOG.md"), "utf8"), UNRELEASED).includes(BREAKING);
  if (isBreaking && !tellsOfBreaking(before, version)) {
    throw new Error(`CHANGELOG.md marks a change as ${BREAKING}, of which ${version} after ${before} does not tell.`);
  }
  const gone = isBreaking ? [] : await goneSinceLastRelease(root);
  if (gone.length > 0) {
    throw new Error(`CHANGELOG.md marks nothing as ${BREAKING}, but these exports are gone: ${gone.join(", ")}.`);
  }
}

async function goneSinceLastRelease(root: string): Promise<string[]> {
  const git = gitIn(root);
  const [last] = (await git("tag", "--list", "v*", "--sort=-version:refname")).split("\n");
  if (!last || (await git("ls-tree", last, REPORT)) === "") return [];
  return removedExports(await git("show", `${last}:${REPORT}`), await readFile(join(root, REPORT), "utf8"));
}

/** The manifest of what `pulumi package add` takes out of the repository: it asks for the package of that version. */
const PLUGIN = "plugin/package.json";

function asking(text: string, version: string): string {
  const manifest = JSON.parse(text) as { dependencies: Record<string, string> };
  manifest.dependencies["pulumi-brightdata"] = version;
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

const gitIn =
  (cwd: string) =>
  async (...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await run("git", args, { cwd, timeoutMs: COMMAND_TIMEOUT_MS });
    if (status !== 0) throw new Error(`git ${args[0]} failed:\n${stderr.trim()}`);
    return stdout.trim();
  };

if (import.meta.main) {
  const { npm_old_version: before = "", npm_new_version: version = "" } = process.env;
  try {
    if (process.argv[2] === "turn") {
      const date = new Date().toISOString().slice(0, 10);
      await writeFile("CHANGELOG.md", turn(await readFile("CHANGELOG.md", "utf8"), version, date));
      await writeFile(PLUGIN, asking(await readFile(PLUGIN, "utf8"), version));
    } else await check(".", before, version);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
