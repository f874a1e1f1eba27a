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

test("other stacks and other resources need no protection", () => {
  for (const stack of ["dev", "reproduce", "pr-12"]) expect(saysOf(protectedZones, { ...web, stack })).toEqual([]);
  expect(saysOf(protectedZones, resource("ProxyPort", "one", {}))).toEqual([]);
});

test("which stacks are production is an option", () => {
  expect(saysOf(protectedZones, web, { stacks: "^live$" })).toEqual([]);
  expect(saysOf(protectedZones, { ...web, stack: "live" }, { stacks: "^live$" })).toHaveLength(1);
  for (const stack of ["prod-eu", "eu-production"]) expect(saysOf(protectedZones, { ...web, stack })).toHaveLength(1);
});
