import { expect, test } from "vitest";
import { getManagerSession } from "../../src/generated";
import { startManager } from "./harness";

test.each([true, false])("getManagerSession says whether the manager is logged in: %s", async (loggedIn) => {
  const { asked } = await startManager([], { manager: { loggedIn } });
  await expect(getManagerSession()).resolves.toEqual({ loggedIn });
  expect(asked()).toEqual(["GET /api/mode"]);
});
