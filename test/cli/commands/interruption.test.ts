import { afterEach, beforeEach, expect, test } from "vitest";
import { Interruption } from "../../../src/cli/commands/interruption";

let interruption: Interruption;

beforeEach(() => {
  interruption = new Interruption("Nothing was written.");
});
afterEach(() => interruption.stop());

test("a program that Ctrl-C has ended has interrupted what waits for it, too", async () => {
  expect(await interruption.ran("sh", ["-c", "exit 130"], {})).toBe(130);
  expect(() => interruption.check()).toThrow("Interrupted. Nothing was written.");
});

test("any other status is left to who has asked", async () => {
  expect(await interruption.ran("sh", ["-c", "exit 1"], {})).toBe(1);
  interruption.check();
});
