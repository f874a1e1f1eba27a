import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getManagerUsers, getManagerUsersOutput } from "../../src/generated";
import { program, settled, startManager } from "./harness";

const users = [{ email: "ann@example.com", password: "a-password" }];

test("getManagerUsers have secret passwords", async () => {
  const { manager, asked } = await startManager();
  manager.state.users = users;
  const [user] = (await getManagerUsers()).users;
  expect(user?.email).toBe("ann@example.com");
  await expect(settled(pulumi.output(user?.password))).resolves.toEqual({ value: "a-password", secret: true });
  expect(asked()).toEqual(["GET /api/lpm_users"]);
});

test("getManagerUsers may have none that the manager knows", async () => {
  const { faults } = await startManager();
  const headers = { "content-type": "application/json" };
  faults.add({ kind: "respond", status: 200, headers, body: JSON.stringify([{ email: "ann@example.com" }]) });
  await expect(getManagerUsers()).resolves.toEqual({ users: [{ email: "ann@example.com" }] });
});

test("getManagerUsers are secret as an output, as a whole", async () => {
  await program(true);
  const { manager } = await startManager();
  manager.state.users = users;
  await expect(settled(getManagerUsersOutput())).resolves.toEqual({ value: { users }, secret: true });
});
