import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Stack } from "../../scripts/stack.mts";
import { KINDS } from "../../src/generated/kinds";
import { portRange } from "../../src/kinds/proxyPorts/portRange";
import { type Recorded, services, statesOf } from "../states/released";
import { type Declaration, edit, type Kind, stackOn } from "./harness";
import { killed } from "./hold";
import { changesOf, nativeScene, registerPlugin } from "./nativeScene";

const EXISTING = 24_500;
const ONCE = { triggers: [1] };
const zone = { $output: ["web", "name"] };

/** One of each kind, in components and out of them, and a set of 1,000 ports. */
const program = (ip: string | undefined, snapshotId: string | undefined): Declaration[] => [
  { kind: "ManagerUpgrade", name: "upgrade", args: ONCE },
  { kind: "ManagerRestart", name: "restart", args: ONCE, options: { dependsOn: ["upgrade"] } },
  { component: "team", options: { dependsOn: ["restart"] } },
  { kind: "Zone", name: "web", args: { plan: { type: "static", country: "us" } }, options: { parent: "team" } },
  { component: "crew", options: { parent: "team" } },
  { kind: "ManagerApiKey", name: "key", args: ONCE, options: { dependsOn: ["restart"] } },
  { kind: "ManagerSettings", name: "settings", args: { logs: 500 }, options: { dependsOn: ["key"] } },
  { kind: "ManagerUser", name: "user", args: { email: "ops@example.com" }, options: { dependsOn: ["key"] } },
  { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.9" }, options: { dependsOn: ["settings"] } },
  { kind: "ZoneAccess", name: "access", args: { zone, allowedIps: ["203.0.113.7"] } },
  { kind: "ZonePassword", name: "password", args: { zone } },
  { kind: "ZoneIps", name: "ips", args: { zone: "ips", count: 2 } },
  { kind: "ZoneIpRefresh", name: "refreshed", args: { zone: "old", all: true, ...ONCE } },
  {
    kind: "ProxyPort",
    name: "port",
    args: { zone, port: 24_000, rules: [{ action: { ban_ip: 600_000 }, status: "429" }] },
    options: { parent: "crew", dependsOn: ["office"] },
  },
  { kind: "PortSslEnable", name: "ssl", args: { port: EXISTING, ...ONCE }, options: { dependsOn: ["port"] } },
  { kind: "PortSessionRefresh", name: "session", args: { port: EXISTING, ...ONCE }, options: { dependsOn: ["ssl"] } },
  { kind: "PortIpRefresh", name: "ip", args: { port: EXISTING, ip, ...ONCE }, options: { dependsOn: ["session"] } },
  { kind: "PortIpUnban", name: "unbanned", args: { port: EXISTING, ...ONCE }, options: { dependsOn: ["ip"] } },
  { kind: "BannedIp", name: "banned", args: { ip: "203.0.113.8", port: 24_000 }, options: { dependsOn: ["unbanned"] } },
  {
    kind: "DatasetCollection",
    name: "collection",
    args: { datasetId: "gd_simulated", inputs: [{ url: "https://example.com/1" }], pollInterval: 1, ...ONCE },
  },
  {
    kind: "SnapshotDelivery",
    name: "delivery",
    args: {
      snapshotId,
      target: { type: "s3", bucket: "a-bucket", credentials: { awsAccessKey: "a", awsSecretKey: "b" } },
      filename: { template: "results", extension: "json" },
      pollInterval: 1,
    },
  },
  { call: "getZoneOutput", name: "found", args: { name: zone } },
  {
    kind: "ProxyPorts",
    name: "set",
    args: {
      defaults: { zone: { $output: ["found", "name"] } },
      ports: portRange({ from: 25_000, count: 1000, prefix: "us-" }, { country: "us" }),
    },
    options: { dependsOn: ["banned"] },
  },
];

/** How many resources the state has in each form. */
async function countsOf(stack: Stack) {
  const types = (await stack.resources()).map(({ type }) => type);
  return { native: types.filter((type) => type.startsWith("brightdata:")).length, all: types.length };
}

it("every kind goes to the native form and back, and nothing is sent that changes anything", async () => {
  const made = await nativeScene({ manager: { dropin: false, latestVersion: "1.600.0" } });
  const { stack, simulator, declare } = made;
  const { account, manager } = simulator;
  for (const name of ["ips", "old", "ported"]) account.addZone(name, { type: "static", ips_type: "dedicated", ips: 2 });
  await edit(manager.url, "POST", "/api/proxies", { proxy: { port: EXISTING, zone: "ported" } });
  account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/1" }]);
  const declared = program(account.zone("ported")?.allocatedIps[0]?.ip, [...account.snapshots.keys()][0]);
  expect(new Set(declared.flatMap((each) => ("kind" in each ? [each.kind] : [])))).toEqual(new Set(KINDS));
  declare(...declared);
  stack.setEnvironment({ FORM: undefined });
  await stack.expect("up");
  const sent = changesOf(simulator);
  const counts = () => countsOf(stack);

  // The engine takes no single ones over: a provider that is registered no more would have the others.
  stack.setEnvironment({ FORM: "native" });
  const urn = "urn:pulumi:demo::declared::brightdata:index:ManagerUser::user";
  const refused = await stack.command("up", "--target", urn);
  expect([refused.status, refused.stdout]).toEqual([
    1,
    expect.stringContaining("due to a change of providers mixed with --target"),
  ]);

  // Killed in the middle.
  await killed(made, ({ path }) => (path === "/zone" ? "before" : undefined));
  await stack.cancel();
  expect((await counts()).native).toBeGreaterThan(0);
  expect((await counts()).native).toBeLessThan(KINDS.length);
  expect(await stack.expect("up")).toMatch(/Resources:\n +\d+ unchanged\n/);
  expect(await counts()).toEqual({ native: KINDS.length, all: KINDS.length });
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh");

  stack.setEnvironment({ FORM: undefined });
  expect(await stack.expect("up")).not.toMatch(/\d (replaced|created|deleted)/);
  expect(await counts()).toEqual({ native: 0, all: KINDS.length });
  await stack.expect("preview", "--expect-no-changes");
  expect(changesOf(simulator)).toEqual(sent);
  await stack.expect("destroy");
  expect(account.liveZones().map(({ name }) => name)).toEqual(["ips", "old", "ported"]);
  expect(manager.state.records.map(({ port }) => port)).toEqual([EXISTING]);
});

it("the first native update asks no service anything", async () => {
  const { stack, simulator, declare } = await nativeScene();
  stack.setEnvironment({ FORM: undefined });
  declare(
    { kind: "Zone", name: "web", args: { plan: { type: "static", country: "us" } } },
    { kind: "ZoneAccess", name: "access", args: { zone, allowedIps: ["203.0.113.7"] } },
    { kind: "ProxyPort", name: "port", args: { zone, port: 24_000 } },
    { kind: "WhitelistIp", name: "office", args: { ip: "203.0.113.9" }, options: { dependsOn: ["port"] } },
  );
  await stack.expect("up");
  const sent = () => [simulator.remote, simulator.manager].map(({ service }) => service.requests.length);
  const before = sent();
  stack.setEnvironment({ FORM: "native" });
  await stack.expect("up");
  expect((await stack.resources()).map(({ type }) => type)).toContain("brightdata:index:Zone");
  expect(sent()).toEqual(before);
});

it("a way back that is killed in the middle, or refused for one target, is completed by the next update", async () => {
  const made = await nativeScene({ manager: { dropin: false } });
  const { stack, simulator, declare } = made;
  const plan = { type: "static", country: "us" };
  declare(
    { kind: "Zone", name: "web", args: { plan } },
    { kind: "ZoneAccess", name: "access", args: { zone, allowedIps: ["203.0.113.7"] } },
    { kind: "ProxyPort", name: "port", args: { zone, port: 24_000 } },
    // Asked for when the zone is in the dynamic form already.
    { call: "getZoneOutput", name: "found", args: { name: zone } },
    { kind: "ProxyPort", name: "late", args: { zone: { $output: ["found", "name"] } } },
    { kind: "ZonePassword", name: "password", args: { zone: { $output: ["found", "name"] } } },
  );
  await stack.expect("up");
  const sent = changesOf(simulator);

  stack.setEnvironment({ FORM: undefined });
  const before = await countsOf(stack);
  const type = "pulumi-nodejs:dynamic/brightdata:ProxyPort";
  const refused = await stack.command("up", "--target", `urn:pulumi:demo::declared::${type}::port`);
  expect([refused.status, refused.stdout]).toEqual([
    1,
    expect.stringContaining("due to a change of providers mixed with --target"),
  ]);
  expect(await countsOf(stack)).toEqual(before);

  await killed(made, ({ path }) => (path === "/zone" ? "before" : undefined));
  await stack.cancel();
  const { native, all } = await countsOf(stack);
  expect([all, native]).toEqual([before.all, expect.toSatisfy((count: number) => count > 0 && count < all)]);
  expect(await stack.expect("up")).not.toMatch(/\d (replaced|created|deleted)/);
  expect(await countsOf(stack)).toEqual({ native: 0, all });
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh");
  expect(changesOf(simulator)).toEqual(sent);
  await stack.expect("destroy");
  expect([simulator.account.liveZones(), simulator.manager.state.records]).toEqual([[], []]);
});

const URN = "urn:pulumi:demo::declared::";

/** A resource of a state of a release, as a program declares it. */
function declarationOf({ kind, inputs }: Recorded, index: number) {
  const { __provider: _, __autoname: auto, name, ...args } = inputs;
  const given = auto === undefined && name !== undefined ? { name } : {};
  return { kind: kind as Kind, name: typeof auto === "string" ? auto : `r${index}`, args: { ...args, ...given } };
}

/** Has a stack begin with what a release has written. */
function writeState({ folder }: Stack, states: readonly Recorded[]): void {
  const file = join(folder, "backend/.pulumi/stacks/declared/demo.json");
  const state = JSON.parse(readFileSync(file, "utf8"));
  const { latest } = state.checkpoint;
  const providers = "pulumi:providers:pulumi-nodejs";
  const provider = { urn: `${URN}${providers}::default`, custom: true, id: "a-provider", type: providers };
  const resources = states.map(({ kind, id, inputs, outputs }, index) => {
    const type = `pulumi-nodejs:dynamic/brightdata:${kind}`;
    const urn = `${URN}${type}::${declarationOf({ kind, id, inputs, outputs }, index).name}`;
    const parent = latest.resources[0].urn;
    return { urn, custom: true, id, type, inputs, outputs, parent, provider: `${provider.urn}::${provider.id}` };
  });
  latest.resources.push({ ...provider, inputs: {}, outputs: {} }, ...resources);
  writeFileSync(file, JSON.stringify(state));
}

/** Where its service is, as the arguments and the options of a resource say. */
type Connection = (kind: string) => { args?: object; options?: object };

const OF_ACCOUNT = /^(Zone|Dataset|Snapshot)/;

it.each<[string, RegExp, Connection]>([
  ["", /./, () => ({})],
  [
    ", with named connections",
    /./,
    (kind) => ({ args: OF_ACCOUNT.test(kind) ? { account: "shop" } : { manager: "fra" } }),
  ],
  // The ports of 0.1.0 have no mark.
  [", with an explicit provider", /^(?!ProxyPort$)/, () => ({ options: { provider: "own" } })],
])("what 0.1.0 has written into a state goes to the native form and back%s", async (_, kinds, connection) => {
  const all = statesOf("0.1.0");
  const simulator = await services(all);
  // `wwwWhitelistIps` of the settings has this address too.
  const states = all.filter(({ kind, id }) => kinds.test(kind) && id !== "ui/203.0.113.8");
  const { stack, declare } = await stackOn(simulator);
  await registerPlugin(join(stack.folder, "home"));
  const { token, remote, manager } = simulator;
  const apiKey = manager.state.settings.token_auth;
  stack.setEnvironment({
    BRIGHTDATA_MANAGER_API_KEY: apiKey,
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: { apiToken: token, baseUrl: remote.url } }),
    BRIGHTDATA_MANAGERS: JSON.stringify({ fra: { url: manager.url, apiKey } }),
  });
  declare();
  await stack.expect("up");
  writeState(stack, states);
  const sent = changesOf(simulator);
  const resources = states.map((state, index) => {
    const { args, options } = connection(state.kind);
    const declared = declarationOf(state, index);
    return { ...declared, args: { ...declared.args, ...args }, options: { ...options } };
  });
  const given = { apiToken: token, baseUrl: remote.url, proxyManagerUrl: manager.url, managerApiKey: apiKey };
  declare({ kind: "Provider", name: "own", args: given }, ...resources);
  // After a refresh, the state says which service its resources are of.
  if (resources.some(({ options }) => "provider" in options)) await stack.expect("refresh");
  for (const form of ["native", undefined]) {
    stack.setEnvironment({ FORM: form });
    expect(await stack.expect("up")).not.toMatch(/\d replaced/);
    expect(await countsOf(stack)).toEqual({ native: form === undefined ? 0 : states.length, all: states.length });
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("refresh");
    await stack.expect("preview", "--expect-no-changes");
  }
  expect(changesOf(simulator)).toEqual(sent);
});

