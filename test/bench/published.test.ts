import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { columnNamed } from "../../bench/columns.mts";
import { committedResults, documentOf } from "../../bench/published.mts";
import { ROOT } from "../../scripts/root.mts";

const STALE = "stale: run `npm run bench -- --report --write`";

test("the document and its chart show the results in bench/results", async () => {
  const { text, chart } = await documentOf(await committedResults());
  expect(await readFile(join(ROOT, "docs/performance.md"), "utf8"), STALE).toBe(text);
  expect(await readFile(join(ROOT, "docs/images/performance.svg"), "utf8"), STALE).toBe(chart);
});

test("the document names the variables of a small heap as they were measured", async () => {
  const text = await readFile(join(ROOT, "docs/performance.md"), "utf8");
  const { environment = {} } = columnNamed("small-heap");
  const [[name, value] = []] = Object.entries(environment);
  expect(text.split(`\`${name}="${value}"\``)).toHaveLength(3);
});
