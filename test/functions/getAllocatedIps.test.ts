import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getAllocatedIps, getAllocatedIpsOutput } from "../../src/generated";
import { program, settled, startManager } from "./harness";

test("lists the IPs of a zone", async () => {
  const { account, manager, asked } = await startManager();
  const ips = account.addZone("web", { type: "static", ips: 2 }).allocatedIps.map(({ ip }) => ip);
  manager.logIn();
  expect(ips).toHaveLength(2);
  await expect(getAllocatedIps({ zone: "web" })).resolves.toEqual({ zone: "web", ips });
  expect(asked()).toEqual(["GET /api/allocated_ips?zone=web"]);
});

test("is as secret as the zone's name", async () => {
  await program(true);
  const { account, manager } = await startManager();
  const ips = account.addZone("web", { type: "static", ips: 2 }).allocatedIps.map(({ ip }) => ip);
  manager.logIn();
  const output = getAllocatedIpsOutput({ zone: pulumi.secret("web") });
  await expect(settled(output.ips)).resolves.toEqual({ value: ips, secret: true });
});