/** A component with a zone, a port and a set, and a port and a set that wait for what a function asks the service. */
function connected(
  name: string,
  { args, options }: ReturnType<Connection>,
  first: number,
  size: number,
): Declaration[] {
  const { account, manager }: { account?: string; manager?: string } = { ...args };
  const within = { parent: name, ...options };
  const zone = (of: string) => ({ $output: [`${name}-${of}`, "name"] });
  const port = (of: string, number: number): Declaration => {
    return {
      kind: "ProxyPort",
      name: `${name}-${number}`,
      args: { zone: zone(of), port: number, manager },
      options: within,
    };
  };
  const set = (of: string, from: number, count: number): Declaration => {
    const ports = portRange({ from, count, prefix: "p-" });
    return {
      kind: "ProxyPorts",
      name: `${name}-${from}`,
      args: { defaults: { zone: zone(of) }, ports, manager },
      options: within,
    };
  };
  const plan = { type: "static", country: "us" };
  const early = { ...options, dependsOn: [first, first + 1].map((number) => `${name}-${number}`) };
  return [
    { component: name },
    { kind: "Zone", name: `${name}-web`, args: { plan, account }, options: within },
    ...[port("web", first), set("web", first + 1, 2)],
    { call: "getZoneOutput", name: `${name}-found`, args: { name: zone("web"), account }, options: early },
    ...[port("found", first + 3), set("found", first + 4, size)],
  ];
}

