import {
  ASK_FOR_STACKS,
  BYTES_PER_GB,
  COLUMNS,
  cellsOf,
  changeInWords,
  compact,
  firstOf,
  gigabytes,
  NONE,
  periodInWords,
  type RowFigures,
  sectionsOf,
  shareUnused,
  sumsInWords,
  wholeNumber,
  zonesToShow,
} from "./figureText";
import { dataIsland, html, Markup } from "./markup";
import {
  type AccountReport,
  accountTitle,
  added,
  byCost,
  jsonOf,
  type Measure,
  type Report,
  type ReportFinding,
  type Totals,
  totalsOf,
  type ZoneReport,
} from "./model";
import { dollars, type Micros, PER_DOLLAR } from "./money";
import { type Days, daysInWords, type ReportPeriod, shifted } from "./period";
import { bars, legend, MOST_SERIES, type Series, type Share, shares, spark, sums, type Words } from "./plots";
import { STYLE } from "./style";

/** Nothing is fetched, and no script runs, whoever shows the page. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function htmlOf(report: Report): string {
  const { accounts, period, madeAt } = report;
  const title = `Bright Data costs, ${daysInWords(period)}`;
  const isOne = accounts.length === 1;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header>
<h1>${title}</h1>
<p class="soft">${periodInWords(period).join(" ")}</p>
${tiles(totalsOf(accounts), period)}
</header>
<main>
${failureList(report)}${findingLists(report)}${accounts.map((account) => accountSection(account, period, isOne))}
</main>
<footer>
<p>Made on ${madeAt.toISOString().slice(0, 16).replace("T", " at ")} UTC by pulumi-brightdata report.</p>
</footer>
${dataIsland("report", jsonOf(report))}
</body>
</html>
`;
  return page.text;
}

function failureList({ failures }: Report): Markup {
  if (failures.length === 0) return html``;
  const items = firstOf(failures).map(({ about, why }) => html`<li><b>${about}</b><br>${why}</li>\n`);
  return html`<h2>Not read</h2>
<div class="card"><ul class="findings">${items}</ul></div>
`;
}

function findingLists({ findings, areStacksKnown }: Report): Markup[] {
  const item = ({ says, where, cost, remedy }: ReportFinding) => {
    const amount = cost === undefined ? html`` : html`<b>${dollars(cost)} USD</b> `;
    return html`<li>${amount}<bdi>${says}</bdi> <span class="soft">${where}</span><code>${remedy}</code></li>\n`;
  };
  return sectionsOf(findings).map(
    ({ title, findings }) => html`<h2>${title}</h2>
<div class="card"><ul class="findings">${findings.map(item)}</ul>${areStacksKnown ? "" : html`<p class="note">${ASK_FOR_STACKS}</p>`}</div>
`,
  );
}

function tiles(totals: Totals, period: ReportPeriod): Markup {
  const { cost, forecast, bytes, ips, unknown } = totals;
  const cells = cellsOf(totals, period);
  const compared = (measure: Measure | undefined, before: string) =>
    measure && period.before ? `${changeInWords(measure, period)} on ${before} before` : "";
  const tile = (name: string, value: string, more: string) =>
    html`<div><dt>${name}</dt><dd>${value}${more === "" ? "" : html`<small>${more}</small>`}</dd></div>\n`;
  const unused = ips === 0 && unknown.ips === undefined ? "no zone has any" : `${cells.unused} of ${cells.ips}`;
  return html`<dl class="tiles">
${[
  tile("Cost, USD", cells.cost, compared(cost, cells.before)),
  ...(forecast === undefined
    ? []
    : [tile("Forecast, USD", cells.forecast, `${wholeNumber(period.daysOfMonth)} days at this pace`)]),
  tile("Bandwidth, GB", cells.gigabytes, compared(bytes, cells.gigabytesBefore)),
  tile("IPs unused", shareUnused(totals), unused),
]}</dl>`;
}

function accountSection(account: AccountReport, period: ReportPeriod, isOnly: boolean): Markup {
  const { zones } = account;
  const totals = totalsOf([account]);
  const top = prominent(zones, totals);
  const plotByDay = (of: "cost" | "bytes") => byDay(of, seriesOf(of, top, zones), period);
  return html`<section>
<h2>${accountTitle(account)}</h2>
${isOnly ? "" : tiles(totals, period)}
<div class="plots">
${plotByDay("cost")}${forecastPlot(totals, period)}${plotByDay("bytes")}${ipsPlot(zones)}</div>
${zoneTable(account, totals, period)}
</section>
`;
}

const figure = ({ title }: Words, plot: Markup, below: Markup, table: Markup): Markup =>
  html`<figure class="card"><h3>${title}</h3>${plot}${below}<details><summary>As a table</summary><div class="scroll">${table}</div></details></figure>\n`;

const table = (title: string, head: readonly string[], rows: readonly (readonly string[])[]): Markup =>
  html`<table><caption>${title}</caption><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${rows.map(([first = "", ...row]) => html`<tr><th scope="row">${first}</th>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>`;

/** The zones that have most of all cost and traffic: they have one color each, in all plots. */
function prominent(zones: readonly ZoneReport[], { cost, bytes }: Totals): ZoneReport[] {
  const share = (zone: ZoneReport) =>
    (zone.cost?.total ?? 0) / (cost?.total || 1) + (zone.bytes?.total ?? 0) / (bytes?.total || 1);
  const all = zones.filter((zone) => share(zone) > 0).sort((one, other) => share(other) - share(one));
  return (all.length <= MOST_SERIES + 1 ? all : all.slice(0, MOST_SERIES)).sort(byCost);
}

