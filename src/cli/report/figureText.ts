import {
  type AccountReport,
  changeOf,
  type FailedReading,
  isIdleAndFree,
  type Measure,
  type ReportFinding,
  type Totals,
  type Unknown,
  type ZoneReport,
} from "./model";
import { dollars, inHundredths } from "./money";
import { daysInWords, type ReportPeriod } from "./period";

export const NONE = "-";

export const BYTES_PER_GB = 1e9;

export const gigabytes = (bytes: number | undefined): string =>
  bytes === undefined ? NONE : inHundredths(bytes / BYTES_PER_GB);

/** Such as `1.5K`, for where there is little room. */
export const compact = (value: number): string =>
  value.toLocaleString("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export const wholeNumber = (value: number | undefined): string =>
  value === undefined ? NONE : value.toLocaleString("en-US");

const MOST_PERCENT = 999;

/** Such as `+12%`; `new` where there was nothing before. */
export function changeInWords(measure: Measure | undefined, { before }: ReportPeriod): string {
  if (measure === undefined || before === undefined) return NONE;
  const change = changeOf(measure);
  if (change === undefined) return measure.complete === 0 ? NONE : "new";
  const percent = Math.round(change * 100);
  if (percent > MOST_PERCENT) return `>${MOST_PERCENT}%`;
  return `${percent > 0 ? "+" : ""}${percent}%`;
}

/** What is said of a zone in any table. Columns with a higher rank are left out first where there is no room. */
export const COLUMNS = [
  { of: "cost", title: "Cost", rank: 0 },
  { of: "before", title: "Before", rank: 4 },
  { of: "change", title: "Change", rank: 1 },
  { of: "forecast", title: "Forecast", rank: 5 },
  { of: "gigabytes", title: "GB", rank: 3 },
  { of: "gigabytesBefore", title: "GB before", rank: 8 },
  { of: "ips", title: "IPs", rank: 9 },
  { of: "unused", title: "Unused", rank: 7 },
] as const;

export type RowFigures = Pick<ZoneReport, "cost" | "forecast" | "bytes" | "ips" | "unusedIps"> & { unknown?: Unknown };

/** What the columns say of a zone, or of several. */
export function cellsOf(figures: RowFigures, period: ReportPeriod) {
  const { cost, forecast, bytes, ips, unusedIps, unknown = {} } = figures;
  const sum = (of: keyof Unknown, text: string) => (text === NONE || unknown[of] === undefined ? text : `${text}+`);
  return {
    cost: sum("cost", cost ? dollars(cost.total) : NONE),
    before: sum("cost", cost && period.before ? dollars(cost.before) : NONE),
    change: changeInWords(cost, period),
    forecast: sum("forecast", forecast === undefined ? NONE : dollars(forecast)),
    gigabytes: sum("bytes", gigabytes(bytes?.total)),
    gigabytesBefore: sum("bytes", bytes && period.before ? gigabytes(bytes.before) : NONE),
    ips: sum("ips", wholeNumber(ips)),
    unused: ips === 0 ? NONE : sum("unusedIps", wholeNumber(unusedIps)),
  };
}

/** What a sum means that lacks something; nothing where none does. */
export const sumsInWords = ({ unknown, ...sums }: Totals): string =>
  Object.keys(unknown).every((of) => !Object.hasOwn(sums, of))
    ? ""
    : 'A sum with "+" lacks zones of which that is not known.';

/** The zones that are worth a row, and a sentence on the others; nothing where there are none. */
export function zonesToShow({ zones }: AccountReport) {
  const shown = zones.filter((zone) => !isIdleAndFree(zone));
  const left = zones.length - shown.length;
  const rest = left === 0 ? "" : `${left} more ${left === 1 ? "zone has" : "zones have"} no cost, traffic or IPs.`;
  return { shown, rest };
}

/** What else there is to know of findings; they are shown below it. */
const SECTIONS = [
  { title: "Costs to end", isMeant: (finding: ReportFinding) => finding.kind !== "in-no-stack" },
  { title: "In no stack", isMeant: (finding: ReportFinding) => finding.kind === "in-no-stack" },
];

/** Findings under what they are: what no stack has may be well used. */
export const sectionsOf = (findings: readonly ReportFinding[]): { title: string; findings: ReportFinding[] }[] =>
  SECTIONS.map(({ title, isMeant }) => ({ title, findings: findings.filter(isMeant) })).filter(
    (section) => section.findings.length > 0,
  );

export const ASK_FOR_STACKS =
  "Where a stack has it, change the program instead: with --stack, the report names the resource.";

const MOST_FAILURES = 20;

/** The first failures, and how many more there are: a token that may read no zone fails for each. */
export function firstOf(failures: readonly FailedReading[]): readonly FailedReading[] {
  const more = failures.length - MOST_FAILURES;
  if (more <= 0) return failures;
  return [...failures.slice(0, MOST_FAILURES), { about: `${more} more`, why: "--json has them all." }];
}

export const shareUnused = ({ ips, unusedIps, unknown }: Totals): string =>
  ips === undefined || unusedIps === undefined || ips === 0 || unknown.ips || unknown.unusedIps
    ? NONE
    : `${Math.round((unusedIps / ips) * 100)}%`;

/** What the columns mean, in sentences. */
export function periodInWords(period: ReportPeriod): string[] {
  const { before, complete, days, from } = period;
  const open = days.length - complete;
  const said = [`${daysInWords(period)} (UTC). Money is in US dollars (USD), 1 GB is 10^9 bytes.`];
  if (open > 0) said.push(`${days[complete]} is incomplete.`);
  if (before !== undefined) {
    const compared = open > 0 ? daysInWords({ from, to: days[complete] ?? from }) : "the same period";
    said.push(`"Before" is ${daysInWords(before)}; "Change" compares it with ${compared}.`);
  }
  if (period.daysOfMonth !== undefined && complete > 0) {
    said.push(
      `"Forecast" is the whole month at the pace of its ${complete} complete ${complete === 1 ? "day" : "days"}, of a newer zone at that of its own.`,
    );
  }
  return said;
}
