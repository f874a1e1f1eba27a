import { messageOf } from "../../base/cause";
import { isDay } from "../../base/day";
import { replaceFile } from "../../base/disk";
import { ArgumentError, ConfigurationError } from "../../base/errors";
import { printable } from "../../base/printable";
import { readSettings } from "../../settings/settings";
import { Held } from "../account/held";
import { NO_TOKEN, partlyChosen, sources } from "../account/source";
import { csvOf } from "../report/csv";
import { htmlOf } from "../report/html";
import { inShell } from "../report/inShell";
import { isUnread, jsonOf, type Report, totalsOf, zonesOf } from "../report/model";
import { decimal, type Micros, microsOf } from "../report/money";
import { type Days, periodOf, startOfMonth } from "../report/period";
import { makeReport } from "../report/report";
import { screenOf, terminalOf } from "../report/terminal";
import { type Command, FAILED, type Given, Misuse, type Options, patternOf, refusePositionals } from "./command";
import { requireFile } from "./place";
import { type Progress, progressMode, withProgress } from "./progress";
import { configurationOf, exported, readState, stackOptions } from "./stack";

const INCOMPLETE = 3;
const TOO_MUCH = 4;

const OPTIONS = {
  from: { value: "day", says: "first day, YYYY-MM-DD in UTC; default: the first of this month" },
  to: { value: "day", says: "day after the last; default: tomorrow, so that today's part counts" },
  month: { value: "month", says: "instead of both: a month, YYYY-MM" },
  account: { value: "name", isList: true, says: "only these accounts; `default` has no name" },
  manager: { value: "name", isList: true, says: "only the ports of these managers; `default` has no name" },
  zone: { value: "pattern", isList: true, says: "only these zones; * is any text" },
  stack: { value: "name", isList: true, says: "name its resources, and what it does not hold; with its configuration" },
  state: { value: "file", isList: true, says: "the same for what `pulumi stack export` wrote" },
  json: { says: "print JSON" },
  csv: { says: "print CSV, a line for each zone" },
  html: { value: "file", says: "write a page to this file as well" },
  "fail-above": { value: "usd", says: "exit with 4 when the cost of the period is higher" },
  quiet: { says: "show no progress" },
} as const satisfies Options;

export const report: Command<typeof OPTIONS> = {
  name: "report",
  usage: "[options]",
  says: "Reports what zones have cost and carried, and which costs could end. Only reads.",
  options: OPTIONS,
  notes: `Settings come from the environment and, with --stack, from the stack's configuration.

Exit status: 0 done, 1 failed, 2 called wrongly, 3 something could not be read, which the report names,
4 above --fail-above, 130 interrupted.
`,

  async run({ options, positionals }) {
    refusePositionals(positionals);
    const wanted = wantedBy(options, new Date());
    if (wanted.page !== undefined) requireFile(wanted.page);
    return withProgress(progressMode(wanted.isQuiet), async (progress) => {
      const made = await makeReport(request(wanted, progress));
      progress.clear();
      if (wanted.page !== undefined) writePage(wanted.page, htmlOf(made));
      process.stdout.write(wanted.printed(made));
      const isNone = zonesOf(made).length === 0 && !made.accounts.some(isUnread);
      if (wanted.zones !== undefined && isNone) process.stderr.write("No zone has such a name: see --zone.\n");
      return exitCode(made, wanted.limit);
    });
  },
};

type ReportOptions = Given<typeof OPTIONS>["options"];
type WantedReport = ReturnType<typeof wantedBy>;

function request(wanted: WantedReport, progress: Progress) {
  const { stacks, states } = wanted;
  const settings = readSettings(configurationOf(stacks[0]));
  const all = sources(settings, wanted);
  if (all.every(({ service }) => service !== "remote")) throw new ConfigurationError(NO_TOKEN);
  return {
    ...wanted,
    sources: all,
    partlyRead: partlyChosen(settings, wanted),
    held: new Held([...stacks.map(exported), ...states.map(readState)], settings),
    stackOptions: stackOptions(stacks, states),
    onRead: (title: string, done: number, count: number) => progress.show(title, done, count),
  };
}

function exitCode(made: Report, limit: Micros | undefined): number {
  const { cost } = totalsOf(made.accounts);
  if (limit !== undefined && cost !== undefined && cost.total > limit) {
    process.stderr.write(`The cost is ${decimal(cost.total)} USD: more than the ${decimal(limit)} of --fail-above.\n`);
    return TOO_MUCH;
  }
  if (made.failures.length === 0) return 0;
  if (limit !== undefined && !made.accounts.every(({ isCostWhole }) => isCostWhole))
    process.stderr.write("Whether the cost is above --fail-above is not known: not all could be read.\n");
  const [{ about, why } = { about: "", why: "" }] = made.failures;
  process.stderr.write(`${made.failures.length} could not be read, first ${printable(about)}: ${printable(why)}\n`);
  return made.accounts.every(isUnread) ? FAILED : INCOMPLETE;
}

function wantedBy(options: ReportOptions, madeAt: Date) {
  const { json, csv, zone } = options;
  if (json && csv) throw new Misuse("--json and --csv are two forms of one result: choose one.");
  const pattern = patternOf(zone);
  return {
    madeAt,
    period: periodOf(daysIn(options), madeAt),
    accounts: options.account,
    managers: options.manager,
    stacks: options.stack ?? [],
    states: options.state ?? [],
    page: options.html,
    limit: limitIn(options["fail-above"]),
    isQuiet: options.quiet ?? false,
    zones: pattern && { option: `--zone ${inShell((zone ?? []).join(","))}`, pattern },
    printed: (made: Report) => {
      if (json) return `${JSON.stringify(jsonOf(made), undefined, 2)}\n`;
      return csv ? csvOf(made) : terminalOf(made, screenOf(process.stdout));
    },
  };
}

function daysIn({ month, from, to }: ReportOptions): Partial<Days> {
  requireDay("from", from);
  requireDay("to", to);
  if (month === undefined) return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  if (from !== undefined || to !== undefined) throw new Misuse("--month says both --from and --to: leave these out.");
  const first = `${month}-01`;
  if (!isDay(first)) throw new Misuse(`--month takes a month such as 2026-05, not "${month}".`);
  return { from: first, to: startOfMonth(first, 1) };
}

function requireDay(option: string, day: string | undefined): void {
  if (day !== undefined && !isDay(day)) throw new Misuse(`--${option} takes a day such as 2026-05-01, not "${day}".`);
}

function limitIn(text: string | undefined): Micros | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}(\.\d{1,6})?$/.test(text))
    throw new Misuse(`--fail-above takes US dollars such as 250, not "${text}".`);
  return microsOf(Number(text));
}

function writePage(file: string, page: string): void {
  try {
    replaceFile(file, page);
  } catch (error) {
    throw new ArgumentError(
      `--html: ${file} cannot be written: ${messageOf(error)}. Name a file in a folder that is there.`,
    );
  }
  process.stderr.write(`Wrote ${file}.\n`);
}
