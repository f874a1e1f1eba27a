import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runtimeOf, valueIn } from "../../src/base/projectFile";

test.each([
  ["name: shop\nruntime: nodejs\n", "shop"],
  ["# name: not this\n---\nruntime:\n  name: nodejs\nname: 'shop' # a comment\n", "shop"],
  ['"name" : "shop"\n', "shop"],
  ["{ name: shop, runtime: nodejs, main: index.ts }\n", "shop"],
  ["# A comment.\n{ runtime: { name: nodejs, options: { name: b } }, 'name': \"shop\" }\n", "shop"],
  ["{\n  runtime: nodejs,\n  name: shop,\n}\n", "shop"],
  ['{ "runtime": { "name": "nodejs" }, "name": "shop" }', "shop"],
  ["runtime:\n  name: nodejs\n", undefined],
  ["{ runtime: { name: nodejs } }", undefined],
  ["", undefined],
])("in %j, the project's name is %j", (text, name) => {
  expect(valueIn(text, "name")).toBe(name);
});

test("a path is a value, too", () => {
  expect(valueIn("main: ./src/my-app.ts\n", "main")).toBe("./src/my-app.ts");
  expect(valueIn("{name: a, main: ./src/my-app.ts}", "main")).toBe("./src/my-app.ts");
});

test.each([
  [{ "Pulumi.yaml": "name: a\nruntime: python\n" }, "python"],
  [{ "Pulumi.yaml": "name: a\nruntime:\n  name: python\n  options:\n    virtualenv: venv\n" }, "python"],
  [{ "Pulumi.yaml": "{ name: a, runtime: { name: go } }" }, "go"],
  [{ "Pulumi.json": '{ "name": "a", "runtime": { "name": "dotnet" } }' }, "dotnet"],
  [{ "Pulumi.yaml": "name: a\nruntime: nodejs\n" }, "nodejs"],
  [{}, undefined],
] as [Record<string, string>, string | undefined][])("the project of %j runs %s", (files, runtime) => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  expect(runtimeOf(folder)).toBe(runtime);
});
