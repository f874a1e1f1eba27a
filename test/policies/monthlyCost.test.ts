import { afterEach, expect, test, vi } from "vitest";
import { lastMonthsCost, monthBefore } from "../../policies/accountCost";
import { withDefaults } from "../../policies/policy";
import { monthlyCost, pricesOf } from "../../policies/rules/monthlyCost";
import { startSimulator } from "../../simulator";
import * as library from "../../src";
import { PIECES } from "../../src/model/products";
import { resource, saysOfStack, UNKNOWN, zone } from "./resources";

afterEach(() => void vi.unstubAllEnvs());

const PRICES = { "datacenter-dedicated-ip": 0.8, "residential-dedicated-gip": 2 };
const STACK = [
  zone("web", { type: "static", ipsType: "dedicated", ips: 10 }),
  resource("ZoneIps", "more", { zone: "web", count: 5 }),
  zone("home", { type: "resident", vipsType: "domain", vips: 3 }),
  zone("serp", { type: "unblocker", serp: true }),
];

test("the IPs of all zones are summed by the prices that are given", async () => {
  expect(await saysOfStack(monthlyCost, STACK, { dollars: 18, prices: PRICES })).toEqual([]);
  expect(await saysOfStack(monthlyCost, STACK, { dollars: 17.99, prices: PRICES })).toEqual([
    { message: "The IPs of the stack cost about $18.00 a month: at most $17.99 are allowed." },
  ]);
});

test("a cost of just what is allowed is allowed, however numbers are added up", async () => {
  const prices = { "datacenter-dedicated-ip": 1.1 };
  const stack = [zone("web", { type: "static", ipsType: "dedicated", ips: 3 })];
  expect(await saysOfStack(monthlyCost, stack, { dollars: 3.3, prices, lastMonth: 1.1 + 2.2 })).toEqual([]);
  expect(await saysOfStack(monthlyCost, stack, { dollars: 3.29, prices })).toHaveLength(1);
});

test("IPs without a price are said to be missing", async () => {
  const stack = [...STACK, resource("ZoneIps", "stray", { zone: "elsewhere", count: 5 })];
  const prices = { "datacenter-dedicated-ip": 1 };
  expect(await saysOfStack(monthlyCost, stack, { dollars: 5, prices })).toEqual([
    {
      message:
        "The IPs of the stack cost about $15.00 a month, not counting 2 zones whose IPs have no known price: at most $5.00 are allowed.",
    },
  ]);
});

test("IPs of one zone outside of the stack are one zone without a price", async () => {
  const stray = (name: string) => resource("ZoneIps", name, { zone: "elsewhere", count: 5 });
  const [violation] =
    (await saysOfStack(monthlyCost, [...STACK, stray("a"), stray("b")], { dollars: 1, prices: PRICES })) ?? [];
  expect(violation?.message).toContain("not counting a zone");
});

test("IPs without any price at all are told of, as their cost cannot be checked", async () => {
  const said = [
    {
      message:
        "The IPs of 2 zones have no known price, so that `dollars` cannot be checked: set `prices`, or `brightdata:prices` in the stack's configuration.",
    },
  ];
  expect(await saysOfStack(monthlyCost, STACK, { dollars: 100 })).toEqual(said);
  expect(await saysOfStack(monthlyCost, STACK, { dollars: 100, prices: {} })).toEqual(said);
  expect(await saysOfStack(monthlyCost, STACK, { dollars: 100, lastMonth: 99 })).toEqual([]);
  expect(await saysOfStack(monthlyCost, [zone("serp", { type: "unblocker", serp: true })], { dollars: 100 })).toEqual(
    [],
  );
});

test("IPs without a price are told of, whatever else has one", async () => {
  const misspelt = { "datacenter-dedicatd-ip": 0.8, "residential-dedicated-gip": 2 };
  const [violation] = (await saysOfStack(monthlyCost, STACK, { dollars: 100, prices: misspelt })) ?? [];
  expect(violation?.message).toMatch(/^The IPs of a zone have no known price/);
  const { properties, additionalProperties } = monthlyCost.options.prices.schema;
  expect(Object.keys(properties as object)).toEqual(PIECES);
  expect(additionalProperties).toBe(false);
});

test("IPs of a product that is not known yet are not taken for some without a price", async () => {
  const later = zone("later", { type: "static", ipsType: UNKNOWN, ips: 5 });
  expect(await saysOfStack(monthlyCost, [...STACK, later], { dollars: 100, prices: PRICES })).toEqual([]);
});

