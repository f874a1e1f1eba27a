import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { REPORT } from "../../scripts/api.mts";
import { carryOut, type Level, nextVersion, parseArguments, plan } from "../../scripts/release.mts";
import { temporaryFolder } from "./fakes";

describe("the next version", () => {
  test.each<[string, Level, boolean, string]>([
    ["0.1.9", "patch", false, "0.1.10"],
    ["0.1.9", "minor", false, "0.2.0"],
    ["0.1.9", "minor", true, "0.2.0"],
    ["0.1.9", "major", true, "1.0.0"],
    ["1.2.3", "minor", false, "1.3.0"],
    ["1.2.3", "major", true, "2.0.0"],
  ])("after %s a %s one, breaking: %s", (version, level, breaking, next) => {
    expect(nextVersion(version, level, breaking)).toBe(next);
  });

  test.each<[string, Level, string]>([
    ["0.1.0", "patch", "a minor version"],
    ["1.0.0", "patch", "a major version"],
    ["1.0.0", "minor", "a major version"],
  ])("after %s a %s one cannot break anything", (version, level, least) => {
    expect(() => nextVersion(version, level, true)).toThrow(`after ${version} that takes ${least}`);
  });
});

describe("the arguments", () => {
  test("a level, and whether it is a trial", () => {
    expect(parseArguments(["minor"])).toEqual({ level: "minor", dryRun: false });
    expect(parseArguments(["patch", "--dry-run"])).toEqual({ level: "patch", dryRun: true });
  });

  test.each([[[]], [["0.2.0"]], [["minor", "--dry"]], [["minor", "--dry-run", "more"]]])("%j", (args) => {
    expect(() => parseArguments(args)).toThrow("Usage: npm run release -- patch|minor|major [--dry-run]");
  });
});

const CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- One.\n\n## [0.1.0]\n\n- First.\n";
const MANIFEST = `${JSON.stringify({ name: "a-package", version: "0.1.0" }, null, 2)}\n`;
const LOCK = { name: "a-package", version: "0.1.0", lockfileVersion: 3, packages: { "": { version: "0.1.0" } } };

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
  git(root, "add", ".");
  git(root, "commit", "--quiet", "--message", "Begin");
  git(root, "push", "--quiet", "origin", "main");
  return {
    root,
    write,
    read: (file: string) => readFileSync(join(root, file), "utf8"),
    git: (...args: string[]) => git(root, ...args),
    inOrigin: (...args: string[]) => git(origin, ...args),
  };
}

describe("a release", () => {
  test("is planned without a change", async () => {
    const { root, git, inOrigin } = await clone();
    const before = git("rev-parse", "HEAD");
    expect(await plan(root, "minor")).toEqual({ version: "0.2.0", notes: "### Added\n\n- One." });
    expect([git("rev-parse", "HEAD"), git("status", "--porcelain"), git("tag")]).toEqual([before, "", ""]);
    expect(inOrigin("rev-parse", "main")).toBe(before);
  });

  test("is one commit and its tag, pushed together", async () => {
    const { root, read, git, inOrigin } = await clone();
    await carryOut(root, await plan(root, "minor"), "2026-02-03");

    expect(read("CHANGELOG.md")).toContain("## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n### Added\n\n- One.");
    expect(read("package.json")).toBe(MANIFEST.replace("0.1.0", "0.2.0"));
    expect(JSON.parse(read("package-lock.json"))).toEqual({
      ...LOCK,
      version: "0.2.0",
      packages: { "": expect.objectContaining({ version: "0.2.0" }) },
    });
    expect(git("status", "--porcelain")).toBe("");
    expect(inOrigin("log", "--format=%s", "main")).toBe("Release 0.2.0\nBegin\n");
    expect(inOrigin("rev-parse", "v0.2.0^{commit}")).toBe(inOrigin("rev-parse", "main"));
    expect(inOrigin("tag", "--format=%(objecttype) %(contents)").trim()).toBe("tag 0.2.0\n\n### Added\n\n- One.");
  });

  test("needs everything committed", async () => {
    const { root, write } = await clone();
    write("new.txt", "");
    await expect(plan(root, "minor")).rejects.toThrow("There are changes that are not committed.");
  });

  test("needs main", async () => {
    const { root, git } = await clone();
    git("switch", "--quiet", "--create", "topic");
    await expect(plan(root, "minor")).rejects.toThrow("Releases are made from main, and this is topic.");
  });

  test("needs what origin has", async () => {
    const { root, git } = await clone();
    git("commit", "--quiet", "--allow-empty", "--message", "Not pushed");
    await expect(plan(root, "minor")).rejects.toThrow("main is not what origin has");
  });

  test("needs something to tell", async () => {
    const { root, write, git } = await clone();
    write("CHANGELOG.md", CHANGELOG.replace("### Added\n\n- One.\n\n", ""));
    git("commit", "--quiet", "--all", "--message", "Tell nothing");
    git("push", "--quiet", "origin", "main");
    await expect(plan(root, "minor")).rejects.toThrow("CHANGELOG.md has nothing in a section [Unreleased].");
  });

  test("tells of what it breaks by its number", async () => {
    const { root, write, git } = await clone();
    write("CHANGELOG.md", CHANGELOG.replace("One.", "**Breaking**: one is two."));
    git("commit", "--quiet", "--all", "--message", "Break");
    git("push", "--quiet", "origin", "main");
    await expect(plan(root, "patch")).rejects.toThrow("after 0.1.0 that takes a minor version");
    expect((await plan(root, "minor")).version).toBe("0.2.0");
  });

  test("tells of the exports that are gone since the last one", async () => {
    const { root, write, git } = await clone();
    const push = (message: string) => {
      git("add", ".");
      git("commit", "--quiet", "--message", message);
      git("push", "--quiet", "origin", "main");
    };
    git("tag", "v0.0.9");
    mkdirSync(join(root, "api"));
    write(REPORT, "## `a-package`\n\n```ts\nexport declare class Zone {\n}\n```\n");
    push("Report");
    expect((await plan(root, "minor")).version).toBe("0.2.0");

    git("tag", "v0.0.10");
    write(REPORT, "## `a-package`\n");
    push("Remove");
    await expect(plan(root, "minor")).rejects.toThrow(
      "CHANGELOG.md marks nothing as **Breaking**, but these exports are gone: a-package: Zone.",
    );
    write("CHANGELOG.md", CHANGELOG.replace("One.", "**Breaking**: no more zones."));
    push("Tell");
    expect((await plan(root, "minor")).version).toBe("0.2.0");
  });

  test("has a version of its own", async () => {
    const { root, git } = await clone();
    git("tag", "v0.2.0");
    await expect(plan(root, "minor")).rejects.toThrow("There is a tag v0.2.0 already.");
  });
});
