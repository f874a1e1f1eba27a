import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Simulator } from "../../../simulator";
import { startSimulator } from "../../../simulator";
import { csvOf } from "../../../src/cli/report/csv";
import { htmlOf } from "../../../src/cli/report/html";
import { jsonOf, type Report } from "../../../src/cli/report/model";
import { periodOf } from "../../../src/cli/report/period";
import { screenOf, terminalOf } from "../../../src/cli/report/terminal";
import { widthOf } from "../../../src/cli/report/text";
import { csvRows } from "../../../src/download/csv";
import { addUsed, NOW, startSpent } from "./account";
import { reportOn } from "./made";

const PLAIN = { hasColors: false, hasPlots: false };

describe("an account that has all", () => {
  let simulator: Simulator;
  let report: Report;

  beforeAll(async () => {
    simulator = await startSpent();
    report = await reportOn(simulator);
  });
  afterAll(() => simulator.close());

  /** Without what is different each time: the ports of the services. */
  const settled = (text: string) =>
    text
      .replaceAll(simulator.remote.url, "https://api.example")
      .replaceAll(simulator.manager.url, "http://manager.example");

  test("each form is as it was", async () => {
    const { stringify } = JSON;
    await expect(settled(terminalOf(report, { width: 120, hasColors: true, hasPlots: true }))).toMatchFileSnapshot(
      "golden/terminal.txt",
    );
    await expect(settled(terminalOf(report, PLAIN))).toMatchFileSnapshot("golden/log.txt");
    await expect(settled(`${stringify(jsonOf(report), undefined, 2)}\n`)).toMatchFileSnapshot("golden/report.json.txt");
    await expect(settled(csvOf(report).replaceAll("\r", ""))).toMatchFileSnapshot("golden/report.csv.txt");
    await expect(settled(htmlOf(report))).toMatchFileSnapshot("golden/report.html.txt");
  });

  test.each([40, 60, 80, 200])("no line of a table is wider than %d columns", (width) => {
    const lines = terminalOf(report, { width, hasColors: false, hasPlots: true }).split("\n");
    const table = lines.slice(lines.indexOf("Account") + 1, lines.findIndex((line) => line.startsWith("Total")) + 1);
    expect(table.length).toBe(9);
    expect(table.filter((line) => widthOf(line) > width)).toEqual([]);
    expect(table[0]).toMatch(/^Zone +.*Cost/);
  });

  test("a page asks for nothing and runs nothing, and each of its plots has words", () => {
    const page = htmlOf(report);
    expect(page).toContain(
      `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:">`,
    );
    const markup = page.replace(/<script type="application\/json".*<\/script>/, "");
    expect(markup).not.toMatch(/<script|\son\w+=|url\(|@import|\bsrc=|href="(?!data:,")/);
    const plots = markup.match(/<svg viewBox[\s\S]*?<\/svg>/g) ?? [];
    expect(plots.length).toBe(4);
    for (const plot of plots) expect(plot).toMatch(/^<svg [^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>/);
    expect(markup.match(/<details><summary>As a table/g)?.length).toBe(4);
    // Where style is blocked, shapes have colors of their own.
    expect(markup.match(/<(?:rect|circle|polyline) (?![^>]*fill=)/g)).toBeNull();
  });
});

test("names of others stay text in every form", async () => {
  const simulator = await startSimulator({ seed: "seed", clock: () => NOW });
  const names = ["</script><b>", "=1+1", 'a,"b"', "x\u2028y", "\u001b[31mred", "{{name}}", "日本語のゾーン"];
  for (const name of names) addUsed(simulator.account, name, { type: "unblocker" }, () => ({ cost: 1, bw_sum: 0 }));
  try {
    const report = await reportOn(simulator);
    const page = htmlOf(report);
    expect(page).not.toContain("</script><b>");
    expect(page.match(/<\/script>/g)?.length).toBe(1);
    const [, data = ""] = /<script type="application\/json" id="report">(.*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify(jsonOf(report))));
    const [, ...rows] = csvRows(csvOf(report));
    expect(rows.map(([, name]) => name).sort()).toEqual(names.map((name) => (name === "=1+1" ? "'=1+1" : name)).sort());
    const shown = terminalOf(report, PLAIN);
    expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u2028]/u);
    expect(shown).toContain("日本語のゾーン");
    const quoted = `--json '{"zone":"</script><b>"}'`;
    expect(shown).toContain(quoted);
  } finally {
    await simulator.close();
  }
});

test("of many failures, the first are shown, and JSON has all", async () => {
  const simulator = await startSimulator({ clock: () => NOW });
  onTestFinished(() => simulator.close());
  for (let index = 0; index < 30; index++) addUsed(simulator.account, `zone_${index}`, { type: "unblocker" });
  for (const path of ["/costs/export/json", "/zone/cost"]) {
    simulator.remote.service.faults.add({ path, kind: "respond", status: 403, times: Number.POSITIVE_INFINITY });
  }
  const report = await reportOn(simulator);
  expect(jsonOf(report)).toMatchObject({ failures: { length: 31 } });
  const lines = terminalOf(report, PLAIN).trimEnd().split("\n");
  expect(lines.slice(lines.indexOf("Not read") + 1).length).toBe(21);
  expect(lines.at(-1)).toBe("  11 more: --json has them all.");
  expect(htmlOf(report)).toContain("<b>11 more</b>");
});

