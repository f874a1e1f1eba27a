import { expect, test } from "vitest";
import { getManagerZones } from "../../src/generated";
import { startManager } from "./harness";

test("getManagerZones are the zones that the manager knows, without passwords", async () => {
  const { manager, account, asked } = await startManager();
  account.addZone("web", { type: "static" }).password = ["a-password"];
  account.addZone("shop", { type: "static" }).status = "disabled";
  manager.logIn();
  const { zones } = await getManagerZones();
  expect(zones).toMatchObject([
    { name: "web", disabled: false, plan: { type: "static", ipsType: "shared" } },
    { name: "shop", disabled: true },
  ]);
  expect(JSON.stringify(zones)).not.toContain("a-password");
  expect(asked()).toEqual(["GET /api/zones"]);
});

test("getManagerZones are none while it is logged out", async () => {
  const { account } = await startManager([], { manager: { loggedIn: false } });
  account.addZone("web", { type: "static" });
  await expect(getManagerZones()).resolves.toEqual({ zones: [] });
});
