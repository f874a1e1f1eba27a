import { expect, test } from "vitest";
import { chartOf } from "../../bench/chart.mts";
import { tasksOf, WHOLE_PLAN } from "../../bench/plan.mts";
import { reportOf } from "../../bench/report.mts";
import type { Measurement, Results } from "../../bench/results.mts";
import { Summary } from "../../bench/summary.mts";

const figures = (column: string, size: number, step: string, ...seconds: number[]): Measurement[] =>
  seconds.map((each, round) => ({ service: "simulator", column, size, round: round + 1, step, seconds: each }));

const resultsOf = (...measurements: Measurement[]): Results => ({
  machine: {
    date: "2026-01-02",
    cores: 2,
    cpu: "any",
    memoryBytes: 24 * 2 ** 30,
    node: "24.21.0",
    pulumi: "3.276.0",
  },
  measurements,
});

/** The row of a table of the report, without its padding. */
const row = (report: string, title: string): string[] =>
  (report.split("\n").find((line) => line.startsWith(`| ${title}`)) ?? "")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

test("a summary is of medians, whatever the order", () => {
  const summary = new Summary([...figures("a", 10, "up", 9, 1, 2), ...figures("b", 10, "up", 4, 1)]);
  expect(summary.seconds("a", 10, "up")).toBe(2);
  expect(summary.seconds("b", 10, "up")).toBe(2.5);
  expect(summary.seconds("a", 100, "up")).toBeNaN();
});

test("a summary keeps services apart", () => {
  const [measured] = figures("a", 10, "up", 1);
  const summary = new Summary([{ ...(measured as Measurement), service: "manager" }]);
  expect(summary.seconds("manager:a", 10, "up")).toBe(1);
  expect(summary.sizes("a")).toEqual([]);
});

test("a summary keeps the CPU of the processes apart", () => {
  const [measured] = figures("a", 10, "up", 1);
  const summary = new Summary([{ ...(measured as Measurement), cpu: { engine: 1, provider: 4 } }]);
  expect(summary.figure("engineSeconds", "a", 10, "up")).toBe(1);
  expect(summary.figure("programSeconds", "a", 10, "up")).toBeNaN();
  expect(summary.figure("providerSeconds", "a", 10, "up")).toBe(4);
});

test("the report says of each goal whether it is met", () => {
  const report = reportOf([
    resultsOf(
      ...figures("ProxyPort", 1000, "up", 61),
      ...figures("ProxyPort", 1000, "destroy", 80),
      ...["up", "destroy"].flatMap((step) => [
        ...figures("engine", 1000, step, 50),
        ...figures("service", 1000, step, 2),
      ]),
    ),
  ]);
  expect(row(report, "ProxyPort × 1,000: `up`").slice(1)).toEqual(["1.2", "1.17", "met"]);
  expect(row(report, "ProxyPort × 1,000: `destroy`").slice(1)).toEqual(["1.2", "1.54", "**not met**"]);
  expect(row(report, "ProxyPort × 1,000: `preview`").slice(1)).toEqual(["1.5", "not measured", ""]);
});

test("a goal compares the figures of one run", () => {
  const report = reportOf([
    resultsOf(...figures("native", 1, "up", 5), ...figures("engine", 1, "up", 5)),
    resultsOf(...figures("engine", 1, "up", 1)),
  ]);
  expect(row(report, "Native, one ProxyPort: `up`").slice(1)).toEqual(["1.15", "1.00", "met"]);
});

test("the chart has a line for the plugin, and its legend a third row", () => {
  const columns = ["ProxyPorts", "ProxyPort", "usual", "engine", "service", "fleet", "native"];
  const whole = chartOf(
    new Summary(columns.flatMap((name) => [10, 100].flatMap((size) => figures(name, size, "up", size)))),
  );
  expect(whole.match(/class="[^"]* line" d="M[^h]*?"/g)).toHaveLength(columns.length);
  expect(whole).toContain('<text x="92" y="72">a ProxyPort each, by the plugin</text>');
});

test("the report has a row for each step, and a column for each way", () => {
  const report = reportOf([resultsOf(...figures("ProxyPort", 10, "up", 3.456), ...figures("engine", 10, "up", 2, 3))]);
  expect(row(report, "Ports")).toEqual(["Ports", "ProxyPort", "engine"]);
  expect(row(report, "10: up")).toEqual(["10: up", "3.46", "2.50"]);
  expect(row(report, "10 ")).toEqual(["10", "1×", "2×"]);
});

const chart = chartOf(
  new Summary([
    ...figures("ProxyPort", 10, "up", 1),
    ...figures("ProxyPort", 1000, "up", 100),
    ...figures("engine", 10, "up", 1),
    ...figures("engine", 1000, "up", 10),
  ]),
);

test("the chart is well-formed", () => {
  const open: string[] = [];
  for (const [, end, name, empty] of chart.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
    if (end) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name ?? "");
  }
  expect(open).toEqual([]);
  expect(chart).not.toMatch(/NaN|undefined|Infinity/);
});

test("the chart has a line for each column, on scales with powers of ten at the ends", () => {
  const [port] = /<path class="ProxyPort line" d="M[^h]*?"\/>/.exec(chart) ?? [];
  const [engine] = /<path class="engine line" d="M[^h]*?"\/>/.exec(chart) ?? [];
  expect(port).toContain('d="M56.0 186.0L276.0 30.0"');
  expect(engine).toContain('d="M56.0 186.0L276.0 108.0"');
});

test("the chart has a dark side", () => {
  expect(chart).toContain("@media (prefers-color-scheme: dark)");
});

test("the whole plan measures a column's rounds by turns", () => {
  const tasks = tasksOf(WHOLE_PLAN).filter(({ service, size }) => service === "simulator" && size === 100);
  const columns = [...new Set(tasks.map(({ column }) => column.name))];
  expect(tasks.map(({ column, round }) => `${column.name} ${round}`)).toEqual(
    [1, 2, 3].flatMap((round) => columns.map((column) => `${column} ${round}`)),
  );
});
