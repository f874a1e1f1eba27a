import { expect, test } from "vitest";
import { protectedZones } from "../../policies/rules/protectedZones";
import { resource, saysOf, zone } from "./resources";

const web = zone("web", { type: "static" });
const SAID = [
  'The zone is not protected, and the stack "prod" is a production stack: set the resource option `protect: true`.',
];

test("a zone of a production stack has to be protected", () => {
  expect(saysOf(protectedZones, web)).toEqual(SAID);
  expect(saysOf(protectedZones, { ...web, isProtected: true })).toEqual([]);
});

test.each([
  ...["prod", "PROD", "prod-eu", "eu_production", "prod_eu", "eu.prod.2", "production2", "Acme-Production"],
  "dev-pre-eu-prod",
])("the stack %s is a production stack", (stack) => {
  expect(saysOf(protectedZones, { ...web, stack })).toHaveLength(1);
});

test.each([
  ...["dev", "reproduce", "product", "pr-12", "nonprod", "preprod"],
  ...["non-prod", "pre-prod", "Non_Production", "eu-pre.prod-2"],
])("the stack %s is no production stack", (stack) => {
  expect(saysOf(protectedZones, { ...web, stack })).toEqual([]);
});

test("other resources need no protection", () => {
  expect(saysOf(protectedZones, resource("ProxyPort", "one", {}))).toEqual([]);
});

test("which stacks are production is an option", () => {
  expect(saysOf(protectedZones, web, { stacks: "^live$" })).toEqual([]);
  expect(saysOf(protectedZones, { ...web, stack: "live" }, { stacks: "^live$" })).toHaveLength(1);
  expect(saysOf(protectedZones, { ...web, stack: "pre-prod" }, { stacks: "^pre-prod$" })).toHaveLength(1);
});
