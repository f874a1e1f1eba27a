import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../../../scripts/process.mts";
import { bundlesOf } from "../../../src/cli/commands/bundle";
import { BEFORE_KILL } from "../../../src/pulumi/engine";

const PACKAGE = {
  "dist/start.js": `#!/usr/bin/env node
    "use strict";
    const { join, basename } = require("node:path");
    const { name } = require("./base/one");
    const kind = require(join(__dirname, "kinds", "zone"));
    Promise.resolve().then(() => require("./later.js")).then(({ later }) => {
      console.log([name, kind.name, later, basename(__filename), basename(__dirname)].join(" "));
      process.emit("${BEFORE_KILL}");
    });`,
  "dist/base/one.js": 'exports.name = "one"; exports.other = require("./two").name;',
  "dist/base/two.js": 'const one = require("./one"); exports.name = () => one.name;',
  "dist/kinds/zone.js": 'exports.name = require("library/lib/name.cjs") + require("library").end;',
  "dist/kinds/unused.js": 'throw new Error("Nobody has asked for this.");',
  "dist/later.js": 'exports.later = require("late");',
  "node_modules/late/index.js": 'module.exports = "later";',
  "node_modules/library/index.js": `/** @type {import("./types")} and require("./nowhere") */
    require("./lib/languages.cjs");
    exports.end = (function () { return "!"; })();`,
  "node_modules/library/lib/name.cjs": 'module.exports = "library";',
  "node_modules/library/lib/languages.cjs": 'exports.languages = require("./language.cjs");',
  "node_modules/library/lib/language.cjs": 'throw new Error("Nobody has asked for this either.");',
};

function folderOf(files: Iterable<readonly [path: string, text: string]>): string {
  const folder = mkdtempSync(join(tmpdir(), "bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

/** A folder with the bundles alone, and what the bundled program prints. */
function bundled(root = folderOf(Object.entries(PACKAGE))) {
  const folder = folderOf(
    bundlesOf(
      root,
      ["dist/start.js", "dist/kinds/zone.js", "dist/kinds/unused.js"],
      ["library", "late"],
      ["node_modules/library/lib/languages.cjs"],
    ),
  );
  const bundles = join(folder, "bundles");
  return {
    bundles,
    cacheOf: (name: string) => join(bundles, readdirSync(bundles).find((file) => file.startsWith(`${name}.js.`)) ?? ""),
    start: () => run(process.execPath, [join(folder, "dist/start.js")], { timeoutMs: 20_000 }),
  };
}

const PRINTED = { status: 0, stdout: "one library! later start.js dist\n", stderr: "" };

test("bundles run as the modules would, each when it is asked for", async () => {
  const { bundles, start } = bundled();
  expect(readdirSync(bundles).sort()).toEqual(["late.js", "library.js", "package.js"]);
  expect(readFileSync(join(bundles, "library.js"), "utf8")).not.toContain("either");
  expect(await start()).toMatchObject(PRINTED);
});

test.each(["node_modules", "node_modules/.pnpm/library@1.0.0/node_modules"])(
  "a dependency may be installed in %s beside the package",
  async (place) => {
    const entries = Object.entries(PACKAGE).map(([path, text]): [string, string] => [
      path.startsWith("node_modules/") ? path.replace("node_modules", place) : `node_modules/package/${path}`,
      text,
    ]);
    const project = folderOf(entries);
    for (const name of ["library", "late"]) {
      const installed = join(project, "node_modules", name);
      if (!existsSync(installed)) symlinkSync(join(project, place, name), installed);
    }
    expect(await bundled(join(project, "node_modules/package")).start()).toMatchObject(PRINTED);
  },
);

test("what a bundle was compiled to is kept for the next process, and written once", async () => {
  const { bundles, cacheOf, start } = bundled();
  await start();
  expect(readdirSync(bundles)).toHaveLength(6);
  // One is opened at the start, and one when all that is needed first has run.
  const kept = () => ["package", "late"].map((name) => statSync(cacheOf(name)).ino);
  const before = kept();
  expect(await start()).toMatchObject(PRINTED);
  expect(kept()).toEqual(before);
});

test("what cannot be kept, as where another process has it open on Windows, leaves nothing beside", async () => {
  const { bundles, cacheOf, start } = bundled();
  await start();
  const before = readdirSync(bundles);
  const file = cacheOf("package");
  rmSync(file);
  mkdirSync(file);
  expect(await start()).toMatchObject(PRINTED);
  expect(readdirSync(bundles)).toEqual(before);
});

test("what was kept by fewer modules, or is no code, is replaced", async () => {
  const { cacheOf, start } = bundled();
  await start();
  const file = cacheOf("package");
  const kept = readFileSync(file);
  const fewer = Buffer.from(kept);
  fewer.writeUInt32LE(1);
  for (const content of [fewer, Buffer.from("this is no code"), Buffer.alloc(0)]) {
    writeFileSync(file, content);
    expect(await start()).toMatchObject(PRINTED);
    expect(readFileSync(file).readUInt32LE()).toBe(kept.readUInt32LE());
  }
});
