import { expect, it } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import { KINDS } from "../../src/generated/kinds";
import { portRange } from "../../src/kinds/proxyPorts/portRange";
import { type Declaration, edit } from "./harness";
import { Hold } from "./hold";
import { changesOf, nativeScene } from "./nativeScene";
import { childrenOf, signalProcessGroup } from "./processes";

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

it("every kind goes to the native form and back, and nothing is sent that changes anything", async () => {
  const { stack, simulator, declare } = await nativeScene({ manager: { dropin: false, latestVersion: "1.600.0" } });
  const { account, manager } = simulator;
  for (const name of ["ips", "old", "ported"]) account.addZone(name, { type: "static", ips_type: "dedicated", ips: 2 });
  await edit(manager.url, "POST", "/api/proxies", { proxy: { port: EXISTING, zone: "ported" } });
  account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/1" }]);
  const declared = program(account.zone("ported")?.allocatedIps[0]?.ip, [...account.snapshots.keys()][0]);
  expect(new Set(declared.flatMap((each) => ("kind" in each ? [each.kind] : [])))).toEqual(new Set(KINDS));
  declare(...declared);
  stack.setEnvironment({ FORM: undefined });
  await stack.expect("up");
  const made = changesOf(simulator);
  /** How many resources the state has in each form. */
  const counts = async () => {
    const types = (await stack.resources()).map(({ type }) => type);
    return { native: types.filter((type) => type.startsWith("brightdata:")).length, all: types.length };
  };

  // The engine takes no single ones over: a provider that is registered no more would have the others.
  stack.setEnvironment({ FORM: "native" });
  const urn = "urn:pulumi:demo::declared::brightdata:index:ManagerUser::user";
  const refused = await stack.command("up", "--target", urn);
  expect([refused.status, refused.stdout]).toEqual([
    1,
    expect.stringContaining("due to a change of providers mixed with --target"),
  ]);

  // Killed in the middle.
  const hold = new Hold(simulator, ({ path }) => (path === "/zone" ? "before" : undefined));
  const running = stack.start("up");
  expect(await hold.settled(running.ending)).toBe(true);
  const started = childrenOf(running.child.pid, "pulumi-");
  signalGroup(running.child, "SIGKILL");
  for (const each of started) signalProcessGroup(each, "SIGKILL");
  await running.ending;
  hold.release();
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
  expect(changesOf(simulator)).toEqual(made);
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
