import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { camelCase, camelKeys, snakeCase } from "../../src/base/case";
import { isObject } from "../../src/base/json";

describe("names", () => {
  test.each([
    ["zone", "zone"],
    ["whitelist_ips", "whitelistIps"],
    ["www_whitelist_ips", "wwwWhitelistIps"],
    ["ext_proxy_port", "extProxyPort"],
    ["cost_per_1000", "costPer1000"],
    ["aws-access-key", "awsAccessKey"],
  ])("%s is %s", (service, ours) => {
    expect(camelCase(service)).toBe(ours);
  });

  test("go there and back", () => {
    const word = fc.string({ unit: fc.constantFrom(..."abcxyz"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const name = words.join("_");
        expect(snakeCase(camelCase(name))).toBe(name);
      }),
    );
  });
});

test("camelKeys changes keys at every depth, and no value", () => {
  const value = { plan_type: { ips_type: "shared_ip", list: [{ a_b: null }, "c_d", 5] }, x_y: undefined };
  expect(camelKeys(value)).toEqual({
    planType: { ipsType: "shared_ip", list: [{ aB: null }, "c_d", 5] },
    xY: undefined,
  });
});

test("camelKeys keeps an object what it is, whatever its keys are called", () => {
  const value = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
  const changed = camelKeys(value);
  expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
  expect((changed as { polluted?: boolean }).polluted).toBeUndefined();
});

test.each<[unknown, boolean]>([
  [{}, true],
  [[], false],
  [null, false],
  ["", false],
  [undefined, false],
  [5, false],
])("%j is an object: %s", (value, expected) => {
  expect(isObject(value)).toBe(expected);
});
