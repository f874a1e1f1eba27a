import { expect, test } from "vitest";
import { coercePort } from "../../../simulator/manager/portRecord";

test.each([
  ["session", null, "null"],
  ["session", ["a"], "a"],
  ["country", 5, "5"],
  ["country", "true", true],
  ["asn", "false", false],
  ["pool_size", "7", 7],
  ["pool_size", "7.5", 7.5],
  ["pool_size", "", 0],
  ["pool_size", null, 0],
  ["pool_size", true, 1],
  ["pool_size", "7x", "7x"],
  ["ssl", "", false],
  ["ssl", "0", false],
  ["ssl", "1", true],
  ["ssl", 1, true],
  ["ssl", 5, 5],
  ["ssl", "yes", "yes"],
  ["ssl", null, false],
  ["ssl", {}, true],
  ["headers", "x", "x"],
  ["users", [""], []],
  ["unknown", [""], []],
  ["unknown", "7", "7"],
])("%s %j becomes %j", (field, sent, expected) => {
  expect(coercePort({ [field]: sent })).toEqual({ [field]: expected });
});

test("the strings in rules become numbers where they start like one", () => {
  const rule = {
    status: "200",
    action: { retry_port: "24001" },
    active: "true",
    min_conn_time: "5s",
    url: ["a", { id: "1" }],
    text: "abc",
  };
  expect(coercePort({ rules: [rule, 5, "abc"] })).toEqual({
    rules: [
      {
        status: 200,
        action: { retry_port: 24001 },
        active: true,
        min_conn_time: 5,
        url: ["a", { id: 1 }],
        text: "abc",
      },
      5,
      "abc",
    ],
  });
});

test.each([
  [[null], "Cannot convert undefined or null to object"],
  [[{ action: null }], "Cannot convert undefined or null to object"],
  [["200"], "Cannot assign to read only property '0' of string '200'"],
  [[{ status: ["b2"] }], "Cannot assign to read only property '1' of string 'b2'"],
])("the rules %j make the manager fail", (rules, message) => {
  expect(() => coercePort({ rules })).toThrow(message);
});
