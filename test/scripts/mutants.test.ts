import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "../../scripts/mutants/mutants.mts";
import { isIn, PARTS, tableOf } from "../../scripts/mutants/parts.mts";
import { compiled } from "../../scripts/packed.mts";
import { ROOT } from "../../scripts/root.mts";

test.each(MUTANTS)("the mutant of $file is of a text that stands there once: $name", ({ file, text, becomes }) => {
  expect(readFileSync(join(ROOT, file), "utf8").split(text)).toHaveLength(2);
  expect(becomes).not.toBe(text);
});

test("files that mutants change are compiled by themselves to what the build has", () => {
  for (const file of new Set(MUTANTS.map((mutant) => mutant.file))) {
    const built = readFileSync(join(ROOT, file.replace(/^src/, "dist").replace(/ts$/, "js")), "utf8");
    expect(compiled(readFileSync(join(ROOT, file), "utf8")).trim(), file).toBe(built.trim());
  }
});

test("each mutant has a name of its own", () => {
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test("each file of the core, and each kind's lifecycle, is measured in one part", () => {
  const files = ["src/run/*.ts", "src/lifecycle/*.ts", "src/kinds/*/lifecycle.ts"].flatMap((pattern) =>
    globSync(pattern, { cwd: ROOT }),
  );
  expect(files.filter((file) => PARTS.filter((part) => isIn(part, file)).length !== 1)).toEqual([]);
  expect(files.length).toBeGreaterThan(60);
});

test("what was measured is counted by rows: what is told, what is left, and nothing that is no code", () => {
  const report = (...statuses: string[]) => ({
    files: { "a.ts": { mutants: statuses.map((status) => ({ status })) } },
  });
  expect(
    tableOf([
      { row: "`src/run`", report: report("Killed", "Timeout", "Survived", "Ignored") },
      { row: "`zone`", report: report("NoCoverage", "Killed", "CompileError") },
      { row: "`zone`", report: report("Killed", "Killed") },
    ]),
  ).toBe(`| Files | Changes | Left | Score |
| --- | ---: | ---: | ---: |
| \`src/run\` | 3 | 1 | 66.7 % |
| \`zone\` | 4 | 1 | 75.0 % |
| all | 7 | 2 | 71.4 % |`);
});
