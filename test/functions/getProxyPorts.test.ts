import { expect, test } from "vitest";
import { getProxyPorts, getProxyPortsOutput } from "../../src/generated";
import { PORT, program, settled, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("as they are declared, without credentials", async () => {
  const { asked } = await startManager([PORT, { port: 24010, multiply: 2 }]);
  const { ports } = await getProxyPorts();
  expect(ports).toEqual([DESCRIBED, { port: 24010, multiply: 2, proxyType: "persist", whitelistIps: [] }]);
  expect(asked()).toEqual(["GET /api/proxies"]);
});

test("as an output", async () => {
  await program(true);
  await startManager([PORT]);
  await expect(settled(getProxyPortsOutput().ports.apply((ports) => ports.map(({ port }) => port)))).resolves.toEqual({
    value: [24000],
    secret: false,
  });
});
