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

test("a plan without `ipsType` is of the product that the service makes of it", () => {
  const denied = ["datacenter-shared", "isp-shared"];
  const said = [
    { type: "static", ips: 500 },
    { type: "static", poolIpType: "static_res" },
    { type: "static", ipsType: "dedicated" },
  ];
  expect(said.map((plan) => saysOf(allowedProducts, zone("web", plan), { denied })?.length)).toEqual([1, 1, 0]);
});

test("what a plan has under `extra` is a part of it", () => {
  const said = (extra: unknown, plan = {}) =>
    saysOf(allowedProducts, zone("web", { type: "resident", ...plan, extra }), { denied: ["mobile"] })?.length;
  expect([said({ mobile: 1 }), said({ MOBILE: true }), said({ mobile: 0 }), said(UNKNOWN)]).toEqual([1, 1, 0, 0]);
  expect(
    saysOf(allowedProducts, zone("web", { type: "static", extra: { ips_type: "dedicated" } }), { allowed: ["isp-*"] }),
  ).toHaveLength(1);
});

test("products that there are not cannot be named", () => {
  const { pattern } = allowedProducts.options.denied.schema.items as { pattern: string };
  const named = new RegExp(pattern);
  const texts = ["mobile", "isp-*", "residential*", "*", "moblie", "isp-dedicate", "mobile-*", "dc*"];
  expect(texts.filter((text) => named.test(text))).toEqual(["mobile", "isp-*", "residential*", "*"]);
});

test("a plan of no known product is told of where not all are allowed", () => {
  for (const plan of [{ type: "static", ipsType: "hourly" }, { type: "satellite" }]) {
    expect(saysOf(allowedProducts, zone("web", plan))).toEqual([]);
    expect(saysOf(allowedProducts, zone("web", plan), { allowed: ["isp-*"] })).toEqual([
      `The \`plan\` of type "${plan.type}" is of no known product: allowed are isp-dedicated, isp-shared.`,
    ]);
  }
});
