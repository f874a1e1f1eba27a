import { describe, expect, test } from "vitest";
import { InvalidRequestError } from "../../src/base/errors";
import { getZoneIps } from "../../src/generated";
import { startService } from "./harness";

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