test("on a page, each sum that lacks a zone says so", () => {
  const measure = { total: 5_000_000, complete: 5_000_000, before: 4_000_000, daily: [5_000_000] };
  const zones = [
    { name: "known", status: "active" as const, cost: measure, bytes: measure, forecast: 6_000_000 },
    { name: "unknown", status: "active" as const },
  ];
  const accounts = [{ name: undefined, isListed: true, isCostWhole: false, zones }];
  const said = { findings: [], failures: [], areStacksKnown: false };
  const page = htmlOf({ madeAt: NOW, period: periodOf({}, NOW), accounts, ...said });
  expect(page).toContain("<dd>5.00+<small>+25% on 4.00+ before</small></dd>");
  expect(page).toContain("<dd>0.01+<small>+25% on &#60;0.01+ before</small></dd>");
  const [, plotted = ""] =
    /<caption>Cost so far and forecast of the month, USD<\/caption>(.*?)<\/table>/.exec(page) ?? [];
  expect([...plotted.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell)).toEqual(["5.00+", "4.00+", "6.00+"]);
});

test.each<[object, NodeJS.ProcessEnv, object]>([
  [{ isTTY: true, columns: 90 }, { LANG: "en_US.UTF-8" }, { width: 90, hasColors: true, hasPlots: true }],
  [
    { isTTY: true, columns: 90 },
    { LANG: "en_US.UTF-8", NO_COLOR: "1" },
    { width: 90, hasColors: false, hasPlots: true },
  ],
  [
    { isTTY: true, columns: 90 },
    { LANG: "en_US.UTF-8", LC_ALL: "C" },
    { width: 90, hasColors: true, hasPlots: false },
  ],
  [
    { isTTY: true, columns: 90 },
    { LANG: "C.UTF-8", TERM: "dumb" },
    { width: 90, hasColors: false, hasPlots: false },
  ],
  [{ columns: 90 }, { LANG: "C.UTF-8" }, { width: undefined, hasColors: false, hasPlots: false }],
])("%j with %j shows %j", (stream, environment, expected) => {
  expect(screenOf(stream, environment)).toEqual(expected);
});

test("a credit is a number in CSV, and a type of others is text", () => {
  const cost = { total: -5_250_000, complete: -5_250_000, before: 0 };
  const zones = [{ name: "-1+1", type: "\u001b[31m", status: "active" as const, cost }];
  const period = periodOf({}, NOW);
  const accounts = [{ name: "shop", isListed: true, isCostWhole: true, zones }];
  const report = { madeAt: NOW, period, accounts, findings: [], failures: [], areStacksKnown: true };
  expect(csvRows(csvOf(report))[1]?.slice(0, 8)).toEqual([
    "shop",
    "'-1+1",
    "\u001b[31m",
    "active",
    "2026-11-01",
    "2026-11-24",
    "-5.25",
    "-5.25",
  ]);
  expect(terminalOf(report, PLAIN)).toContain("\n-1+1   \ufffd[31m  -5.25 ");
});

test("an account that cannot be read has no total, and one without zones has cost nothing", () => {
  const period = periodOf({}, NOW);
  const reportOf = (isListed: boolean): Report => {
    const accounts = [{ name: undefined, isListed, isCostWhole: isListed, zones: [] }];
    return { madeAt: NOW, period, accounts, findings: [], failures: [], areStacksKnown: true };
  };
  const none = { cost: null, forecast: null, bytes: null, requests: null, ips: null, unusedIps: null };
  expect(jsonOf(reportOf(false))).toMatchObject({ totals: none, accounts: [{ totals: none }] });
  expect(terminalOf(reportOf(false), PLAIN)).toMatch(/\nTotal( +-)+\n/);
  expect(htmlOf(reportOf(false))).toContain("<dt>Cost, USD</dt><dd>-</dd>");
  const nothing = { cost: "0.00", bytes: 0, requests: 0, ips: 0, unusedIps: 0 };
  expect(jsonOf(reportOf(true))).toMatchObject({ totals: nothing, accounts: [{ totals: nothing }] });
});

test("a sum over accounts of which one cannot be read says that it lacks some", () => {
  const accounts = [
    { name: undefined, isListed: false, isCostWhole: false, zones: [] },
    { name: "shop", isListed: true, isCostWhole: true, zones: [] },
  ];
  const report = { madeAt: NOW, period: periodOf({}, NOW), accounts, findings: [], failures: [], areStacksKnown: true };
  const unknownOf = { cost: 1, bytes: 1, requests: 1, ips: 1, unusedIps: 1 };
  expect(jsonOf(report)).toMatchObject({
    totals: { cost: "0.00", bytes: 0, unknownOf },
    accounts: [{ totals: { cost: null, unknownOf } }, { totals: { cost: "0.00", unknownOf: {} } }],
  });
  const shown = terminalOf(report, PLAIN);
  expect(shown).toContain("\nAll accounts: 0.00+ USD\n");
  // Neither account's own table has a sum with "+".
  expect(shown).not.toContain('A sum with "+"');
  expect(htmlOf(report)).toContain("<dt>Cost, USD</dt><dd>0.00+<small>");
  expect(htmlOf(report)).toContain("<dt>IPs unused</dt><dd>-<small>- of 0+</small></dd>");
});
