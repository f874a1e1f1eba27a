import { expect, test } from "vitest";
import { KINDS } from "../../src/generated/kinds";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { NEW_ZONE_NAME } from "../../src/kinds/zone/automaticName";
import { zoneLifecycle as zone } from "../../src/kinds/zone/lifecycle";
import { zonePasswordLifecycle as zonePassword } from "../../src/kinds/zonePassword/lifecycle";
import { UNKNOWN } from "../../src/lifecycle/lifecycle";
import { type Autonaming, named } from "../../src/plugin/autonaming";

const MADE: Autonaming = { proposedName: "web_dev", isOff: false, isEnforced: false };
const OFF: Autonaming = { proposedName: "", isOff: true, isEnforced: false };
const LIKE_OTHERS: Autonaming = { ...MADE, proposedName: "Web-Shop-1a2b" };
const ENFORCED: Autonaming = { ...LIKE_OTHERS, isEnforced: true };

test.each<
  [what: string, inputs: object, previous: object | undefined, autonaming: Autonaming | undefined, given: object]
>([
  ["one of the stack's configuration", {}, undefined, MADE, { name: "web_dev" }],
  ["one of it that is enforced", {}, undefined, { ...MADE, isEnforced: true }, { name: "web_dev" }],
  ["one of it in the service's characters", {}, undefined, LIKE_OTHERS, { name: "web_shop_1a2b" }],
  [
    "one of it as it is to take over what there is",
    { adopt: true },
    undefined,
    ENFORCED,
    { adopt: true, name: "Web-Shop-1a2b" },
  ],
  ["one that the program gives", { name: "web" }, undefined, MADE, { name: "web" }],
  ["one that is not known yet", { name: UNKNOWN }, undefined, MADE, { name: UNKNOWN }],
  ["one that it had", {}, { name: "web" }, MADE, {}],
  ["one, though it is there without", {}, {}, MADE, { name: "web_dev" }],
  ["one of the kind's", {}, undefined, undefined, {}],
  ["one that the program gives, where others are off", { name: "web" }, undefined, OFF, { name: "web" }],
  ["one that it had, where new ones are off", {}, { name: "web" }, OFF, {}],
])("a zone has %s", (_, inputs, previous, autonaming, given) => {
  const named_ = named(zone, { plan: {}, ...inputs }, previous as Record<string, unknown> | undefined, autonaming);
  expect(named_).toEqual({ given: { plan: {}, ...given }, failures: [] });
});

test("a new zone without a name is refused where automatic names are off", () => {
  expect(named(zone, {}, undefined, OFF)).toEqual({
    given: {},
    failures: [
      "`name` is missing: the stack's configuration switches automatic names off (`pulumi:autonaming`). Give one.",
    ],
  });
});

test("a name that is enforced, and that the service does not take, is refused", () => {
  expect(named(zone, {}, undefined, ENFORCED).failures).toEqual([
    '`name` is "Web-Shop-1a2b", as the stack\'s configuration enforces it (`pulumi:autonaming`): expected a name that the service takes, such as "web_shop_1a2b". Change the pattern, or give a name.',
  ]);
});

test.each([
  [`${"x".repeat(80)}-1a2b`, `${"x".repeat(58)}_1a2b`],
  ["a", "a__"],
])("the name nearest to %j keeps its end, and is neither too long nor too short", (proposed, name) => {
  expect(named(zone, {}, undefined, { ...MADE, proposedName: proposed }).given).toEqual({ name });
  expect(name).toMatch(NEW_ZONE_NAME);
});

test("a kind without names is left alone", () => {
  for (const autonaming of [MADE, OFF]) {
    expect(named(zonePassword, { zone: "web" }, undefined, autonaming)).toEqual({
      given: { zone: "web" },
      failures: [],
    });
  }
});

test("zones alone have names of their own making", () => {
  const having = KINDS.filter((kind) => LIFECYCLES[kind]?.declaration.automaticName !== undefined);
  expect(having).toEqual(["Zone"]);
});
