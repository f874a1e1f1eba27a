// Every trouble at every request of every operation of every kind: npm run matrix, or by the protocol of plugins:
// npm run matrix -- native
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const MINUTES = 120;
const DOCUMENT = join(ROOT, "CONTRIBUTING.md");
const PROTOCOL = process.argv[2] === "native" ? "native" : "dynamic";
const MARKERS = [`<!-- matrix: ${PROTOCOL} -->`, `<!-- end of the matrix: ${PROTOCOL} -->`] as const;

/** The rows, and what the names of their troubles begin with. The first that fits takes a trouble. */
const ROWS: readonly [string, RegExp][] = [
  ["outage", /, then an outage$/],
  ["lost answer", /^lost/],
  ["silent or late", /^(silence|slow|late)/],
  ["cut short, drip", /^(cut short|drip|endless drip)/],
  ["429", /^429/],
  ["5xx", /^5/],
  ["redirect", /^redirect/],
  ["200 with something else", /./],
];

interface Report {
  testResults: {
    assertionResults: { ancestorTitles: string[]; title: string; status: string; meta: { ending?: string } }[];
  }[];
}

const NOT_PASSED: Readonly<Record<string, "waived">> = { skipped: "waived", pending: "waived" };

/** How many cases ended in each way. */
class Count {
  survived = 0;
  told = 0;
  waived = 0;
  failed = 0;
}

async function report(share: number, shares: number, folder: string): Promise<Report> {
  const file = join(folder, `${share}.json`);
  const vitest = ["vitest", "run", "--project", "laws", "test/laws/trouble.test.ts"];
  const { timedOut } = await run("npx", [...vitest, "--reporter=json", `--outputFile=${file}`], {
    timeoutMs: MINUTES * 60_000,
    cwd: ROOT,
    env: { ...process.env, LAWS_MATRIX: `${share}/${shares}`, LAWS_PROTOCOL: PROTOCOL },
  });
  if (timedOut) throw new Error(`It took longer than ${MINUTES} minutes.`);
  return JSON.parse(await readFile(file, "utf8")) as Report;
}

const folder = await mkdtemp(join(tmpdir(), "matrix-"));
const shares = availableParallelism();
const reports = await Promise.all(Array.from({ length: shares }, (_, share) => report(share, shares, folder)));
await rm(folder, { recursive: true });

const counts = new Map(ROWS.map(([name]) => [name, new Count()]));
const totals = new Count();
const failures: string[] = [];
const cases = reports.flatMap(({ testResults }) => testResults.flatMap(({ assertionResults }) => assertionResults));
for (const { ancestorTitles, title, status, meta } of cases) {
  const trouble = title.slice(title.lastIndexOf(" | ") + 3).replace(/ \(waived: .*/, "");
  const [name = ""] = ROWS.find(([, pattern]) => pattern.test(trouble)) ?? [];
  const which = status === "passed" ? (meta.ending === "told" ? "told" : "survived") : (NOT_PASSED[status] ?? "failed");
  if (which === "failed") failures.push(`${ancestorTitles.join(" ").trim()} | ${title}`);
  for (const each of [counts.get(name), totals]) if (each !== undefined) each[which]++;
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;
const table = [
  line(["Failure", "As declared", "Told", "Waived"]),
  line(["---", "---:", "---:", "---:"]),
  ...[...counts, ["all", totals] as const].map(([name, { survived, told, waived }]) =>
    line([name, survived, told, waived]),
  ),
].join("\n");

const text = await readFile(DOCUMENT, "utf8");
const [start, end] = MARKERS.map((marker) => text.indexOf(marker)) as [number, number];
const written = `${MARKERS[0]}\n\n${table}\n\n`;
await writeFile(DOCUMENT, text.slice(0, start) + written + text.slice(end));
console.log(`${table}\n\n${failures.length} of ${cases.length} cases failed.`);
for (const failure of failures.sort()) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
