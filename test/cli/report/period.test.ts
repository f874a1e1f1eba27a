import { expect, test } from "vitest";
import { Misuse } from "../../../src/cli/account/misuse";
import { type Days, daysInWords, periodOf, type ReportPeriod } from "../../../src/cli/report/period";

type Told = Omit<ReportPeriod, "days">;

test.each<[string, Partial<Days>, string, Told]>([
  [
    "this month is compared with the same days of the last, as far as they are over",
    {},
    "2026-11-23T23:59:59Z",
    {
      from: "2026-11-01",
      to: "2026-11-24",
      complete: 22,
      before: { from: "2026-10-01", to: "2026-10-23" },
      daysOfMonth: 30,
    },
  ],
  [
    "on the first of a month there is nothing to compare",
    {},
    "2026-11-01T00:00:00Z",
    { from: "2026-11-01", to: "2026-11-02", complete: 0, before: undefined, daysOfMonth: 30 },
  ],
  [
    "the last days of a long month are compared with all of a short one",
    {},
    "2026-03-31T12:00:00Z",
    {
      from: "2026-03-01",
      to: "2026-04-01",
      complete: 30,
      before: { from: "2026-02-01", to: "2026-03-01" },
      daysOfMonth: 31,
    },
  ],
  [
    "a whole month is compared with the whole of the one before, however long",
    { from: "2026-02-01", to: "2026-03-01" },
    "2026-11-23T12:00:00Z",
    {
      from: "2026-02-01",
      to: "2026-03-01",
      complete: 28,
      before: { from: "2026-01-01", to: "2026-02-01" },
      daysOfMonth: undefined,
    },
  ],
  [
    "January is compared with December",
    { from: "2026-01-01", to: "2026-01-03" },
    "2026-11-23T12:00:00Z",
    {
      from: "2026-01-01",
      to: "2026-01-03",
      complete: 2,
      before: { from: "2025-12-01", to: "2025-12-03" },
      daysOfMonth: undefined,
    },
  ],
  [
    "other days are compared with as many before them",
    { from: "2026-11-16", to: "2026-11-23" },
    "2026-11-23T12:00:00Z",
    {
      from: "2026-11-16",
      to: "2026-11-23",
      complete: 7,
      before: { from: "2026-11-09", to: "2026-11-16" },
      daysOfMonth: undefined,
    },
  ],
  [
    "a period ends with today, whatever it was to end with",
    { from: "2026-11-01", to: "2026-12-01" },
    "2026-11-02T12:00:00Z",
    {
      from: "2026-11-01",
      to: "2026-11-03",
      complete: 1,
      before: { from: "2026-10-01", to: "2026-10-02" },
      daysOfMonth: 30,
    },
  ],
  [
    "a period that says its end alone begins with the month of its last day",
    { to: "2026-11-01" },
    "2026-11-23T12:00:00Z",
    {
      from: "2026-10-01",
      to: "2026-11-01",
      complete: 31,
      before: { from: "2026-09-01", to: "2026-10-01" },
      daysOfMonth: undefined,
    },
  ],
])("%s", (_, given, now, expected) => {
  const { days, ...period } = periodOf(given, new Date(now));
  expect(period).toEqual(expected);
  expect([days[0], days.length]).toEqual([
    expected.from,
    (Date.parse(expected.to) - Date.parse(expected.from)) / 86_400_000,
  ]);
});

test.each<[Partial<Days>, string]>([
  [{ from: "2026-12-01" }, "The period begins on 2026-12-01, which has not begun: today is 2026-11-23 (UTC)."],
  [
    { from: "2026-11-05", to: "2026-11-05" },
    "The period is from 2026-11-05 to 2026-11-05: --to is the day after the last, and must be later than --from.",
  ],
])("%j is refused", (days, words) => {
  const refused = () => periodOf(days, new Date("2026-11-23T12:00:00Z"));
  expect(refused).toThrow(Misuse);
  expect(refused).toThrow(words);
});

test.each<[Days, string]>([
  [{ from: "2026-11-01", to: "2026-11-24" }, "1 to 23 November 2026"],
  [{ from: "2026-11-01", to: "2026-11-02" }, "1 November 2026"],
  [{ from: "2026-10-30", to: "2026-11-03" }, "30 October 2026 to 2 November 2026"],
])("%j is said in words", (days, words) => {
  expect(daysInWords(days)).toBe(words);
});
