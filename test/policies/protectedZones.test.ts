import { expect, test } from "vitest";
import { protectedZones } from "../../policies/rules/protectedZones";
import { resource, saysOf, zone } from "./resources";

const web = zone("web", { type: "static" });
const SAID = [
  'The zone is not protected, and the stack "prod" is a production stack: set the resource option `protect: true`.',
];

test("which stacks are production is configured", () => {
  expect(saysOf(protectedZones, web, { stacks: "^prod" })).toEqual(SAID);
  expect(saysOf(protectedZones, { ...web, isProtected: true }, { stacks: "^prod" })).toEqual([]);
  expect(saysOf(protectedZones, { ...web, stack: "live" }, { stacks: "^live$" })).toHaveLength(1);
  expect(saysOf(protectedZones, web, { stacks: "^live$" })).toEqual([]);
});

test.each(["prod", "eu-live", "dev", "pr-12", "pre-prod"])("and not guessed by the name of the stack %s", (stack) => {
  expect(saysOf(protectedZones, { ...web, stack })).toEqual([
    "The zone is not protected: set the resource option `protect: true`, or name the production stacks in the option `stacks`.",
  ]);
  expect(saysOf(protectedZones, { ...web, stack, isProtected: true })).toEqual([]);
});

test("other resources need no protection", () => {
  expect(saysOf(protectedZones, resource("ProxyPort", "one", {}))).toEqual([]);
});
