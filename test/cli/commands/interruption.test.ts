import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
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

test.each([
  ["linux", "is told of Ctrl-C by this process, apart from the terminal's group", [0, 130]],
  ["win32", "is told by the console: here it has no other, and would be ended at once", [1, 7]],
] as const)("on %s, a program %s", async (platform, _, [apart, told]) => {
  const own = process.platform;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: own }));
  Object.defineProperty(process, "platform", { value: platform });
  const each = new Interruption("Nothing was written.", true);
  onTestFinished(() => each.stop());
  const stdio = ["pipe", "ignore", "ignore"] as const;
  expect(await each.ran("sh", ["-c", "kill -0 -$$ || exit 1"], { stdio: [...stdio] })).toBe(apart);
  const ended = each.ran("sh", ["-c", "read line; exit 7"], { stdio: [...stdio] }, (child) => {
    process.emit("SIGINT");
    child.stdin?.end();
  });
  expect(await ended).toBe(told);
  expect(() => each.check()).toThrow("Interrupted. Nothing was written.");
});
