import { describe, expect, test } from "vitest";
import { PermissionError } from "../../src/base/errors";
import { getZones } from "../../src/generated";
import { startService } from "./harness";

describe("getZones", () => {
  test("lists every zone, with what has become of it", async () => {
    const { account, asked } = await startService();
    account.addZone("web", { type: "static" });
    account.addZone("shop", { type: "unblocker" }).status = "disabled";
    account.addZone("old", { type: "static" }).status = "deleted";
    await expect(getZones()).resolves.toEqual({
      zones: [
        { name: "web", type: "dc", status: "active" },
        { name: "shop", type: "unblocker", status: "disabled" },
        { name: "old", type: "dc", status: "deleted" },
      ],
    });
    expect(asked()).toEqual(["GET /zone/get_all_zones"]);
  });

  test("lists the zones that are switched on", async () => {
    const { account, asked } = await startService();
    account.addZone("web", { type: "static" });
    account.addZone("shop", { type: "static" }).status = "disabled";
    await expect(getZones({ active: true })).resolves.toEqual({ zones: [{ name: "web", type: "dc" }] });
    expect(asked()).toEqual(["GET /zone/get_active_zones"]);
  });

  test("does not pass over a refusal", async () => {
    const { faults } = await startService();
    faults.add({ kind: "respond", status: 403 });
    await expect(getZones()).rejects.toBeInstanceOf(PermissionError);
  });
});
