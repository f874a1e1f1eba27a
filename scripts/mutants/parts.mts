// What `npm run mutants` measures, part by part, and the table of it.
import { readdirSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { ROOT } from "../root.mts";

export interface Part {
  name: string;
  /** The row of the table that it belongs to. */
  row: string;
  /** Patterns of the files that are changed. */
  files: readonly string[];
  /** Folders of tests, or how files of them begin: with all of them, each change would take minutes. */
  tests: readonly string[];
}

/** Of `src/lifecycle`, what is tried by the tests of the kinds that use it. */
const USED = ["define", "existing", "job", "pool", "settle"].map((name) => `src/lifecycle/${name}.ts`);
/** What every check of every test goes through is tried by its own tests. */
const SCHEMA = "src/lifecycle/schema.ts";
const USERS = ["datasetCollection", "managerApiKey", "managerUser", "proxyPorts", "snapshotDelivery", "zonePassword"];

const kinds = readdirSync(join(ROOT, "src/kinds")).filter((name) => name !== "shared");

export const PARTS: readonly Part[] = [
  { name: "run", row: "`src/run`", files: ["src/run/**/*.ts"], tests: ["run", "lifecycle", "dynamic"] },
  {
    name: "lifecycle",
    row: "`src/lifecycle`",
    files: ["src/lifecycle/**/*.ts", ...[...USED, SCHEMA].map((file) => `!${file}`)],
    tests: ["run", "lifecycle"],
  },
  { name: "used", row: "`src/lifecycle`", files: USED, tests: ["lifecycle", ...USERS.map((name) => `kinds/${name}`)] },
  { name: "schema", row: "`src/lifecycle`", files: [SCHEMA], tests: ["lifecycle/schema", "lifecycle/check"] },
  ...kinds.map((name) => ({
    name,
    row: `\`${name}\``,
    files: [`src/kinds/${name}/lifecycle.ts`],
    tests: [...[name, "actions", "compared", "nothing", "tooLate"].map((test) => `kinds/${test}`), "lifecycle/check"],
  })),
];

export const isIn = ({ files }: Part, file: string): boolean =>
  files.some((pattern) => matchesGlob(file, pattern)) &&
  !files.some((pattern) => pattern.startsWith("!") && matchesGlob(file, pattern.slice(1)));

/** What Stryker reports of a part, as far as it is counted. */
export interface Report {
  files: Readonly<Record<string, { mutants: readonly { status: string }[] }>>;
}

const TOLD: readonly string[] = ["Killed", "Timeout"];
const LEFT: readonly string[] = ["Survived", "NoCoverage"];

/** The table of all that was measured: what is not valid code counts for nothing. */
export function tableOf(reports: readonly { row: string; report: Report }[]): string {
  const rows = new Map<string, { told: number; left: number }>();
  const all = { told: 0, left: 0 };
  for (const { row, report } of reports) {
    const count = rows.get(row) ?? { told: 0, left: 0 };
    for (const { status } of Object.values(report.files).flatMap(({ mutants }) => mutants))
      for (const each of [count, all]) {
        if (TOLD.includes(status)) each.told++;
        if (LEFT.includes(status)) each.left++;
      }
    rows.set(row, count);
  }
  return [
    "| Files | Changes | Left | Score |",
    "| --- | ---: | ---: | ---: |",
    ...[...rows, ["all", all] as const].map(([row, { told, left }]) => {
      const score = told + left === 0 ? 100 : (100 * told) / (told + left);
      return `| ${row} | ${told + left} | ${left} | ${score.toFixed(1)} % |`;
    }),
  ].join("\n");
}
