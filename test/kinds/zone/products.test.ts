import { expect, test } from "vitest";
import { isPlanField, zonePlan } from "../../../src/kinds/zone/plan";
import { PIECES, PRODUCTS, pieceOf } from "../../../src/kinds/zone/products";

test("every field of a product is one of a plan, and every type of plan a product's", () => {
  for (const { when, needs, takes } of PRODUCTS)
    expect([...Object.keys(when), ...needs, ...takes].filter((field) => !isPlanField(field))).toEqual([]);
  expect(new Set<string>(PRODUCTS.map(({ type }) => type))).toEqual(new Set(Object.keys(zonePlan.of)));
});

test("every name for a price is that of one product", () => {
  expect(new Set(PIECES).size).toBe(PIECES.length);
  for (const product of PRODUCTS) {
    expect(pieceOf({ type: product.type, ...product.when })).toBe("piece" in product ? product.piece : undefined);
  }
});
