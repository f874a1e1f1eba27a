// Changes each expression of the core and of the kinds' lifecycles, and counts what a test beside it tells of: npm run mutants
//   NAME …   only these parts: run, lifecycle, used, or a kind; the others' reports are those of an earlier run
//   FILE     only a file, for the list of what is left of it
// Takes hours. With a report of each part, the table in the document is written.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../process.mts";
import { ROOT } from "../root.mts";
import { isIn, PARTS, type Part, type Report, tableOf } from "./parts.mts";

const HOURS = 12;
const FOLDER = "build/mutants";
const DOCUMENT = join(ROOT, "CONTRIBUTING.md");
const MARKERS = ["<!-- mutants -->", "<!-- end of the mutants -->"] as const;

const reportOf = (name: string): string => `${FOLDER}/${name}.report.json`;

async function measure({ files, tests }: Part, name: string): Promise<void> {
  const settings: unknown = JSON.parse(await readFile(join(ROOT, "scripts/mutants/stryker.json"), "utf8"));
  const config = { ...(settings as object), mutate: files, jsonReporter: { fileName: reportOf(name) } };
  await mkdir(join(ROOT, FOLDER), { recursive: true });
  await writeFile(join(ROOT, FOLDER, `${name}.json`), JSON.stringify(config));
  const { status } = await run("npx", ["stryker", "run", `${FOLDER}/${name}.json`], {
    timeoutMs: HOURS * 3_600_000,
    cwd: ROOT,
    env: { ...process.env, MUTANTS_TESTS: tests.join(",") },
    output: "stdout",
  });
  if (status !== 0) throw new Error(`Stryker has failed on ${name}.`);
}

async function score(): Promise<void> {
  const measured = PARTS.filter(({ name }) => existsSync(join(ROOT, reportOf(name))));
  const reports = measured.map(async ({ row, name }) => {
    return { row, report: JSON.parse(await readFile(join(ROOT, reportOf(name)), "utf8")) as Report };
  });
  const table = tableOf(await Promise.all(reports));
  console.log(table);
  if (measured.length < PARTS.length) return;
  const text = await readFile(DOCUMENT, "utf8");
  const [start, end] = MARKERS.map((marker) => text.indexOf(marker)) as [number, number];
  await writeFile(DOCUMENT, `${text.slice(0, start)}${MARKERS[0]}\n\n${table}\n\n${text.slice(end)}`);
}

const partOf = (file: string): Part | undefined => PARTS.find((part) => isIn(part, file));

async function main(wanted: readonly string[]): Promise<void> {
  const unknown = wanted.find((name) => partOf(name) === undefined && !PARTS.some((part) => part.name === name));
  if (unknown !== undefined) throw new Error(`There is no part and no file ${unknown}.`);
  for (const file of wanted) {
    const part = partOf(file);
    if (part !== undefined) await measure({ ...part, files: [file] }, "file");
  }
  const parts = PARTS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  for (const part of parts) await measure(part, part.name);
  if (parts.length > 0) await score();
}

await main(process.argv.slice(2));
