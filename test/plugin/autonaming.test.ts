import { expect, test } from "vitest";
import { KINDS } from "../../src/generated/kinds";
import { LIFECYCLES } from "../../src/generated/lifecycles";
import { zone } from "../../src/kinds/zone/declaration";
import { zonePassword } from "../../src/kinds/zonePassword/declaration";
import { UNKNOWN } from "../../src/lifecycle/lifecycle";
import { type Autonaming, named } from "../../src/plugin/autonaming";

const MADE: Autonaming = { proposedName: "web-dev", isOff: false };
const OFF: Autonaming = { proposedName: "", isOff: true };

test.each<
  [what: string, inputs: object, previous: object | undefined, autonaming: Autonaming | undefined, given: object]
>([
  ["one of the stack's configuration", {}, undefined, MADE, { name: "web-dev" }],
  ["one that the program gives", { name: "web" }, undefined, MADE, { name: "web" }],
  ["one that is not known yet", { name: UNKNOWN }, undefined, MADE, { name: UNKNOWN }],
  ["one that it had", {}, { name: "web" }, MADE, {}],
  ["one, though it is there without", {}, {}, MADE, { name: "web-dev" }],
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