it("components with each kind of connection go over and back, killed in the middle of both", async () => {
  const made = await nativeScene({ manager: { dropin: false } });
  const { stack, simulator, declare } = made;
  const { token, remote, manager, account } = simulator;
  const service = { apiToken: token, baseUrl: remote.url };
  stack.setEnvironment({
    FORM: undefined,
    BRIGHTDATA_ACCOUNTS: JSON.stringify({ shop: service }),
    BRIGHTDATA_MANAGERS: JSON.stringify({ fra: { url: manager.url } }),
  });
  declare(
    { kind: "Provider", name: "own", args: { ...service, proxyManagerUrl: manager.url } },
    ...connected("default", {}, 25_000, 20),
    ...connected("explicit", { options: { provider: "own" } }, 26_000, 1000),
    ...connected("named", { args: { account: "shop", manager: "fra" } }, 28_000, 20),
  );
  await stack.expect("up");
  const sent = changesOf(simulator);
  const { all } = await countsOf(stack);
  for (const form of ["native", undefined]) {
    stack.setEnvironment({ FORM: form });
    await killed(made, ({ path }) => (path === "/zone" ? "before" : undefined));
    await stack.cancel();
    const { native } = await countsOf(stack);
    expect(native).toSatisfy((count: number) => count > 0 && count < all);
    expect(await stack.expect("up")).not.toMatch(/\d replaced/);
    expect(await countsOf(stack)).toEqual({ native: form === "native" ? all : 0, all });
    await stack.expect("preview", "--expect-no-changes");
    await stack.expect("refresh");
    expect(changesOf(simulator)).toEqual(sent);
  }
  await stack.expect("destroy");
  expect([account.liveZones(), manager.state.records]).toEqual([[], []]);
});

