import type * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { InvalidRequestError, NotFoundError, PermissionError } from "../../src/errors";
import {
  getZoneIps,
  getZoneIpsOutput,
  getZoneRecentIps,
  getZoneRecentIpsOutput,
  getZoneStatus,
  getZoneStatusOutput,
  getZones,
  getZonesOutput,
} from "../../src/functions";
import { Zone } from "../../src/kinds/zone/resource";
import { program, settled, startService } from "./harness";

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

  test("as an output, in a preview too", async () => {
    await program(true);
    const { account } = await startService();
    account.addZone("web", { type: "static" });
    const names = getZonesOutput().zones.apply((zones) => zones.map(({ name }) => name));
    await expect(settled(names)).resolves.toEqual({ value: ["web"], secret: false });
  });
});

test.each(["active", "disabled"] as const)("getZoneStatus: a zone that is %s", async (status) => {
  const { account, asked } = await startService();
  account.addZone("web", { type: "static" }).status = status;
  await expect(getZoneStatus({ zone: "web" })).resolves.toEqual({ zone: "web", status });
  expect(asked()).toEqual(["GET /zone/status?zone=web"]);
});

describe("getZoneIps", () => {
  test("lists a zone's own IPs, with where databases see them", async () => {
    const { account, asked } = await startService();
    const [first, second] = account.addZone("web", { type: "static", ips: 2, country: "gb" }).allocatedIps;
    const { zone, ips } = await getZoneIps({ zone: "web" });
    expect(zone).toBe("web");
    expect(ips).toEqual([
      { ip: first?.ip, countries: expect.objectContaining({ maxmind: "gb" }) },
      { ip: second?.ip, countries: expect.objectContaining({ maxmind: "gb" }) },
    ]);
    expect(asked()).toEqual(["GET /zone/ips?zone=web"]);
  });

  test("tells that a zone has none of its own", async () => {
    const { account } = await startService();
    account.addZone("homes", { type: "resident" });
    const call = getZoneIps({ zone: "homes" });
    await expect(call).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(call).rejects.toThrow("Wrong zone plan");
  });
});

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

type OfZone = { zone: pulumi.Input<string> };

describe.each<[string, (args: { zone: string }) => Promise<unknown>, (args: OfZone) => pulumi.Output<unknown>]>([
  ["getZoneStatus", getZoneStatus, getZoneStatusOutput],
  ["getZoneIps", getZoneIps, getZoneIpsOutput],
  ["getZoneRecentIps", getZoneRecentIps, getZoneRecentIpsOutput],
])("%s", (_, plain, output) => {
  test("tells a zone that does not exist, with the name that is most like it", async () => {
    const { account, faults } = await startService();
    account.addZone("web", { type: "static" });
    faults.add({ containing: "wep", kind: "respond", status: 422, body: "Zone not found" });
    const call = plain({ zone: "wep" });
    await expect(call).rejects.toBeInstanceOf(NotFoundError);
    await expect(call).rejects.toThrow(/the most similar is "web"\.$/);
  });

  test("sends nothing for a blank name", async () => {
    const { asked } = await startService();
    await expect(plain({ zone: " " })).rejects.toThrow("expected the name of a zone. Nothing was sent.");
    expect(asked()).toEqual([]);
  });

  test("asks once a zone of the same program is made", async () => {
    await program(false);
    const { account, asked } = await startService();
    account.addZone("web", { type: "static" });
    const { name } = new Zone("web", { name: "web", plan: { type: "static" } });
    await expect(settled(output({ zone: name }))).resolves.toMatchObject({ value: { zone: "web" }, secret: false });
    expect(asked()).toHaveLength(1);
  });

  test("asks for nothing in the preview of that", async () => {
    await program(true);
    const { asked } = await startService();
    const { name } = new Zone("web", { name: "web", plan: { type: "static" } });
    await expect(settled(output({ zone: name }))).resolves.toEqual({ value: "unknown", secret: false });
    expect(asked()).toEqual([]);
  });
});
