import { expect, test } from "vitest";
import { Figures } from "../../../src/cli/report/figures";
import { changeInWords } from "../../../src/cli/report/figureText";
import { withForecast } from "../../../src/cli/report/model";
import { periodOf } from "../../../src/cli/report/period";
import type { ZoneBandwidth } from "../../../src/model/usage";
import { NOW } from "./account";

const period = periodOf({}, NOW);
const WEB = { name: "web", status: "active" } as const;

const figuresOf = (bandwidth: Partial<ZoneBandwidth>) => {
  const answer = { zone: "web", daily: {}, sums: {}, ...bandwidth };
  return new Figures(period, { from: "2026-10-01", to: "2026-11-24" }, "refused", [answer]).of(WEB);
};

test.each<[string, Partial<ZoneBandwidth>]>([
  ["a metric of its own", { daily: { bwSumRes: [0, 0, 5] } }],
  ["a direction that has no sum", { daily: { bwDnRes: [7] } }],
  ["a sum without days", { sums: { custom: { bwSum: 4e9 } } }],
  ["requests alone", { daily: { bwSum: [0], httpsSvcReq: [3] } }],
])("a zone with %s is not idle", (_, bandwidth) => {
  expect(figuresOf(bandwidth).isQuiet).toBe(false);
});

test("a zone without traffic is idle for all complete days that were asked for", () => {
  expect(figuresOf({ daily: { bwSum: [0, 0] }, sums: { custom: { bwSum: 0 } } })).toMatchObject({
    bytes: { total: 0, before: 0 },
    isQuiet: true,
  });
});

test("a series whose beginning cannot be read begins with the days that were asked for", () => {
  const daily = { bwSum: Array.from({ length: 54 }, () => 1) };
  expect(figuresOf({ from: "1-Oct-2026", daily }).bytes).toMatchObject({ total: 23, before: 22 });
  expect(figuresOf({ from: "2026-09-30T00:00:00.000Z", daily }).bytes).toMatchObject({ total: 22, before: 22 });
});

test("a month costs no less than it has cost already", () => {
  const cost = { total: 100e6, complete: 22e6, before: 0 };
  expect(withForecast({ ...WEB, cost }, period).forecast).toBe(100e6);
  expect(withForecast({ ...WEB, cost: { ...cost, total: 23e6 } }, period).forecast).toBe(30e6);
});

test.each<[number, number, string]>([
  [112, 100, "+12%"],
  [0, 100, "-100%"],
  [1_099, 100, "+999%"],
  [5_611_672_330, 1_000, ">999%"],
  [5, 0, "new"],
])("%i after %i is a change of %s", (complete, before, words) => {
  expect(changeInWords({ total: complete, complete, before }, period)).toBe(words);
});