it.each<[Kind, object]>([
  ["Zone", { name: "web", plan: { type: "static", country: "us" } }],
  ["ProxyPort", { zone: "web", port: 24_000 }],
])("what a dynamic and a native %s of one program both declare is refused in the preview", async (kind, args) => {
  const { stack, simulator, declare } = await nativeScene();
  stack.setEnvironment({ FORM: undefined });
  declare({ kind, name: "dynamic", args }, { kind, name: "native", args, form: "native" });
  const { status, stdout } = await stack.command("preview");
  expect([status, stdout]).toEqual([
    1,
    expect.stringMatching(/declared twice, by "(dynamic" and by "native|native" and by "dynamic)"\. Declare it once/),
  ]);
  expect(changesOf(simulator)).toEqual([]);
});

it.each<["native" | undefined, "native" | undefined]>([
  [undefined, "native"],
  ["native", undefined],
])("a port that a resource in one form gives up and one in the other takes over stays (%s, %s)", async (from, to) => {
  const { stack, simulator, declare } = await nativeScene({ manager: { dropin: false } });
  stack.setEnvironment({ FORM: undefined });
  const web: Declaration = { kind: "Zone", name: "web", args: { plan: { type: "static", country: "us" } } };
  const port = (name: string, form: "native" | undefined, args: object): Declaration => ({
    ...{ kind: "ProxyPort", name, args: { zone, port: 24_000, ...args } },
    ...(form && { form }),
  });
  declare(web, port("old", from, {}));
  await stack.expect("up");
  const isMeant = (change: string) => /^(POST|DELETE) \/(zone|api\/proxies)/.test(change);
  const sent = changesOf(simulator).filter(isMeant);
  declare(web, port("new", to, { adopt: true }));
  await stack.expect("up");
  expect(changesOf(simulator).filter(isMeant)).toEqual(sent);
  // Given up for another number.
  declare(web, port("new", to, { adopt: true, port: 24_001 }), port("again", from, { adopt: true }));
  await stack.expect("up");
  expect(simulator.manager.state.records.map(({ port }) => port).sort()).toEqual([24_000, 24_001]);
  expect(changesOf(simulator).filter(isMeant)).toEqual([...sent, "POST /api/proxies"]);
  await stack.expect("preview", "--expect-no-changes");
});
