import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getZonePasswords, getZonePasswordsOutput } from "../../src/generated";
import { program, settled, startService } from "./harness";

const PASSWORDS = ["the-first", "the-second"];

test("the passwords of a zone are secrets", async () => {
  const { account, asked } = await startService();
  account.addZone("web", { type: "static" }).password = PASSWORDS;
  const { zone, passwords, password } = await getZonePasswords({ zone: "web" });
  expect(zone).toBe("web");
  await expect(settled(passwords)).resolves.toEqual({ value: PASSWORDS, secret: true });
  await expect(settled(password)).resolves.toEqual({ value: "the-first", secret: true });
  expect(asked()).toEqual(["GET /zone/passwords?zone=web"]);
});

test("the passwords of a zone are secrets as outputs, too, with all that is made of them", async () => {
  await program(false);
  const { account } = await startService();
  account.addZone("web", { type: "static" }).password = PASSWORDS;
  const output = getZonePasswordsOutput({ zone: pulumi.output("web") });
  await expect(settled(output)).resolves.toEqual({
    value: { zone: "web", passwords: PASSWORDS, password: "the-first" },
    secret: true,
  });
  await expect(settled(output.password)).resolves.toEqual({ value: "the-first", secret: true });
  await expect(settled(pulumi.interpolate`http://user:${output.password}@proxy`)).resolves.toEqual({
    value: "http://user:the-first@proxy",
    secret: true,
  });
});

test("a zone without a password has none to give", async () => {
  const { account } = await startService();
  account.addZone("web", { type: "static" }).password = [];
  await expect(getZonePasswords({ zone: "web" })).rejects.toThrow('Zone "web" has no password.');
});
