import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { entryOf, importLine, reaches, withImport } from "../../../src/cli/import/entry";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "entry-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const PROJECT = "name: a\nruntime: nodejs\n";

test.each<[string, Record<string, string>, string, boolean]>([
  ["", {}, "index.ts", false],
  ["", { "index.ts": "" }, "index.ts", true],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "app.ts" }', "app.ts": "" }, "app.ts", true],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "bin/" }', "bin/index.js": "" }, "bin/index.js", true],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "index.js" }', "index.ts": "" }, "index.ts", true],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "./index.js" }' }, "index.ts", false],
  [
    "",
    { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "index.js" }', "index.js": "", "index.ts": "" },
    "index.js",
    true,
  ],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "bin/a.js" }', "index.ts": "" }, "index.ts", true],
  ["", { "Pulumi.yaml": PROJECT, "package.json": '{ "main": "bin/a.js" }' }, "bin/a.js", false],
  ["", { "Pulumi.yaml": `${PROJECT}main: infra/a.ts\n`, "infra/index.ts": "", "index.ts": "" }, "infra/a.ts", false],
  ["", { "Pulumi.yaml": `${PROJECT}main: infra\n`, "infra/index.ts": "" }, "infra/index.ts", true],
  ["", { "Pulumi.yaml": `${PROJECT}main: infra/a.ts\n` }, "infra/a.ts", false],
  ["", { "Pulumi.yaml": "{ name: a, runtime: nodejs, main: infra/a.ts }", "index.ts": "" }, "infra/a.ts", false],
  ["", { "Pulumi.json": '{ "name": "a", "main": "infra/a.ts" }', "index.ts": "" }, "infra/a.ts", false],
  ["", { "Pulumi.yaml": `${PROJECT}main: my program/\n`, "my program/index.ts": "" }, "my program/index.ts", true],
  ["not-there-yet", {}, "not-there-yet/index.ts", false],
  ["deeper", { "Pulumi.yaml": PROJECT, "index.js": "", "deeper/b.ts": "" }, "index.js", true],
])("in %j of %j, the program begins with %s", (below, files, file, isThere) => {
  write(files);
  const entry = entryOf(join(folder, below));
  expect({ ...entry, file: relative(folder, entry.file) }).toEqual({ file, isThere });
});

test.each<[string, string, string, string]>([
  ["index.ts", "imported.ts", "{}", 'import "./imported";'],
  ["src/index.ts", "out/imported-2.ts", "{}", 'import "../out/imported-2";'],
  ["index.js", "imported.ts", "{}", 'require("./imported");'],
  ["index.ts", "imported.ts", '{ "type": "module" }', 'import "./imported.ts";'],
  ["index.js", "imported.ts", '{ "type": "module" }', 'import "./imported.ts";'],
  ["index.cts", "imported.ts", '{ "type": "module" }', 'import "./imported";'],
])("%s imports %s in a package %s by %s", (from, file, manifest, line) => {
  write({ "package.json": manifest });
  expect(importLine(join(folder, from), join(folder, file))).toBe(line);
});

test("with ts-node, ES modules import what TypeScript files compile to", () => {
  write({
    "package.json": '{ "type": "module" }',
    "node_modules/ts-node/package.json": '{ "exports": { "./esm": "./esm.mjs" } }',
    "node_modules/ts-node/esm.mjs": "",
  });
  expect(importLine(join(folder, "src/index.ts"), join(folder, "src/imported.ts"))).toBe('import "./imported.js";');
});

const LINE = 'import "./imported";';

test.each([
  ["", `${LINE}\n`],
  ["const a = 1;\n", `${LINE}\nconst a = 1;\n`],
  ["#!/usr/bin/env node\nconst a = 1;\n", `#!/usr/bin/env node\n${LINE}\nconst a = 1;\n`],
  ["#!/usr/bin/env node", `#!/usr/bin/env node\n${LINE}\n`],
  ['import "./a";\n\nrun();\n', `import "./a";\n${LINE}\n\nrun();\n`],
  ['import "./a"', `import "./a"\n${LINE}\n`],
  [
    '// One.\nimport {\n  a,\n} from "a";\nimport * as b from "b"; // b\n\na();\n',
    `// One.\nimport {\n  a,\n} from "a";\nimport * as b from "b"; // b\n${LINE}\n\na();\n`,
  ],
  ['/* import "./x"; */\na(`\nimport "./y";\n`);\n', `${LINE}\n/* import "./x"; */\na(\`\nimport "./y";\n\`);\n`],
])("%j imports one file more", (text, changed) => {
  expect(withImport(text, LINE)).toBe(changed);
  write({ "index.ts": changed });
  expect(reaches(join(folder, "index.ts"), join(folder, "imported.ts"))).toBe(true);
});

test.each<[string, Record<string, string>, boolean]>([
  ["itself", { "index.ts": LINE }, true],
  [
    "in two steps, and a circle",
    { "index.ts": 'export * from "./a";', "a/index.ts": 'import "../index"; import("../imported.js")' },
    true,
  ],
  ["as its program's comment says", { "index.ts": `// ${LINE}\n/*\n${LINE}\n*/\n` }, false],
  ["a neighbour", { "index.ts": 'import "./imported-2";' }, false],
  ["a package of the name", { "index.ts": 'import "imported";' }, false],
])("a program that imports %s reaches the file or not", (_, files, isReached) => {
  write(files);
  expect(reaches(join(folder, "index.ts"), join(folder, "imported.ts"))).toBe(isReached);
});
