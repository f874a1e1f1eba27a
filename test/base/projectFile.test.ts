import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { projectText, providersIn, runtimeOf, valueIn } from "../../src/base/projectFile";

test.each([
  ["name: shop\nruntime: nodejs\n", "shop"],
  ["# name: not this\n---\nruntime:\n  name: nodejs\nname: 'shop' # a comment\n", "shop"],
  ['"name" : "shop"\n', "shop"],
  ["{ name: shop, runtime: nodejs, main: index.ts }\n", "shop"],
  ["# A comment.\n{ runtime: { name: nodejs, options: { name: b } }, 'name': \"shop\" }\n", "shop"],
  ["{\n  runtime: nodejs,\n  name: shop,\n}\n", "shop"],
  ['{ "runtime": { "name": "nodejs" }, "name": "shop" }', "shop"],
  ["runtime:\n  name: nodejs\n", undefined],
  ["name: # not yet\nmain: index.ts\n", undefined],
  ["{ runtime: { name: nodejs } }", undefined],
  ["", undefined],
])("in %j, the project's name is %j", (text, name) => {
  expect(valueIn(text, "name")).toBe(name);
});

const HEAD = "name: brightdata\nruntime: nodejs\n";

test.each([
  [
    `${HEAD}plugins:\n  providers:\n    - name: brightdata # ours\n      path: ./plugin\n    - name: "aws"\n`,
    ["brightdata", "aws"],
  ],
  [
    `${HEAD}plugins:\n  providers:\n  - path: ./plugin\n    name: 'brightdata'\n\n  - { name: aws, path: b }\n`,
    ["brightdata", "aws"],
  ],
  [`${HEAD}plugins:\r\n  providers:\r\n    - name: brightdata\r\n`, ["brightdata"]],
  [`${HEAD}plugins:\n  providers: [{ name: brightdata, path: ./plugin }]\n`, ["brightdata"]],
  [
    `${HEAD}plugins: { providers: [{ path: ./plugin, "name": "brightdata" }], analyzers: [{ name: own }] }\n`,
    ["brightdata"],
  ],
  [
    JSON.stringify({ name: "brightdata", plugins: { providers: [{ name: "brightdata" }] } }, undefined, 2),
    ["brightdata"],
  ],
  [JSON.stringify({ plugins: { providers: [{ name: "aws", path: "a" }] }, name: "brightdata" }), ["aws"]],
  [
    `${HEAD}plugins:\n  analyzers:\n    - name: brightdata\n  providers:\n    - name: aws\n  languages:\n    - name: own\n`,
    ["aws"],
  ],
  [`plugins:\n  providers:\n    - name: aws\n      path: a\n${HEAD}`, ["aws"]],
  [`plugins:\n  analyzers:\n    - name: brightdata\n${HEAD}config:\n  providers:\n    - name: brightdata\n`, []],
  [`${HEAD}plugins:\n  # providers: [{ name: brightdata }]\n`, []],
  [HEAD, []],
  ["", []],
])("in %j, the providers with a folder of their own are %j", (text, names) => {
  expect(providersIn(text)).toEqual(names);
});

test("a path is a value, too", () => {
  expect(valueIn("main: ./src/my-app.ts\n", "main")).toBe("./src/my-app.ts");
  expect(valueIn("{name: a, main: ./src/my-app.ts}", "main")).toBe("./src/my-app.ts");
});

test.each([
  'main: "my program/it\'s.ts" # a comment\n',
  "main: my program/it's.ts # a comment\n",
  "name: a\r\nmain: my program/it's.ts\r\n",
  '{ "name": "a", "main": "my program/it\'s.ts" }',
  "{ name: a, main: my program/it's.ts }\n",
])("in %j, the path has a blank", (text) => {
  expect(valueIn(text, "main")).toBe("my program/it's.ts");
});

test.each([
  [{ "Pulumi.yaml": "name: a\nruntime: python\n" }, "python"],
  [{ "Pulumi.yaml": "name: a\nruntime:\n  name: python\n  options:\n    virtualenv: venv\n" }, "python"],
  [
    { "Pulumi.yaml": "runtime:\n  options:\n    toolchain: pip\n\n  # The language.\n  name: 'python'\nname: a\n" },
    "python",
  ],
  [
    { "Pulumi.yaml": "name: a\r\nruntime: # ours\r\n  options:\r\n    name: no\r\n  name: nodejs\r\nmain: b\r\n" },
    "nodejs",
  ],
  [{ "Pulumi.yaml": "name: a\nruntime: nodejs # name: b\nmain: src\n" }, "nodejs"],
  [{ "Pulumi.yaml": "{ name: a, runtime: { name: go } }" }, "go"],
  [{ "Pulumi.yaml": "{ name: a, runtime: go, main: b }" }, "go"],
  [{ "Pulumi.json": '{ "runtime": { "options": { "binary": "x" }, "name": "go" }, "name": "a" }' }, "go"],
  [{ "Pulumi.json": '{ "name": "a", "runtime": { "name": "dotnet" } }' }, "dotnet"],
  [{ "Pulumi.yaml": "name: a\nruntime: nodejs\n" }, "nodejs"],
  [{}, undefined],
] as [Record<string, string>, string | undefined][])("the project of %j runs %s", (files, runtime) => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  expect(runtimeOf(folder)).toBe(runtime);
});

test.each(["utf8", "utf16le"] as const)("a project whose file begins with the mark of %s is read, too", (encoding) => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "Pulumi.yaml"), "\uFEFFname: café\r\nruntime: go\r\n", encoding);
  expect(valueIn(projectText(join(folder, "Pulumi.yaml")), "name")).toBe("café");
  expect(runtimeOf(folder)).toBe("go");
});