/** The series of these zones, and one of all others. */
function seriesOf(of: "cost" | "bytes", top: readonly ZoneReport[], zones: readonly ZoneReport[]): Series[] {
  const others = zones.filter((zone) => !top.includes(zone) && (zone[of]?.total ?? 0) > 0);
  const series = top.map((zone) => ({ name: zone.name, values: zone[of]?.daily ?? [] }));
  if (others.length === 0) return series;
  const name = `${others.length} other ${others.length === 1 ? "zone" : "zones"}`;
  return [...series, { name, values: added(others.map((zone) => zone[of])).daily ?? [] }];
}

const MONEY = { shown: dollars, tick: (micros: Micros) => compact(micros / PER_DOLLAR) };

const TRAFFIC = { shown: gigabytes, tick: (bytes: number) => compact(bytes / BYTES_PER_GB) };

const BY_DAY = {
  cost: { title: "Cost by zone and day, USD", ...MONEY },
  bytes: { title: "Bandwidth by zone and day, GB", ...TRAFFIC },
};

function byDay(of: keyof typeof BY_DAY, series: readonly Series[], period: ReportPeriod): Markup {
  const { days, complete } = period;
  const words = { ...BY_DAY[of], description: `Stacked bars, one for each day of ${daysInWords(period)}.` };
  if (series.every(({ values }) => values.length === 0)) {
    return html`<figure class="card"><h3>${words.title}</h3><p class="soft">There are no figures by day.</p></figure>\n`;
  }
  const names = series.map(({ name }) => name);
  const rows = days.map((day, index) => [
    index < complete ? day : `${day} (incomplete)`,
    ...series.map(({ values }) => (values.length === 0 ? NONE : words.shown(values[index] ?? 0))),
  ]);
  const plot = bars(series, days, complete, words);
  return figure(words, plot, legend(names), table(words.title, ["Day", ...names], rows));
}

function forecastPlot(totals: Totals, period: ReportPeriod): Markup {
  const { cost, forecast } = totals;
  const { complete, daysOfMonth, before } = period;
  const { daily, dailyBefore = [] } = cost ?? {};
  if (cost === undefined || daily === undefined) return html``;
  const days = Array.from({ length: daysOfMonth ?? daily.length }, (_, index) => shifted(period.from, index));
  const words = {
    title: forecast === undefined ? "Cost so far, USD" : "Cost so far and forecast of the month, USD",
    description: "Lines of the sums up to each day, of these days and of those before.",
    ...MONEY,
  };
  const earlier = (all: Days) => `Before: ${daysInWords(all)}`;
  const cells = cellsOf(totals, period);
  const rows = [
    ["Cost", cells.cost],
    [before ? earlier(before) : "Before", cells.before],
    ...(forecast === undefined ? [] : [["Forecast of the month", cells.forecast]]),
  ];
  const plot = sums({ days, values: daily, complete, before: dailyBefore, forecast }, words);
  const dashed = forecast === undefined ? "" : " Dashed: the forecast.";
  const note = html`<p class="note">Thick: this period. Grey: the days before.${dashed}</p>`;
  return figure(words, plot, note, table(words.title, ["", "USD"], rows));
}

const MOST_SHARES = 10;

function ipsPlot(zones: readonly ZoneReport[]): Markup {
  const all = zones.flatMap(({ name, ips = 0, unusedIps }): Share[] =>
    ips === 0 || unusedIps === undefined ? [] : [{ name, part: unusedIps, whole: ips }],
  );
  const sorted = all.sort((one, other) => other.part - one.part || other.whole - one.whole);
  if (sorted.length === 0) return html``;
  const top = sorted.slice(0, MOST_SHARES);
  const words = {
    title: "Unused IPs by zone",
    description: "A bar for each zone: the IPs that it has, and how many of them are unused.",
    shown: wholeNumber,
    tick: compact,
  };
  const rows = sorted.map(({ name, part, whole }) => [name, wholeNumber(part), wholeNumber(whole)]);
  return figure(words, shares(top, words), html``, table(words.title, ["Zone", "Unused", "IPs"], rows));
}

/** Where there is little room, the page leaves out columns of higher ranks. */
const HIGHEST_RANK = 3;

function zoneTable(account: AccountReport, totals: Totals, period: ReportPeriod): Markup {
  const { shown, rest } = zonesToShow(account);
  const remarks = [sumsInWords(totals), rest].filter((words) => words !== "");
  const wide = (rank: number) => (rank > HIGHEST_RANK ? html` class="wide"` : "");
  const heads = COLUMNS.map(({ title, rank }) => html`<th scope="col"${wide(rank)}>${title}</th>`);
  const row = (name: Markup, figures: RowFigures, line: Markup) => {
    const cells = cellsOf(figures, period);
    const columns = COLUMNS.map(({ of, rank }) => html`<td${wide(rank)}>${cells[of]}</td>`);
    return html`<tr><th scope="row">${name}</th>${columns}<td class="wide">${line}</td></tr>\n`;
  };
  const nameOf = ({ name, type = "", status }: ZoneReport) =>
    html`<bdi>${name}</bdi> <span class="soft">${[type, status === "active" ? "" : status].filter(Boolean).join(", ")}</span>`;
  const lineOf = ({ name, cost }: ZoneReport) => (cost?.daily ? spark(cost.daily, `Cost of ${name} by day`) : html``);
  return html`<div class="card scroll"><table><caption>Zones, USD and GB</caption>
<thead><tr><th scope="col">Zone</th>${heads}<th scope="col" class="wide">Cost by day</th></tr></thead>
<tbody>${shown.map((zone) => row(nameOf(zone), zone, lineOf(zone)))}</tbody>
<tfoot>${row(html`Total`, totals, html``)}</tfoot>
</table>${remarks.map((words) => html`<p class="soft">${words}</p>`)}</div>`;
}
