import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CustomResource } from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import * as brightdata from "../src";

const ROOT = join(__dirname, "..");

/** What the programs call or construct. That they run is held by `test/engine/examples.test.ts` and `test/templates`. */
const used = globSync(["examples/*/index.ts", "templates/*/index.ts"], { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
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
