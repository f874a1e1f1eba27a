import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResource } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import * as brightdata from "../src";

const ROOT = join(__dirname, "..");

/** What the programs call or construct. That they run is held by `test/engine/examples.test.ts` and `test/templates`. */
const paths = globSync(["examples/*/index.ts", "templates/*/index.ts"], { cwd: ROOT });
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8");
const used = paths
  .map(textOf)
  .flatMap((program) => [...program.matchAll(/\bbrightdata\.(\w+)\(/g)].map((match) => match[1]));

const kinds = Object.entries(brightdata)
  .filter(([, value]) => typeof value === "function" && value.prototype instanceof CustomResource)
  .map(([name]) => name);

const functions = Object.keys(brightdata).filter((name) => `${name}Output` in brightdata);

describe("an example or a template shows", () => {
  test.each(kinds)("%s", (kind) => {
    expect(used).toContain(kind);
  });

  test.each(functions)("%s", (name) => {
    expect(used.filter((each) => each === name || each === `${name}Output`)).not.toEqual([]);
  });
});

test("a blank at the end of a list of words is no word to an example", () => {
  const careless = paths.filter((path) => /\.split\(\/\\s\+\/\)(?!\.filter\(Boolean\))/.test(textOf(path)));
  expect(careless).toEqual([]);
});