test.each(["zone", "account"])("IPs whose %s is not known yet are not taken for some without a price", async (name) => {
  const later = resource("ZoneIps", "later", { zone: "web", count: 5, [name]: UNKNOWN });
  expect(await saysOfStack(monthlyCost, [...STACK, later], { dollars: 100, prices: PRICES })).toEqual([]);
});

test("before a resource is made, only a cost beyond the limit is told of", () => {
  const options = { ...withDefaults(monthlyCost, {}), prices: PRICES, lastMonth: 1e6 };
  const stack = [...STACK, resource("ZoneIps", "stray", { zone: "elsewhere", count: 5 })];
  expect(monthlyCost.ofGrowing?.(stack, { ...options, dollars: 18 })).toEqual([]);
  expect(monthlyCost.ofGrowing?.(stack, options)).toEqual([]);
  expect(monthlyCost.ofGrowing?.(stack, { ...options, dollars: 17 })).toHaveLength(1);
});

test("nothing is checked without a limit", async () => {
  expect(await saysOfStack(monthlyCost, STACK, { prices: PRICES, lastMonth: 1e6 })).toEqual([]);
});

test("the prices are those of the package: of the environment, then of the configuration", () => {
  const configured = '{"datacenter-dedicated-ip":"0.8"}';
  const priced = resource(
    "Zone",
    "web",
    {},
    { provider: { urn: "p", configuration: { "brightdata:prices": configured } } },
  );
  expect(pricesOf([priced], {})).toEqual({ "datacenter-dedicated-ip": "0.8" });
  expect(pricesOf([priced], { BRIGHTDATA_PRICES: '{"mobile-gip":1}' })).toEqual({ "mobile-gip": 1 });
  expect(pricesOf([priced], { BRIGHTDATA_PRICES: "soon" })).toEqual({});
  expect(pricesOf([zone("web", {})], {})).toEqual({});
});

test("what the account cost last month may be given", async () => {
  const stack = [zone("serp", { type: "unblocker", serp: true })];
  expect(await saysOfStack(monthlyCost, stack, { dollars: 100, lastMonth: 100 })).toEqual([]);
  expect(await saysOfStack(monthlyCost, stack, { dollars: 100, lastMonth: 100.5 })).toEqual([
    { message: "The account cost $100.50 last month: at most $100.00 are allowed." },
  ]);
});

test("a stack that has nothing of the account is not told what that cost, and no token is missing", async () => {
  expect(await saysOfStack(monthlyCost, [], { dollars: 100, lastMonth: 100.5 })).toEqual([]);
  expect(await saysOfStack(monthlyCost, [], { dollars: 100, askAccount: true })).toEqual([]);
});

test("the account is asked once, with the settings of the package", async () => {
  const simulator = await startSimulator();
  for (const [name, value] of Object.entries(simulator.environment())) vi.stubEnv(name, value);
  const load = () => library as never;
  const provider = { urn: "p", configuration: { "brightdata:requestTimeout": "5" } };
  const asked = [await lastMonthsCost([zone("web", {})], load), await lastMonthsCost([zone("web", {})], load)];
  await lastMonthsCost([resource("Zone", "web", {}, { provider })], load);
  const requests = simulator.remote.service.requests.map(({ method, path, body }) => ({ method, path, body }));
  await simulator.close();
  const request = {
    method: "POST",
    path: "/costs/export/json",
    // By zones, collections of datasets would cost nothing.
    body: { dimension: "products", filters: {}, ...monthBefore(new Date()) },
  };
  expect(requests).toEqual([request, request]);
  expect(asked).toEqual([expect.any(Number), asked[0]]);
});

test.each([
  [
    Object.assign(new Error("Cannot find"), { code: "MODULE_NOT_FOUND" }),
    "install pulumi-brightdata beside this policy pack.",
  ],
  [new Error("The token is rejected."), "The token is rejected."],
])("where it cannot be asked, a sentence says why: %s", async (error, why) => {
  const configuration = { "brightdata:baseUrl": why };
  const load = () => {
    throw error;
  };
  const asked = await lastMonthsCost([resource("Zone", "web", {}, { provider: { urn: "p", configuration } })], load);
  expect(asked).toBe(`What the account cost last month is not known: ${why}`);
});

test("the month before is a whole one of the calendar", () => {
  expect(monthBefore(new Date("2026-03-31T23:59:59Z"))).toEqual({ from: "2026-02-01", to: "2026-03-01" });
  expect(monthBefore(new Date("2026-01-01T00:00:00Z"))).toEqual({ from: "2025-12-01", to: "2026-01-01" });
});
