import { expect, test } from "vitest";
import { ArgumentError, portRange } from "../../../src";

test("gives each port its number and a key that tells it", () => {
  expect(portRange({ from: 24_000, count: 2, prefix: "us-" }, { country: "us" })).toEqual({
    "us-24000": { port: 24_000, country: "us" },
    "us-24001": { port: 24_001, country: "us" },
  });
});

test("asks for the settings of each port", () => {
  expect(
    portRange({ from: 24_000, count: 2 }, (index, port) => ({ session: `s${index}`, internalName: `${port}` })),
  ).toEqual({
    24000: { port: 24_000, session: "s0", internalName: "24000" },
    24001: { port: 24_001, session: "s1", internalName: "24001" },
  });
});

test("may be empty, and goes up to the last port there is", () => {
  expect(portRange({ from: 24_000, count: 0 })).toEqual({});
  expect(Object.keys(portRange({ from: 65_535, count: 1 }))).toEqual(["65535"]);
});

test("says which argument is missing", () => {
  const ports = portRange as unknown as (range?: unknown) => unknown;
  expect(() => ports()).toThrow("The arguments of portRange are missing: expected an object with `from` and `count`.");
  expect(() => ports({ from: 24_000 })).toThrow("The argument `count` of portRange is missing.");
});

test.each([
  { from: 24_000.5, count: 1 },
  { from: 999, count: 1 },
  { from: 24_000, count: -1 },
  { from: 65_535, count: 2 },
  { from: Number.NaN, count: 1 },
])("refuses $count from $from on", (range) => {
  expect(() => portRange(range)).toThrow(ArgumentError);
});
