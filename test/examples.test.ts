import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResource } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import * as brightdata from "../src";

const EXAMPLES = join(__dirname, "../examples");

/** What the programs call or construct. That each of them runs is held by `test/pulumi/examples.test.ts`. */
const used = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => readFileSync(join(EXAMPLES, name, "index.ts"), "utf8"))
  .flatMap((program) => [...program.matchAll(/\bbrightdata\.(\w+)\(/g)].map((match) => match[1]));

const kinds = Object.entries(brightdata)
  .filter(([, value]) => typeof value === "function" && value.prototype instanceof CustomResource)
  .map(([name]) => name);

const functions = Object.keys(brightdata).filter((name) => `${name}Output` in brightdata);

describe("an example shows", () => {
  test.each(kinds)("%s", (kind) => {
    expect(used).toContain(kind);
  });

  test.each(functions)("%s", (name) => {
    expect(used.filter((each) => each === name || each === `${name}Output`)).not.toEqual([]);
  });
});
