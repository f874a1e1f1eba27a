import { expect, test } from "vitest";
import { allowedProducts } from "../../policies/rules/allowedProducts";
import { resource, saysOf, UNKNOWN, zone } from "./resources";

const mobile = zone("phones", { type: "resident", mobile: true });

test("every product is allowed unless something is said", () => {
  expect(saysOf(allowedProducts, mobile)).toEqual([]);
});

test("a product that is denied, or not among those allowed, is told of with those that are", () => {
  expect(saysOf(allowedProducts, mobile, { allowed: ["isp-*", "mobile", "serp-api"], denied: ["mobile"] })).toEqual([
    "The `plan` is of the product mobile, which is not allowed: allowed are isp-dedicated, isp-shared, serp-api.",
  ]);
  expect(saysOf(allowedProducts, mobile, { denied: ["*"] })).toEqual([
    "The `plan` is of the product mobile, which is not allowed: none is.",
  ]);
});

test("a plan that is not known yet is not judged, and other resources have none", () => {
  for (const plan of [{ type: "resident", mobile: UNKNOWN }, { type: UNKNOWN }])
    expect(saysOf(allowedProducts, zone("phones", plan), { denied: ["*"] })).toEqual([]);
  expect(saysOf(allowedProducts, resource("Zone", "phones", { plan: UNKNOWN }), { denied: ["*"] })).toEqual([]);
  expect(saysOf(allowedProducts, resource("ZoneIps", "more", {}), { denied: ["*"] })).toEqual([]);
});
