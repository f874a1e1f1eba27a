import { expect, test } from "vitest";
import { sums } from "../../../src/cli/report/plots";

const words = { title: "Cost", description: "Cost by day", shown: String, tick: String };
const FEBRUARY = Array.from({ length: 28 }, (_, day) => `2026-02-${String(day + 1).padStart(2, "0")}`);

test.each([28, 30, 31])("a month before of %i days stays in the plot, with its sum at the end", (length) => {
  const values = FEBRUARY.map(() => 1);
  const before = Array.from({ length }, () => 1);
  const { text } = sums({ days: FEBRUARY, values, complete: 28, before, forecast: undefined }, words);
  const [, earlier = "", own = ""] = /class="l8" points="([^"]*)".*class="l0" points="([^"]*)"/s.exec(text) ?? [];
  const xs = (points: string) => points.split(" ").map((point) => Number(point.split(",")[0]));
  expect(xs(earlier)).toHaveLength(length + 1);
  expect(Math.max(...xs(earlier))).toBe(Math.max(...xs(own)));
});
