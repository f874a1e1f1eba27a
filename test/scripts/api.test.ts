import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { REPORT, removedExports, report } from "../../scripts/api.mts";
import { ROOT } from "../../scripts/root.mts";

const ADVICE = `${REPORT} is not of these sources. Run \`npm run api\`, commit the report with the change, and mark in CHANGELOG.md with **Breaking** what existing programs notice.`;

test("the report is of these sources", { timeout: 120_000 }, () => {
  expect(report(), ADVICE).toBe(readFileSync(join(ROOT, REPORT), "utf8"));
});

const before = [
  "# Public interface",
  "## `a`\n\n```ts\nexport declare class Kept {\n}\n\nexport declare abstract class Gone {\n}\n\nexport type Both = 1;\n```",
  "### Named there, but not exported\n\n```ts\nexport interface Internal {\n}\n```",
  "## `a/b`\n\n```ts\nexport declare const FEW: 1;\n\nexport declare function few(): void;\n\nexport interface Both {\n}\n```",
  "",
].join("\n\n");

test("the exports that are gone are told with where they were", () => {
  const after = before.replace(/(abstract class )Gone|(interface )Both|(function )few/g, "$1$2$3Renamed");
  expect(removedExports(before, after)).toEqual(["a: Gone", "a/b: few", "a/b: Both"]);
});

test("the exports that are gone are none when something is added, or gone from what was no export", () => {
  const after = before
    .replace("export interface Internal {\n}", "")
    .replace("class Kept {", "class Kept {\n  more: 1;");
  expect(removedExports(before, after)).toEqual([]);
});
