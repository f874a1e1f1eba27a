import { expect, test } from "vitest";
import { getManagerSession, getManagerSessionOutput } from "../../src/generated";
import { program, settled, startManager } from "./harness";

test.each([true, false])("getManagerSession says whether the manager is logged in: %s", async (loggedIn) => {
  const { asked } = await startManager([], { manager: { loggedIn } });
  await expect(getManagerSession()).resolves.toEqual({ loggedIn });
  expect(asked()).toEqual(["GET /api/mode"]);
});

test("getManagerSession as an output", async () => {
  await program(true);
  await startManager([], { manager: { loggedIn: false } });
  const { loggedIn } = getManagerSessionOutput();
  await expect(settled(loggedIn)).resolves.toEqual({ value: false, secret: false });
});
