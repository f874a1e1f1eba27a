import { expect, test } from "vitest";
import { kindOf } from "../../policies/declared";
import { PROVIDER_TYPE, typeOf } from "../../src/dynamic/type";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { kindIn, nameIn } from "../../src/pulumi/types";

const KINDS = Object.keys(LIFECYCLES).map((kind): [string] => [kind]);

test.each(KINDS)("%s is known by its type in both protocols, for the policies too", (kind) => {
  for (const type of [typeOf(kind), `brightdata:index:${kind}`])
    expect([kindIn(type), kindOf(type)]).toEqual([kind, kind]);
});

test.each([PROVIDER_TYPE, "pulumi:providers:brightdata"])("%s is that of this package's provider", (type) => {
  expect(kindIn(type)).toBe("Provider");
});

test.each([
  "pulumi:pulumi:Stack",
  "pulumi:providers:aws",
  "pulumi-nodejs:dynamic:Resource",
  "pulumi-nodejs:dynamic/other:Zone",
  "my:brightdata:index:Zone",
  "brightdata:index:Zone/x",
  undefined,
])("%s is the type of nothing of this package", (type) => {
  expect([kindIn(type), kindOf(String(type))]).toEqual([undefined, undefined]);
});

test("a name may have colons of its own, and its resource parents", () => {
  expect(nameIn("urn:pulumi:dev::shop::my:Web$brightdata:index:Zone::eu::web")).toBe("eu::web");
});
