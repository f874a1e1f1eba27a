import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/root.mts";
import { chartOf } from "./chart.mts";
import { reportOf } from "./report.mts";
import { type Results, readResults } from "./results.mts";
import { Summary } from "./summary.mts";

const FOLDER = join(ROOT, "bench/results");
const DOCUMENT = join(ROOT, "docs/performance.md");
const CHART = join(ROOT, "docs/images/performance.svg");
const MARKED = /(?<=<!-- results -->\n).*(?=\n<!-- \/results -->)/s;

/** The results that the documents show. */
export async function committedResults(): Promise<Results[]> {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(files.map((name) => readResults(join(FOLDER, name))));
}

/** The document and its chart as the results make them. */
export async function documentOf(results: readonly Results[]): Promise<{ text: string; chart: string }> {
  const text = (await readFile(DOCUMENT, "utf8")).replace(MARKED, () => `\n${reportOf(results)}\n`);
  return { text, chart: chartOf(new Summary(results.flatMap(({ measurements }) => measurements))) };
}

export async function writeDocument(results: readonly Results[]): Promise<void> {
  const { text, chart } = await documentOf(results);
  await writeFile(DOCUMENT, text);
  await writeFile(CHART, chart);
}
