import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { inputsToSay } from "../../src/program/announce";

const PATHS = [["port"], ["ports", "*", "port"], ["adopt"], ["manager"]];
const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: "hush" };
const { unknownValue } = pulumi.runtime;

test.each([
  { values: { port: 24_000, zone: "web", password: "hush" }, said: { port: 24_000 } },
  { values: { port: 24_000, adopt: true, manager: "fra-1" }, said: { port: 24_000, adopt: true, manager: "fra-1" } },
  { values: { port: unknownValue, adopt: true }, said: { adopt: true } },
  { values: { port: SECRET }, said: {} },
  {
    values: { ports: { a: { port: 24_001, password: "hush" }, b: { port: unknownValue } } },
    said: { ports: { a: { port: 24_001 }, b: {} } },
  },
  // Of another manager, the same number is another port: it is declared twice by nobody.
  { values: { port: 24_000, manager: unknownValue }, said: {} },
  { values: { port: 24_000, manager: SECRET }, said: {} },
])("of $values, a program announces $said", ({ values, said }) => {
  expect(inputsToSay(values, PATHS, "manager")).toEqual(said);
});
