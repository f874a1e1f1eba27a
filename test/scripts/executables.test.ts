import { expect, test } from "vitest";
import { SMALL_HEAP } from "../../scripts/executables/index.mts";
import { SMALL_HEAP as registered } from "../../src/cli/commands/plugin";

test("an executable takes as much memory as the plugin that is registered", () => {
  expect(SMALL_HEAP).toBe(registered);
});
