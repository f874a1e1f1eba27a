import { expect, test } from "vitest";
import { getProxyPorts } from "../../src/generated";
import { PORT, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("as they are declared, without credentials", async () => {
  const { asked } = await startManager([PORT, { port: 24010, multiply: 2 }]);
  const { ports } = await getProxyPorts();
  expect(ports).toEqual([DESCRIBED, { port: 24010, multiply: 2, proxyType: "persist", whitelistIps: [] }]);
  expect(asked()).toEqual(["GET /api/proxies"]);
});
