import { describe, expect, test } from "vitest";
import { getZoneRecentIps } from "../../src/generated";
import { startService } from "./harness";

describe("getZoneRecentIps", () => {
  test("lists the addresses of that zone alone", async () => {
    const { account, asked } = await startService();
    account.addZone("web", { type: "static" }).recentIps = ["203.0.113.7"];
    account.addZone("shop", { type: "static" }).recentIps = ["203.0.113.8"];
    await expect(getZoneRecentIps({ zone: "web" })).resolves.toEqual({ zone: "web", ips: ["203.0.113.7"] });
    expect(asked()).toEqual(["GET /zone/recent_ips?zones=web"]);
  });

  test("lists none for a zone that nobody has used, or that the service passes over", async () => {
    const { account } = await startService();
    account.addZone("web", { type: "static" });
    await expect(getZoneRecentIps({ zone: "web" })).resolves.toEqual({ zone: "web", ips: [] });
    await expect(getZoneRecentIps({ zone: "wep" })).resolves.toEqual({ zone: "wep", ips: [] });
  });
});
