import * as pulumi from "@pulumi/pulumi";
import { expect, test } from "vitest";
import { getProxyPort, getProxyPortOutput } from "../../src/generated";
import { PORT, program, settled, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("one as it is declared, without credentials", async () => {
  const { asked } = await startManager([PORT]);
  await expect(getProxyPort({ port: 24000 })).resolves.toEqual(DESCRIBED);
  expect(asked()).toEqual(["GET /api/proxies/24000"]);
});

test("as an output", async () => {
  await program(true);
  await startManager([PORT]);
  await expect(settled(getProxyPortOutput({ port: pulumi.output(24000) }).port)).resolves.toEqual({
    value: 24000,
    secret: false,
  });
});
