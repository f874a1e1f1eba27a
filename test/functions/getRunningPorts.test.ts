import { expect, test } from "vitest";
import { getRunningPorts } from "../../src/generated";
import { PORT, startManager } from "./harness";

const DESCRIBED = { port: 24000, zone: "static", user: "ann", whitelistIps: ["198.51.100.7"], proxyType: "persist" };

test("as they run, those that were multiplied among them, without credentials", async () => {
  const { asked } = await startManager([PORT, { port: 24010, multiply: 2 }]);
  const { ports } = await getRunningPorts();
  expect(ports.map(({ port, proxyType, masterPort }) => [port, proxyType, masterPort])).toEqual([
    [24000, "persist", undefined],
    [24010, "persist", undefined],
    [24011, "duplicate", 24010],
  ]);
  expect(ports[0]).toMatchObject({ ...DESCRIBED, dns: "local", tlsLib: "open_ssl" });
  expect(JSON.stringify(ports)).not.toMatch(/p-[1-5]/);
  expect(asked()).toEqual(["GET /api/proxies_running"]);
});
