import { expect, it, onTestFinished } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import { type Declaration, edit, type Scene, scene, secretsOf } from "./harness";

const PLAN = { type: "static", ipsType: "shared" };

const port = (name: string, args: object): Declaration => ({
  kind: "ProxyPort",
  name,
  args: { zone: "web", port: 24_000, ...args },
});

async function another(): Promise<Simulator> {
  const simulator = await startSimulator();
  onTestFinished(() => simulator.close());
  simulator.account.addZone("web", { type: "static" });
  return simulator;
}

const portsOf = ({ manager }: Simulator): number[] =>
  manager.state.records.map(({ port }) => Number(port)).filter((number) => number >= 24_000);

const writesOf = ({ manager, remote }: Simulator): string[] =>
  [...manager.service.requests, ...remote.service.requests]
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);

/** A stack of three machines and two accounts. */
async function fleet(): Promise<Scene & { fra: Simulator; nyc: Simulator }> {
  const made = await scene();
  made.simulator.account.addZone("web", { type: "static" });
  const [fra, nyc] = [await another(), await another()];
  const { stack } = made;
  await stack.setConfig("brightdata:managers.fra-1.url", fra.manager.url);
  await stack.setConfig("brightdata:managers.nyc-1.url", nyc.manager.url);
  await stack.setConfig("brightdata:accounts.shop.apiToken", nyc.token, true);
  await stack.setConfig("brightdata:accounts.shop.baseUrl", nyc.remote.url);
  return { ...made, fra, nyc };
}

const idsIn = async ({ stack }: Scene): Promise<unknown[]> => (await stack.resources()).map(({ id }) => id);

it("one stack has resources on several machines and in several accounts", async () => {
  const it = await fleet();
  const { simulator, fra, nyc, stack, declare } = it;
  const declared: Declaration[] = [
    port("here", {}),
    port("fra", { manager: "fra-1" }),
    port("nyc", { manager: "nyc-1" }),
    { kind: "Zone", name: "own", args: { name: "goods", plan: PLAN } },
    { kind: "Zone", name: "shop", args: { name: "goods", plan: PLAN, account: "shop" } },
    { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.7", manager: "fra-1" } },
  ];
  declare(...declared);
  await stack.expect("up");
  expect(await idsIn(it)).toEqual(
    expect.arrayContaining(["24000", "fra-1/24000", "nyc-1/24000", "goods", "shop/goods", "fra-1/ui/203.0.113.7"]),
  );
  for (const one of [simulator, fra, nyc]) expect(portsOf(one)).toEqual([24_000]);
  expect([simulator, fra, nyc].map(({ account }) => account.liveZones().some(({ name }) => name === "goods"))).toEqual([
    true,
    false,
    true,
  ]);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh", "--expect-no-changes");
  for (const one of [simulator, nyc]) {
    for (const secret of secretsOf(one)) expect(JSON.stringify(await stack.resources())).not.toContain(secret);
  }
  await edit(fra.manager.url, "PUT", "/api/proxies/24000", { proxy: { zone: "web", country: "de" } });
  declare(
    ...declared,
    { kind: "ProxyPort", name: "found", get: "nyc-1/24000" },
    { call: "getProxyPorts", name: "listed", args: { manager: "fra-1" } },
    { call: "getZones", name: "zones", args: { account: "shop" } },
  );
  await stack.expect("up");
  const { found, listed, zones } = await stack.outputs();
  expect(found).toMatchObject({ manager: "nyc-1", port: 24_000 });
  expect(listed).toMatchObject({ ports: expect.arrayContaining([expect.objectContaining({ country: "de" })]) });
  expect(zones).toMatchObject({ zones: expect.arrayContaining([expect.objectContaining({ name: "goods" })]) });
  await stack.expect("destroy");
  for (const one of [simulator, fra, nyc]) expect(portsOf(one)).toEqual([]);
});

it("a name that is not configured fails the preview, with those that are", async () => {
  const { stack, declare } = await fleet();
  declare(port("one", { manager: "fra-2" }));
  const { status, stdout } = await stack.command("preview");
  expect(status).not.toBe(0);
  expect(stdout).toContain(
    '`manager` is "fra-2": no Proxy Manager of that name is configured (brightdata:managers / BRIGHTDATA_MANAGERS); configured are "fra-1", "nyc-1". Did you mean "fra-1"?',
  );
});

it("a machine that is down fails its own resources alone", async () => {
  const { fra, nyc, stack, declare } = await fleet();
  await stack.setConfig("brightdata:managers.fra-1.url", "http://127.0.0.1:1");
  await stack.setConfig("brightdata:retries", "0");
  declare(port("fra", { manager: "fra-1" }), port("nyc", { manager: "nyc-1" }));
  const { status, stdout } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout).toContain("http://127.0.0.1:1");
  expect([portsOf(fra), portsOf(nyc)]).toEqual([[], [24_000]]);
  await stack.setConfig("brightdata:managers.fra-1.url", fra.manager.url);
  await stack.expect("up");
  expect(portsOf(fra)).toEqual([24_000]);
});

it("what gets a name, or another one, stays where it is", async () => {
  const it = await fleet();
  const { simulator, nyc, stack, declare } = it;
  const zone = (args: object): Declaration => ({
    kind: "Zone",
    name: "z",
    args: { name: "goods", plan: PLAN, ...args },
  });
  declare(port("one", {}), zone({}));
  await stack.expect("up");
  await stack.setConfig("brightdata:managers.here.url", simulator.manager.url);
  await stack.setConfig("brightdata:managers.home.url", simulator.manager.url);
  await stack.setConfig("brightdata:accounts.own.apiToken", simulator.token, true);
  const before = writesOf(simulator);
  const steps: [manager: string | undefined, account: string | undefined][] = [
    ["here", "own"],
    ["home", "own"],
    [undefined, undefined],
    ["home", "own"],
  ];
  for (const [manager, account] of steps) {
    declare(port("one", { manager }), zone({ account }));
    expect(await stack.expect("up")).toMatch(/~ [12] updated/);
    await stack.expect("refresh");
    expect(await idsIn(it)).toEqual(
      expect.arrayContaining(manager === undefined ? ["24000", "goods"] : [`${manager}/24000`, `${account}/goods`]),
    );
    await stack.expect("preview", "--expect-no-changes");
  }
  expect(writesOf(simulator)).toEqual(before);
  declare(port("one", { manager: "nyc-1" }), zone({ account: "own" }));
  expect(await stack.expect("up")).toMatch(/\+-1 replaced/);
  expect([portsOf(simulator), portsOf(nyc)]).toEqual([[], [24_000]]);
});
