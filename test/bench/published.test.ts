import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { columnNamed } from "../../bench/columns.mts";
import { committedResults, documentsOf } from "../../bench/published.mts";
import { ROOT } from "../../scripts/root.mts";

test("the documents and their chart show the results in bench/results", async () => {
  for (const [file, content] of await documentsOf(await committedResults())) {
    expect(
      await readFile(join(ROOT, file), "utf8"),
      `${file} is stale: run \`npm run bench -- --report --write\``,
    ).toBe(content);
  }
});

test.each(["docs/performance.md", "bench/README.md"])("%s names a small heap as it was measured", async (file) => {
  const { environment = {} } = columnNamed("small-heap");
  const [[name, value] = []] = Object.entries(environment);
  expect(await readFile(join(ROOT, file), "utf8")).toContain(`\`${name}="${value}"\``);
});
