import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "../../scripts/mutants/mutants.mts";
import { ROOT } from "../../scripts/root.mts";

test.each(MUTANTS)("the mutant of $file is of a text that stands there once: $name", ({ file, text, becomes }) => {
  expect(readFileSync(join(ROOT, file), "utf8").split(text)).toHaveLength(2);
  expect(becomes).not.toBe(text);
});

test("each mutant has a name of its own", () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});
