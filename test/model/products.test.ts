import { expect, test } from "vitest";
import type { JsonObject } from "../../src/base/json";
import { zoneLifecycle } from "../../src/kinds/zone/lifecycle";
import { isPlanField, zonePlan } from "../../src/model/plan";
import { PIECES, PLANS_BY_NAME, PRODUCTS, pieceOf } from "../../src/model/products";

test("every field of a product is one of a plan, and every type of plan a product's", () => {
  for (const { when, needs, takes } of PRODUCTS)
    expect([...Object.keys(when), ...needs, ...takes].filter((field) => !isPlanField(field))).toEqual([]);
  expect(new Set<string>(PRODUCTS.map(({ type }) => type))).toEqual(new Set(Object.keys(zonePlan.of)));
});

test.each(Object.entries(PLANS_BY_NAME))(
  "a plan of the type %j is told what to declare, and that is one",
  (name, plan) => {
    const { failures } = zoneLifecycle.check({ name: "web", plan: { type: name } }, undefined);
    expect(failures).toEqual([
      `\`plan.type\` is ${JSON.stringify(name)}: expected one of "static", "resident", "unblocker", "browser_api"; here ${JSON.stringify(name)} is \`${plan}\`.`,
    ]);
    const meant = JSON.parse(`{${plan.replace(/(\w+):/g, '"$1":')}}`) as JsonObject;
    expect(zoneLifecycle.check({ name: "web", plan: meant }, undefined).failures).toEqual([]);
  },
);

test("a product's name in another spelling is told from a word that means none", () => {
  const failures = (type: string) => zoneLifecycle.check({ name: "web", plan: { type } }, undefined).failures.join();
  expect(failures("Data Center")).toContain('here "Data Center" is `type: "static"`.');
  expect(failures("toString")).toMatch(/"browser_api"\.$/);
});

test("every name for a price is that of one product", () => {
  expect(new Set(PIECES).size).toBe(PIECES.length);
  for (const product of PRODUCTS) {
    expect(pieceOf({ type: product.type, ...product.when })).toBe("piece" in product ? product.piece : undefined);
  }
});
