import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startSimulator } from "../../src/simulator";

test("both services run over one account", async () => {
  const simulator = await startSimulator({
    token: "the-token",
    customer: "hl_mine",
    remote: { unknownZoneStatus: 404 },
  });
  onTestFinished(() => simulator.close());
  expect(simulator).toMatchObject({ token: "the-token", customer: "hl_mine" });
  expect(simulator.environment()).toEqual({
    BRIGHTDATA_API_TOKEN: "the-token",
    BRIGHTDATA_BASE_URL: simulator.remote.url,
    BRIGHTDATA_PROXY_MANAGER_URL: simulator.manager.url,
  });
  const headers = { authorization: "Bearer the-token", "content-type": "application/json" };
  expect((await fetch(`${simulator.remote.url}/zone?zone=z`, { headers })).status).toBe(404);
  const body = JSON.stringify({ zone: { name: "z" }, plan: { type: "unblocker" } });
  expect((await fetch(`${simulator.remote.url}/zone`, { method: "POST", headers, body })).status).toBe(201);
  const zones = (await (await fetch(`${simulator.manager.url}/api/zones`)).json()) as { zones: { name: string }[] };
  expect(zones.zones.map(({ name }) => name)).toContain("z");
});

test("the token follows the account's", async () => {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  simulator.account.token = "rotated";
  expect(simulator.token).toBe("rotated");
  expect(simulator.environment().BRIGHTDATA_API_TOKEN).toBe("rotated");
});

test("closed, it answers no more, and can be closed again", async () => {
  const simulator = await startSimulator();
  const urls = [simulator.remote.url, simulator.manager.url];
  await simulator.close();
  await simulator.close();
  for (const url of urls) await expect(fetch(url)).rejects.toThrow();
});

test("where a port is taken, nothing keeps running", async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void holder.close());
  const { port: taken } = holder.address() as AddressInfo;
  const spare = createServer();
  await new Promise<void>((resolve) => spare.listen(0, "127.0.0.1", resolve));
  const { port: free } = spare.address() as AddressInfo;
  await new Promise((resolve) => spare.close(resolve));
  await expect(startSimulator({ remotePort: free, managerPort: taken })).rejects.toMatchObject({ code: "EADDRINUSE" });
  await expect(fetch(`http://127.0.0.1:${free}`)).rejects.toThrow();
});
