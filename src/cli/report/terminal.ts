import { printable } from "../../base/printable";
import {
  ASK_FOR_STACKS,
  COLUMNS,
  cellsOf,
  firstOf,
  periodInWords,
  type RowFigures,
  sectionsOf,
  sumsInWords,
  zonesToShow,
} from "./figureText";
import { type AccountReport, accountTitle, type Report, type ReportFinding, sumOf, totalsOf } from "./model";
import { dollars } from "./money";
import { cut, padEnd, padStart, widthOf } from "./text";

export interface Screen {
  /** Columns; without a number, lines may have any length. */
  readonly width?: number | undefined;
  readonly hasColors: boolean;
  /** Whether it can draw, which takes Unicode. */
  readonly hasPlots: boolean;
}

export function screenOf(
  { isTTY = false, columns }: { isTTY?: boolean; columns?: number },
  environment = process.env,
): Screen {
  const { TERM, NO_COLOR = "", LC_ALL, LC_CTYPE, LANG, WT_SESSION } = environment;
  const isAble = isTTY && TERM !== "dumb";
  const isUnicode = WT_SESSION !== undefined || /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || "");
  return { width: isTTY ? columns : undefined, hasColors: isAble && NO_COLOR === "", hasPlots: isAble && isUnicode };
}

const ALL_COLUMNS: readonly { title: string; rank: number; isText?: true }[] = [
  { title: "Zone", isText: true, rank: 0 },
  { title: "Type", isText: true, rank: 6 },
  ...COLUMNS,
  { title: "Cost by day", isText: true, rank: 2 },
];

const GAP = "  ";
const NARROWEST_NAME = 24;

export function terminalOf(report: Report, screen: Screen): string {
  const { accounts, period, findings, failures } = report;
  const heading = [`Cost and bandwidth, ${periodInWords(period)[0]}`, ...periodInWords(period).slice(1)];
  const tables = accounts.map((account) => `\n${tableOf(account, report, screen)}`);
  const sums = cellsOf(totalsOf(accounts), period);
  const all = accounts.length > 1 ? [`\n${bold(`All accounts: ${sums.cost} USD`, screen)}\n`] : [];
  const lineOf = ({ says, where, cost, remedy }: ReportFinding) => {
    const costs = cost === undefined ? "" : ` ${dollars(cost)} USD.`;
    return `  ${printable(says)}${costs} (${printable(where)})\n    ${printable(remedy)}\n`;
  };
  const found = sectionsOf(findings).flatMap(({ title, findings }) => [
    `\n${bold(title, screen)}\n`,
    ...findings.map(lineOf),
  ]);
  const hint = report.areStacksKnown || found.length === 0 ? [] : [`${ASK_FOR_STACKS}\n`];
  const unread = firstOf(failures).map(({ about, why }) => `  ${printable(about)}: ${printable(why)}\n`);
  return [
    ...heading.map((line) => `${line}\n`),
    ...tables,
    ...all,
    ...found,
    ...hint,
    ...(unread.length === 0 ? [] : [`\n${bold("Not read", screen)}\n`, ...unread]),
  ].join("");
}

function tableOf(account: AccountReport, { period }: Report, screen: Screen): string {
  const { shown, rest } = zonesToShow(account);
  const row = (name: string, type: string, figures: RowFigures): string[] => {
    const cells = cellsOf(figures, period);
    return [name, type, ...COLUMNS.map(({ of }) => cells[of]), sparkline(figures.cost?.daily)];
  };
  const zones = shown.map((zone) => {
    const status = zone.status === "active" ? "" : ` (${zone.status})`;
    return row(`${printable(zone.name)}${status}`, printable(zone.type ?? ""), zone);
  });
  const totals = totalsOf([account]);
  const total = row("Total", "", totals);
  const remark = sumsInWords(totals);
  const [head = "", ...lines] = aligned([ALL_COLUMNS.map(({ title }) => title), ...zones, total], screen);
  const last = lines.pop() ?? "";
  return [
    `${bold(printable(accountTitle(account)), screen)}\n`,
    `${dim(head, screen)}\n`,
    ...lines.map((line) => `${line}\n`),
    `${bold(last, screen)}\n`,
    ...[remark, rest].map((words) => (words === "" ? "" : `${words}\n`)),
  ].join("");
}

/** The rows as lines of equal columns: as many of them as there is room for. */
function aligned(
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, hasPlots }: Screen,
): string[] {
  let kept = [...ALL_COLUMNS.keys()].filter((index) => hasPlots || index < ALL_COLUMNS.length - 1);
  const widths = ALL_COLUMNS.map((_, index) => Math.max(...rows.map((row) => widthOf(row[index] ?? ""))));
  const others = () => kept.slice(1).reduce((sum, index) => sum + GAP.length + (widths[index] ?? 0), 0);
  const rank = (index: number) => ALL_COLUMNS[index]?.rank ?? 0;
  while (others() + Math.min(NARROWEST_NAME, widths[0] ?? 0) > width && kept.some((index) => rank(index) > 0)) {
    const highest = Math.max(...kept.map(rank));
    kept = kept.filter((index) => rank(index) < highest);
  }
  widths[0] = Math.min(widths[0] ?? 0, Math.max(NARROWEST_NAME, width - others()));
  return rows.map((row) =>
    kept
      .map((index) => {
        const room = widths[index] ?? 0;
        const text = cut(row[index] ?? "", room);
        return ALL_COLUMNS[index]?.isText ? padEnd(text, room) : padStart(text, room);
      })
      .join(GAP)
      .trimEnd(),
  );
}

const BARS = "▁▂▃▄▅▆▇█";
const MOST_BARS = 31;

/** Values as bars of one character each; where there are too many, as the sums of several. */
export function sparkline(values: readonly number[] | undefined = []): string {
  const each = Math.ceil(values.length / MOST_BARS);
  const sums = Array.from({ length: values.length === 0 ? 0 : Math.ceil(values.length / each) }, (_, index) =>
    sumOf(values.slice(index * each, (index + 1) * each)),
  );
  const highest = Math.max(...sums);
  return sums.map((value) => (value <= 0 ? " " : BARS.charAt(Math.ceil((value / highest) * BARS.length) - 1))).join("");
}

const bold = (text: string, { hasColors }: Screen): string => (hasColors ? `\u001b[1m${text}\u001b[22m` : text);
const dim = (text: string, { hasColors }: Screen): string => (hasColors ? `\u001b[2m${text}\u001b[22m` : text);
