import { assert, boolean, date, property, record } from "fast-check";
import { expect, test } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { periodQuery } from "../../src/remote/period";

const day = date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
const written = (value: Date, long: boolean) => value.toISOString().slice(0, long ? 19 : 10);

test.each(["2026-05-01", "2026-05-01T00:00:00", "2026-05-01T23:59:59Z", "2026-05-01T00:00:00.000Z", "2024-02-29"])(
  "periodQuery takes %s as it is",
  (from) => {
    expect(periodQuery({ from })).toEqual({ from, to: undefined });
    expect(periodQuery({ to: from })).toEqual({ from: undefined, to: from });
  },
);

test.each([
  "",
  "yesterday",
  "2026",
  "2026-05",
  "2026-5-1",
  "01-05-2026",
  "2026/05/01",
  "2026-05-01 00:00:00",
  "2026-05-01T00:00",
  "2026-05-01T00:00:00+02:00",
  "2026-13-01",
  "2026-02-31",
  "2025-02-29",
  "2026-05-00",
  "2026-05-01T24:00:00",
  "2026-05-01T25:00:00",
  "2026-05-01T00:61:00",
  " 2026-05-01",
  "2026-05-01\n",
])("periodQuery refuses %j, and names it", (from) => {
  const expected = expect.objectContaining({ message: expect.stringContaining(`\`from\` is ${JSON.stringify(from)}`) });
  expect(() => periodQuery({ from })).toThrow(ArgumentError);
  expect(() => periodQuery({ from })).toThrow(expected);
  expect(() => periodQuery({ to: from })).toThrow(ArgumentError);
});

test("periodQuery takes any two dates of which the first is earlier, and no others", () => {
  assert(
    property(record({ left: day, right: day, long: boolean() }), ({ left, right, long }) => {
      const from = written(left, long);
      const to = written(right, long);
      if (from < to) expect(periodQuery({ from, to })).toEqual({ from, to });
      else expect(() => periodQuery({ from, to })).toThrow(/`to` is exclusive and must be later/);
    }),
  );
});

test("periodQuery compares days and times as UTC, wherever the machine is", () => {
  const zone = process.env.TZ;
  try {
    for (const each of ["America/New_York", "Asia/Tokyo", "UTC"]) {
      process.env.TZ = each;
      const [from, to] = ["2026-04-30T22:00:00", "2026-05-01"];
      expect(periodQuery({ from, to })).toEqual({ from, to });
      expect(() => periodQuery({ from: to, to: `${to}T00:00:00` })).toThrow(/must be later/);
    }
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("periodQuery asks for nothing in particular where nothing is given", () => {
  expect(periodQuery({})).toEqual({ from: undefined, to: undefined });
});
