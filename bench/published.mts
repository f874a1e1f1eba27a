import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/root.mts";
import { chartOf } from "./chart.mts";
import { overviewOf, reportOf, wholeRun } from "./report.mts";
import { type Results, readResults } from "./results.mts";
import { Summary } from "./summary.mts";

const FOLDER = join(ROOT, "bench/results");
const MARKED = /(?<=<!-- results -->\n).*(?=\n<!-- \/results -->)/s;

/** The results that the documents show. */
export async function committedResults(): Promise<Results[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(files.map((name) => readResults(join(FOLDER, name))));
}

/** The documents and the chart as the results make them, by their paths below the root. */
export async function documentsOf(results: readonly Results[]): Promise<[file: string, content: string][]> {
  const filled = async (file: string, text: string): Promise<[string, string]> => [
    file,
    (await readFile(join(ROOT, file), "utf8")).replace(MARKED, () => `\n${text}\n`),
  ];
  return [
    await filled("bench/README.md", reportOf(results)),
    await filled("docs/performance.md", overviewOf(results)),
    ["docs/images/performance.svg", chartOf(new Summary(wholeRun(results).measurements))],
  ];
}

export async function writeDocuments(results: readonly Results[]): Promise<void> {
  for (const [file, content] of await documentsOf(results)) await writeFile(join(ROOT, file), content);
}
