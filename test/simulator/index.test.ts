import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startSimulator, syntheticRecords } from "../../simulator";
import { admits } from "../../simulator/manager/access";

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

test("further accounts share an address, and managers have their own, which a program finds by their names", async () => {
  const simulator = await startSimulator({
    seed: "seed",
    accounts: { shop: {}, lab: { token: "lab-token" } },
    managers: { "fra-1": {}, "shop-1": { account: "shop" } },
  });
  onTestFinished(() => simulator.close());
  const { BRIGHTDATA_ACCOUNTS = "", BRIGHTDATA_MANAGERS = "", ...first } = simulator.environment();
  const accounts = JSON.parse(BRIGHTDATA_ACCOUNTS) as Record<string, { apiToken: string; baseUrl: string }>;
  const managers = JSON.parse(BRIGHTDATA_MANAGERS) as Record<string, { url: string }>;
  expect(accounts.lab).toEqual({ apiToken: "lab-token", baseUrl: simulator.remote.url });
  expect(accounts.shop?.apiToken).not.toBe(first.BRIGHTDATA_API_TOKEN);
  const headers = { authorization: `Bearer ${accounts.shop?.apiToken}`, "content-type": "application/json" };
  const body = JSON.stringify({ zone: { name: "z" }, plan: { type: "unblocker" } });
  expect((await fetch(`${accounts.shop?.baseUrl}/zone`, { method: "POST", headers, body })).status).toBe(201);
  const zonesOf = async (name: string) =>
    ((await (await fetch(`${managers[name]?.url}/api/zones`)).json()) as { zones: { name: string }[] }).zones.length;
  expect([await zonesOf("fra-1"), await zonesOf("shop-1")]).toEqual([0, 1]);
  expect(simulator.state()).toMatchObject({ zones: [], accounts: { shop: { zones: [{ name: "z" }] }, lab: {} } });
  await fetch(`${managers["fra-1"]?.url}/__simulator/reset`, { method: "POST" });
  expect([await zonesOf("shop-1"), simulator.environment()]).toEqual([
    0,
    { BRIGHTDATA_ACCOUNTS, BRIGHTDATA_MANAGERS, ...first },
  ]);
});

test("at one address, the token decides which account is meant: its log, its faults and its controls too", async () => {
  const simulator = await startSimulator({ token: "first-token", accounts: { shop: { token: "shop-token" } } });
  onTestFinished(() => simulator.close());
  const shop = simulator.remotes.get("shop");
  const call = (token: string, path: string, method = "GET") =>
    fetch(simulator.remote.url + path, { method, headers: { authorization: `Bearer ${token}` } });
  simulator.account.addZone("one", { type: "unblocker" });
  shop?.account.addZone("other", { type: "unblocker" });
  shop?.service.faults.add({ kind: "respond", status: 503 });
  const zonesOf = async (token: string) => {
    const response = await call(token, "/zone/get_active_zones");
    return response.ok ? ((await response.json()) as { name: string }[]).map(({ name }) => name) : response.status;
  };
  expect([await zonesOf("first-token"), await zonesOf("shop-token"), await zonesOf("shop-token")]).toEqual([
    ["one"],
    503,
    ["other"],
  ]);
  expect(await zonesOf("nobody's")).toBe(401);
  expect([simulator.remote.service.requests.length, shop?.service.requests.length]).toEqual([2, 2]);
  const state = async (token: string) => (await (await call(token, "/__simulator/state")).json()) as object;
  expect(await state("shop-token")).toMatchObject({ token: "shop-token", zones: [{ name: "other" }] });
  expect(await state("first-token")).toMatchObject({ token: "first-token", accounts: { shop: {} } });
});

test("an account with a port has an address of its own", async () => {
  const simulator = await startSimulator({ accounts: { shop: { port: 0 } } });
  onTestFinished(() => simulator.close());
  const { url, account } = simulator.remotes.get("shop") as { url: string; account: { token: string } };
  expect(url).not.toBe(simulator.remote.url);
  const get = (base: string) => fetch(`${base}/status`, { headers: { authorization: `Bearer ${account.token}` } });
  expect([(await get(url)).status, (await get(simulator.remote.url)).status]).toEqual([200, 401]);
});

test("a manager of an account that there is not is refused", async () => {
  await expect(startSimulator({ managers: { "fra-1": { account: "shop" } } })).rejects.toThrow(
    'The manager "fra-1" is of the account "shop", which there is not.',
  );
});

test("where it listens for other machines, the manager lets them in", async () => {
  const simulator = await startSimulator({ host: "0.0.0.0" });
  onTestFinished(() => simulator.close());
  expect(simulator.remote.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  simulator.account.addZone("z", { type: "static" });
  await fetch(`${simulator.manager.url}/api/zones`);
  expect(admits(simulator.manager.state, "192.0.2.1")).toBe(true);
  expect((await fetch(`${simulator.manager.url}/api/settings`)).status).toBe(200);
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

test("the tokens that are asked for stay those of the accounts, whatever the state says that it starts with", async () => {
  const state = {
    token: "former",
    zones: [{ name: "web", plan: { type: "static" } }],
    accounts: { shop: { token: "former-shop" } },
  };
  const simulator = await startSimulator({ state, token: "first-token", accounts: { shop: { token: "shop-token" } } });
  onTestFinished(() => simulator.close());
  expect(simulator.token).toBe("first-token");
  await simulator.reset();
  expect(simulator.state()).toMatchObject({
    token: "first-token",
    zones: [{ name: "web" }],
    accounts: { shop: { token: "shop-token" } },
  });
});

test("a saved state has the records and the input of a snapshot as they are", async () => {
  const first = await startSimulator();
  onTestFinished(() => first.close());
  const collected = first.account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/1" }]);
  const lost = first.account.addSnapshot("gd_simulated", ["ready"], []);
  lost.records = syntheticRecords(3);
  delete lost.input;
  const state = JSON.parse(JSON.stringify(first.state())) as Record<string, unknown>;
  const second = await startSimulator({ state });
  onTestFinished(() => second.close());
  const { snapshots } = second.account;
  expect(snapshots.get(collected.id)?.records.at(0)).toEqual(collected.records.at(0));
  expect(snapshots.get(collected.id)?.input).toEqual(collected.input);
  expect(snapshots.get(lost.id)).not.toHaveProperty("input");
  expect(snapshots.get(lost.id)?.records.count).toBe(3);
  expect(JSON.parse(JSON.stringify(second.state()))).toMatchObject({ snapshots: state.snapshots });
});
