// Runs every tier of checks, goes on after one that fails, and ends with the sum of them all on one line.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";
import { TURN } from "./turn.mts";

const TOTAL_MINUTES = 70;

export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

interface Tier {
  name: string;
  command: readonly [string, ...string[]];
  /** How long it may take on a slow machine with empty caches. */
  minutes: number;
  /** Whether it runs Vitest, whose report gives the numbers. Any other tier counts as one. */
  vitest?: true;
  env?: NodeJS.ProcessEnv;
}

const THIRDS = 3;

/** Which third that is, the commit says: each has a seed of its own, and always the same. */
const A_THIRD_OF_THE_LAWS = { LAWS_SHARE: String(THIRDS), LAWS_SEED: String(TURN % THIRDS) };

/** The same ones for each commit: of 1,000 new ones, about one shows something, which says nothing of what was changed. */
const FIRST_SEED = "22000001";

/** One after another: each keeps every core busy. What they build stays as it is. */
const ALONE: readonly Tier[] = [
  { name: "lint", command: ["biome", "ci", "--colors=off", "."], minutes: 2 },
  { name: "test", command: ["npm", "test"], minutes: 25, vitest: true },
  { name: "laws", command: ["npm", "run", "test:laws"], minutes: 15, vitest: true, env: A_THIRD_OF_THE_LAWS },
  { name: "histories", command: ["npm", "run", "histories", "--", "600", FIRST_SEED], minutes: 6 },
  { name: "engine", command: ["npm", "run", "test:engine"], minutes: 35, vitest: true },
];

/** The longest row goes first where a core is wanted by several. */
const politely = (row: readonly Tier[]): readonly Tier[] =>
  row.map((tier) => ({ ...tier, command: ["nice", ...tier.command] }));

/**
 * Rows side by side, as each leaves the cores idle for much of the time. In the first are those that listen on a Proxy Manager's
 * ports.
 */
const ROWS: readonly (readonly Tier[])[] = [
  [
    { name: "manager", command: ["npm", "run", "test:manager"], minutes: 15, vitest: true },
    { name: "templates", command: ["npm", "run", "test:templates"], minutes: 12, vitest: true },
    { name: "demo", command: ["npm", "run", "demo"], minutes: 4 },
  ],
  politely([
    { name: "engine-histories", command: ["npm", "run", "test:engine-histories"], minutes: 18, vitest: true },
    { name: "package", command: ["npm", "run", "test:package"], minutes: 10, vitest: true },
  ]),
  politely([
    { name: "pipelines", command: ["npm", "run", "test:pipelines"], minutes: 18, vitest: true },
    { name: "policies", command: ["npm", "run", "test:policies"], minutes: 8, vitest: true },
    { name: "languages", command: ["npm", "run", "test:python"], minutes: 18, vitest: true },
    { name: "types", command: ["npm", "run", "typecheck"], minutes: 5 },
    { name: "growth", command: ["npm", "run", "test:growth"], minutes: 8, vitest: true },
  ]),
];

/** The part of Vitest's JSON report that is counted. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
  }[];
}

/**
 * Counts a Vitest run. A file that failed without a failed test (it could not be loaded, or a hook of it failed) counts
 * as one, and so does a run that went wrong in no file (a time limit, a crash, an error nobody caught) or left no report.
 */
export function countVitest(report: VitestReport | undefined, succeeded: boolean): Tally {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const failedAsAWhole = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && assertionResults.every((assertion) => assertion.status !== "failed"),
  );
  const failed = report.numFailedTests + failedAsAWhole.length;
  return {
    passed: report.numPassedTests,
    failed: succeeded ? failed : Math.max(failed, 1),
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

export function sum(tallies: readonly Tally[]): Tally {
  const total: Tally = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of tallies) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

export function inWords({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

const MESSAGE_LINES = 8;

/** What failed in a Vitest run, for the end of the log: nobody finds it in its hundred thousand lines. */
export function failures({ testResults }: VitestReport): string[] {
  return testResults
    .filter(({ status }) => status === "failed")
    .flatMap(({ name, message, assertionResults }) => {
      const file = relative(ROOT, name);
      const failed = assertionResults.filter(({ status }) => status === "failed");
      if (failed.length === 0) return [told(file, message)];
      return failed.map(({ fullName, failureMessages }) => told(`${file} > ${fullName}`, failureMessages.join("\n")));
    });
}

function told(title: string, message: string): string {
  const lines = message.trim().split("\n").slice(0, MESSAGE_LINES);
  return [title, ...lines.map((line) => `    ${line}`)].join("\n");
}

/** What a tier came to. */
interface Result {
  tally: Tally;
  failures: readonly string[];
}

interface Outcome extends Result {
  name: string;
  seconds: number;
}

/** @param isAlone whether its output is shown as it comes, or as a whole, apart from that of the others. */
async function runTier(tier: Tier, scratch: string, deadline: number, isAlone: boolean): Promise<Result> {
  const reportFile = join(scratch, `${tier.name}.json`);
  const [command, ...args] = tier.command;
  if (tier.vitest) args.push("--", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`);
  const timeoutMs = Math.min(tier.minutes * 60_000, deadline - Date.now());
  const heading = `=== ${tier.name}: ${tier.command.join(" ")}`;
  console.log(`\n${heading}`);
  const PATH = [join(ROOT, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, ...tier.env, PATH };
  const ending = await run(command, args, {
    cwd: ROOT,
    env,
    timeoutMs: Math.max(timeoutMs, 1),
    ...(isAlone && { output: "stdout" }),
  }).catch((error: Error) => console.log(`=== ${tier.name}: ${error.message}`));
  if (ending && !isAlone) console.log(`\n${heading}\n${ending.stdout}${ending.stderr}`);
  if (ending?.timedOut) console.log(`=== ${tier.name}: ended by its time limit`);
  const succeeded = ending?.status === 0;
  if (!tier.vitest)
    return { tally: { passed: Number(succeeded), failed: Number(!succeeded), skipped: 0 }, failures: [] };
  const report = await readReport(reportFile);
  return { tally: countVitest(report, succeeded), failures: report ? failures(report) : [] };
}

async function readReport(file: string): Promise<VitestReport | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as VitestReport;
  } catch (error) {
    console.log(`There is no report to read: ${(error as Error).message}`);
    return undefined;
  }
}

if (import.meta.main) {
  const deadline = Date.now() + TOTAL_MINUTES * 60_000;
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-brightdata-ci-"));
  const outcomes: Outcome[] = [];
  const runAll = async (tiers: readonly Tier[], isAlone: boolean) => {
    for (const tier of tiers) {
      const start = Date.now();
      const result = await runTier(tier, scratch, deadline, isAlone);
      outcomes.push({ ...result, name: tier.name, seconds: Math.round((Date.now() - start) / 1000) });
    }
  };
  await runAll(ALONE, true);
  await Promise.all(ROWS.map((row) => runAll(row, false)));
  await rm(scratch, { recursive: true, force: true });

  const failed = outcomes.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  if (failed.length > 0) console.log(`\nFailed:\n${failed.join("\n")}`);
  console.log();
  for (const { name, tally, seconds } of outcomes) console.log(`${name.padEnd(16)} ${inWords(tally)} (${seconds} s)`);
  const total = sum(outcomes.map(({ tally }) => tally));
  console.log(inWords(total));
  process.exitCode = total.failed === 0 ? 0 : 1;
}
