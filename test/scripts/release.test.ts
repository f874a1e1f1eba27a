import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPORT } from "../../scripts/api.mts";
import { run } from "../../scripts/process.mts";
import { check, tellsOfBreaking } from "../../scripts/release.mts";
import { ROOT } from "../../scripts/root.mts";
import { temporaryFolder } from "./fakes";

const SCRIPT = join(ROOT, "scripts/release.mts");

test.each([
  ["0.1.9", "0.1.10", false],
  ["0.1.9", "0.2.0", true],
  ["0.9.9", "1.0.0", true],
  ["1.2.3", "1.3.0", false],
  ["1.2.3", "2.0.0", true],
])("that something may break is told by a version: after %s by %s: %s", (before, version, tells) => {
  expect(tellsOfBreaking(before, version)).toBe(tells);
});

const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0]\n\n- First.\n";
const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: Record<string, string> };
const ofNpm = (name: string) => scripts[name]?.replace("node scripts/release.mts", `${process.execPath} ${SCRIPT}`);
const ours = { preversion: ofNpm("preversion"), version: ofNpm("version") };
const MANIFEST = `${JSON.stringify({ name: "a-package", version: "0.1.0", scripts: ours }, null, 2)}\n`;
const LOCK = { name: "a-package", version: "0.1.0", lockfileVersion: 3, packages: { "": { version: "0.1.0" } } };

const PLUGIN = `${JSON.stringify({ private: true, dependencies: { "pulumi-brightdata": "0.1.0" } }, null, 2)}\n`;

/** A clone on main, and the repository that it comes from. */
async function clone() {
  const folder = await temporaryFolder();
  const origin = join(folder, "origin.git");
  const root = join(folder, "clone");
  const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });
  git(folder, "init", "--quiet", "--bare", "--initial-branch=main", origin);
  git(folder, "clone", "--quiet", origin, root);
  git(root, "switch", "--quiet", "--orphan", "main");
  git(root, "config", "user.name", "Somebody");
  git(root, "config", "user.email", "somebody@example.com");
  const write = (file: string, text: string) => writeFileSync(join(root, file), text);
  write("CHANGELOG.md", CHANGELOG);
  write("package.json", MANIFEST);
  write("package-lock.json", `${JSON.stringify(LOCK, null, 2)}\n`);
  mkdirSync(join(root, "plugin"));
  write("plugin/package.json", PLUGIN);
  copyFileSync(join(ROOT, ".npmrc"), join(root, ".npmrc"));
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "Begin");
  git(root, "push", "--quiet", "origin", "main");
  const push = (message: string) => {
    git(root, "add", ".");
    git(root, "commit", "--quiet", "--message", message);
    git(root, "push", "--quiet", "origin", "main");
  };
  return {
    root,
    write,
    push,
    read: (file: string) => readFileSync(join(root, file), "utf8"),
    git: (...args: string[]) => git(root, ...args),
  };
}

const npmVersion = (cwd: string) => run("npm", ["version", "minor"], { cwd, timeoutMs: 60_000 });

test("a release is one commit and its tag", async () => {
  const { root, read, git } = await clone();
  expect(await npmVersion(root)).toMatchObject({ status: 0 });

  const today = new Date().toISOString().slice(0, 10);
  expect(read("CHANGELOG.md")).toContain(`## [Unreleased]\n\n## [0.2.0] - ${today}\n\n### Added\n\n- One.`);
  expect(read("package.json")).toBe(MANIFEST.replace("0.1.0", "0.2.0"));
  expect(read("plugin/package.json")).toBe(PLUGIN.replace("0.1.0", "0.2.0"));
  expect(JSON.parse(read("package-lock.json"))).toEqual({
    ...LOCK,
    version: "0.2.0",
    packages: { "": expect.objectContaining({ version: "0.2.0" }) },
  });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("log", "--format=%s%n%b", "main")).toContain("Release 0.2.0\nCHANGELOG.md says what has changed.\n");
  expect(git("rev-list", "--count", "origin/main..HEAD")).toBe("1\n");
  expect(git("tag", "--format=%(objecttype) %(refname:short) %(*objectname)")).toBe(
    `tag v0.2.0 ${git("rev-parse", "HEAD")}`,
  );
});

test("a release changes nothing when something is wrong", async () => {
  const { root, write, git } = await clone();
  write("new.txt", "");
  const { status, stderr } = await npmVersion(root);
  expect(status).not.toBe(0);
  expect(stderr).toContain("There are changes that are not committed.");
  expect([git("rev-list", "--count", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([
    "1\n",
    "?? new.txt\n",
    "",
  ]);
});

test.each<[string, (of: Awaited<ReturnType<typeof clone>>) => unknown, string]>([
  ["main", ({ git }) => git("switch", "--quiet", "--create", "topic"), "from main, and this is topic."],
  [
    "what origin has",
    ({ git }) => git("commit", "--quiet", "--allow-empty", "--message", "Not pushed"),
    "main is not what origin has",
  ],
  ["a version of its own", ({ git }) => git("tag", "v0.2.0"), "There is a tag v0.2.0 already."],
  [
    "something to tell",
    ({ write, push }) => {
      write("CHANGELOG.md", CHANGELOG.replace("### Added\n\n- One.\n\n", ""));
      push("Tell nothing");
    },
    "CHANGELOG.md has nothing in a section [Unreleased].",
  ],
])("a release needs %s", async (_what, change, problem) => {
  const made = await clone();
  await check(made.root, "0.1.0", "0.2.0");
  change(made);
  await expect(check(made.root, "0.1.0", "0.2.0")).rejects.toThrow(problem);
});

test("a release tells of what it breaks by its number", async () => {
  const { root, write, push } = await clone();
  write("CHANGELOG.md", CHANGELOG.replace("One.", "**Breaking**: one is two."));
  push("Break");
  await expect(check(root, "0.1.0", "0.1.1")).rejects.toThrow(
    "CHANGELOG.md marks a change as **Breaking**, of which 0.1.1 after 0.1.0 does not tell.",
  );
  await check(root, "0.1.0", "0.2.0");
});

test("a release tells of the exports that are gone since the last one", async () => {
  const { root, write, push, git } = await clone();
  git("tag", "v0.0.9");
  mkdirSync(join(root, "api"));
  write(REPORT, "## `a-package`\n\n```ts\nexport declare class Zone {\n}\n```\n");
  push("Report");
  await check(root, "0.1.0", "0.2.0");

  git("tag", "v0.0.10");
  write(REPORT, "## `a-package`\n");
  push("Remove");
  await expect(check(root, "0.1.0", "0.2.0")).rejects.toThrow(
    "CHANGELOG.md marks nothing as **Breaking**, but these exports are gone: a-package: Zone.",
  );
  write("CHANGELOG.md", CHANGELOG.replace("One.", "**Breaking**: no more zones."));
  push("Tell");
  await check(root, "0.1.0", "0.2.0");
});
