import { expect, test } from "vitest";
import { valueIn } from "../../src/base/projectFile";

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
