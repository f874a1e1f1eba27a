import { assert, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, meant, nearest } from "../../src/base/nearest";

describe("editDistance", () => {
  test.each([
    ["", "", 0],
    ["web", "web", 0],
    ["web", "wep", 1],
    ["web", "we", 1],
    ["web", "webs", 1],
    ["web", "wbe", 2],
    ["kitten", "sitting", 3],
    ["", "abc", 3],
  ])("%j and %j: %i", (left, right, slips) => {
    expect(editDistance(left, right)).toBe(slips);
  });

  test("is a distance", () => {
    assert(
      property(string(), string(), string(), (a, b, c) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
        expect(editDistance(a, c)).toBeLessThanOrEqual(editDistance(a, b) + editDistance(b, c));
      }),
    );
  });
});

test("nearest puts the most similar first, and no more than asked for", () => {
  expect(nearest("Web", ["shop", "web_1", "WEB", "web2"], 3)).toEqual(["WEB", "web2", "web_1"]);
  expect(nearest("web", [], 3)).toEqual([]);
});

test("nearest leaves names that are alike in their order", () => {
  expect(nearest("web", ["web2", "web1"], 2)).toEqual(["web2", "web1"]);
});

test.each([
  ["proxyManagerURL", "proxyManagerUrl"],
  ["api_token", "apiToken"],
  ["apiTokn", "apiToken"],
  ["token", undefined],
])("%s is meant to mean %s", (name, expected) => {
  expect(meant(name, ["baseUrl", "proxyManagerUrl", "apiToken"])).toBe(expected);
});
