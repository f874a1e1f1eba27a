import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { picked, unsaid } from "../../src/program/announce";

const PATHS = [["port"], ["ports", "*", "port"], ["adopt"], ["manager"]];
const NAMES = ["port", "ports", "adopt", "manager"];
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hush" };
const { unknownValue } = pulumi.runtime;

test.each([
  { values: { port: 24_000, zone: "web", password: "hush" }, said: { port: 24_000 }, unknown: [] },
  {
    values: { port: 24_000, adopt: true, manager: "m" },
    said: { port: 24_000, adopt: true, manager: "m" },
    unknown: [],
  },
  { values: { port: unknownValue, adopt: true }, said: { adopt: true }, unknown: ["port"] },
  { values: { port: SECRET, adopt: undefined }, said: {}, unknown: ["port"] },
  { values: { port: 24_000, manager: unknownValue }, said: { port: 24_000 }, unknown: ["manager"] },
  { values: { port: [24_000, unknownValue] }, said: {}, unknown: ["port"] },
  {
    values: { ports: { a: { port: 24_001, password: "hush" }, b: { port: unknownValue } } },
    said: { ports: { a: { port: 24_001 }, b: {} } },
    unknown: [],
  },
])("of $values, a program announces $said, and $unknown as not known", ({ values, said, unknown }) => {
  expect(picked(values, PATHS)).toEqual(said);
  expect(unsaid(values, NAMES)).toEqual(unknown);
});
