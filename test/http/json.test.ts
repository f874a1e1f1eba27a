import { expect, test } from "vitest";
import { readJson } from "../../src/http/json";

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test.each(["null", "5", '"a"', "[]", '{"a":[{"b":null}]}', nested(100)])("reads %j", (text) => {
  expect(readJson(text)).toEqual({ value: JSON.parse(text) });
});

test.each([
  ["", "text that is not JSON, or JSON cut short (0 characters)"],
  ["OK", "text that is not JSON, or JSON cut short (2 characters)"],
  ['{"password":"hunt', "text that is not JSON, or JSON cut short (17 characters)"],
])("says what is wrong with %j without quoting it", (text, problem) => {
  expect(readJson(text)).toEqual({ problem });
});

test.each([
  ["lists", nested(102)],
  ["a great many lists", nested(1_000_000)],
  ["objects", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`],
])("refuses %s within one another", (_, text) => {
  expect(readJson(text)).toEqual({ problem: "JSON nested more than 100 levels deep" });
});

test("refuses what is nested too deep as such where integers are to keep their digits, too", () => {
  const text = `[9007199254740993,${nested(100_000)}]`;
  expect(readJson(text, "digits")).toEqual({ problem: "JSON nested more than 100 levels deep" });
});
