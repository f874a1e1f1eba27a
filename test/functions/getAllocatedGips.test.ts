import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getAllocatedGips, getAllocatedGipsOutput } from "../../src/generated";
import { program, settled, startManager } from "./harness";

const PLAN = { type: "resident", vips_type: "domain", vip: true, vips: 2, domain_whitelist: "example.com" };

test("lists the gIPs of a zone", async () => {
  const { account, manager, asked } = await startManager();
  const gips = account.addZone("homes", PLAN).allocatedGips.map(({ vip }) => vip);
  manager.logIn();
  expect(gips).toHaveLength(2);
  await expect(getAllocatedGips({ zone: "homes" })).resolves.toEqual({ zone: "homes", gips });
  expect(asked()).toEqual(["GET /api/allocated_vips?zone=homes"]);
});

test("as an output", async () => {
  await program(true);
  const { account, manager } = await startManager();
  const gips = account.addZone("homes", PLAN).allocatedGips.map(({ vip }) => vip);
  manager.logIn();
  const output = getAllocatedGipsOutput({ zone: pulumi.output("homes") });
  await expect(settled(output.gips)).resolves.toEqual({ value: gips, secret: false });
});
