import { expect, test } from "vitest";
import { getAllocatedGips } from "../../src/generated";
import { startManager } from "./harness";

const PLAN = { type: "resident", vips_type: "domain", vip: true, vips: 2, domain_whitelist: "example.com" };

test("lists the gIPs of a zone", async () => {
  const { account, manager, asked } = await startManager();
  const gips = account.addZone("homes", PLAN).allocatedGips.map(({ vip }) => vip);
  manager.logIn();
  expect(gips).toHaveLength(2);
  await expect(getAllocatedGips({ zone: "homes" })).resolves.toEqual({ zone: "homes", gips });
  expect(asked()).toEqual(["GET /api/allocated_vips?zone=homes"]);
});
