import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { type Declaration, edit, type Scene, scene } from "./harness";
import { throttled } from "./load";

const plan = { type: "static", ipsType: "shared", country: "us" };
const BANNED = "203.0.113.9";

const zone = (name: string, called: string, options: object = {}): Declaration => ({
  kind: "Zone",
  name,
  args: { name: called, plan, adopt: true },
  options,
});

const port = (name: string, number: number, options: object = {}): Declaration => ({
  kind: "ProxyPort",
  name,
  args: { port: number, zone: "shared", internalName: `is-${number}`, adopt: true },
  options,
});

async function ready(): Promise<Scene> {
  const made = await scene({ manager: { dropin: false } });
  const { account, manager } = made.simulator;
  account.addZone("shared", plan);
  await edit(manager.url, "POST", "/api/proxies", { proxy: { port: 24_000, zone: "shared" } });
  return made;
}

/** What was made and deleted among zones, IPs and ports since the last time that this was asked for. */
function madeAndDeleted({ simulator: { remote, manager } }: Scene): string[] {
  const isMeant = ({ method, path }: { method: string; path: string }) =>
    (method === "POST" || method === "DELETE") && /^\/zone(\/ips)?$|^\/api\/proxies(\/delete)?$/.test(path);
  return [remote, manager].flatMap(({ service }) =>
    service.requests
      .splice(0)
      .filter(isMeant)
      .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`),
  );
}

/** Everything that goes with zones and ports when they are made anew. */
const present = ({ simulator: { account, manager } }: Scene, zones: readonly string[], ports: readonly number[]) => ({
  ...Object.fromEntries(zones.map((name) => [name, structuredClone(account.zone(name))])),
  ...Object.fromEntries(ports.map((number) => [number, manager.state.running.get(String(number))?.bans.keys()])),
});

/** A ban that no resource stands for. */
const ban = (made: Scene, number: number) =>
  edit(made.simulator.manager.url, "POST", `/api/proxies/${number}/banip`, { ip: BANNED, ms: 3_600_000 });

const urnOf = async ({ stack }: Scene, name: string): Promise<string> =>
  (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.urn as string;

/** A resource each of other kinds, which the provider meets for the first time while it waits. */
const others: Declaration[] = [
  { kind: "ZoneAccess", name: "access", args: { zone: "shared", allowedIps: ["203.0.113.7"] } },
  { kind: "ZonePassword", name: "password", args: { zone: "shared" } },
  { kind: "WhitelistIp", name: "allowed", args: { ip: "203.0.113.7" } },
  { kind: "BannedIp", name: "banned", args: { ip: BANNED, port: 24_000 } },
  { kind: "ManagerSettings", name: "settings", args: { logs: 500 } },
  { kind: "ProxyPorts", name: "set", args: { ports: { one: { port: 24_600 } }, defaults: { zone: "shared" } } },
];

it("what resources exchange stays as it is on a busy machine: zones and ports of a program of 14 resources", async () => {
  const made = await ready();
  const { stack, declare } = made;
  const program = (one: number, two: number): Declaration[] => [
    zone("left", `web_${one}`),
    port("left-port", 24_100 + one),
    zone("top", `shop_${one}`),
    port("top-port", 24_200 + one),
    ...others,
    port("bottom-port", 24_200 + two),
    zone("bottom", `shop_${two}`),
    port("right-port", 24_100 + two),
    zone("right", `web_${two}`),
  ];
  const [zones, ports] = [
    ["web_1", "web_2", "shop_1", "shop_2"],
    [24_101, 24_102, 24_201, 24_202],
  ];
  declare(...program(1, 2));
  await stack.expect("up");
  for (const number of ports) await ban(made, number);
  const before = present(made, zones, ports);
  madeAndDeleted(made);
  for (const [one, two] of [
    [2, 1],
    [1, 2],
  ] as const) {
    declare(...program(one, two));
    const { status, stdout } = await throttled(stack.start("up"));
    expect(status, stdout).toBe(0);
  }
  expect(madeAndDeleted(made)).toEqual([]);
  expect(present(made, zones, ports)).toEqual(before);
  await stack.expect("preview", "--expect-no-changes");
});

/** How a resource is registered long after the one that gives up what it takes over. */
const SCENES = ["It waits for something slow.", "It waits for the other.", "It comes in its turn.", "It is no target."];

it("what one resource gives up and another takes over stays as it is, whenever the engine tells of that one", async () => {
  const made = await ready();
  const { simulator, stack, declare } = made;
  const old = SCENES.flatMap((_, index) => [zone(`a${index}`, `web_${index}`), port(`p${index}`, 24_100 + index)]);
  const onThem = SCENES.flatMap((_, index): Declaration[] => [
    { kind: "ZoneIps", name: `ips${index}`, args: { zone: `web_${index}`, count: 2 } },
    { kind: "ZonePassword", name: `given${index}`, args: { zone: `web_${index}`, password: `given-by-hand-${index}` } },
    { kind: "BannedIp", name: `banned${index}`, args: { ip: "203.0.113.8", port: 24_100 + index } },
  ]);
  declare(...old);
  await stack.expect("up");
  declare(...old, ...onThem);
  await stack.expect("up");
  const those = SCENES.map((_, index) => 24_100 + index);
  for (const number of those) await ban(made, number);
  const all = () => present(made, ["web_0", "web_1", "web_2", "web_3"], those);
  const before = all();
  madeAndDeleted(made);
  simulator.remote.service.faults.add({ method: "POST", path: "/zone", containing: "slow_zone", delayMs: 1500 });

  const goingOn = (index: number, options: object, portOptions = options): Declaration[] => [
    zone(`b${index}`, `web_${index}`, options),
    port(`q${index}`, 24_100 + index, portOptions),
  ];
  const gone = (index: number) => [zone(`a${index}`, `new_${index}`), port(`p${index}`, 24_200 + index)];
  const of = (index: number) => old.slice(2 * index, 2 * index + 2);
  const first = [...gone(0), zone("slow", "slow_zone"), ...goingOn(0, { dependsOn: ["slow"] })];
  declare(...first, ...of(1), ...of(2), ...of(3), ...onThem);
  await stack.expect("up");
  const second = [...gone(1), ...goingOn(1, { dependsOn: ["a1"] }, { dependsOn: ["p1"] })];
  declare(...first, ...second, ...of(2), ...of(3), ...onThem);
  await stack.expect("up");
  const third = [...gone(2), ...first, ...second, ...onThem, ...goingOn(2, {})];
  declare(...third, ...of(3));
  await stack.expect("up", "--parallel", "1");
  declare(...third, ...gone(3), ...goingOn(3, {}));
  const targets = [await urnOf(made, "a3"), await urnOf(made, "p3")].flatMap((urn) => ["--target", urn]);
  await stack.expect("up", ...targets);
  await stack.expect("up");
  const after = all();
  const isAnother = (name: string) => !isDeepStrictEqual(after[name], before[name]);
  expect(Object.keys(before).filter(isAnother)).toEqual([]);
  expect(madeAndDeleted(made).filter((request) => !/new_|slow_zone|"port":242/.test(request))).toEqual([]);
  await stack.expect("refresh");
  await stack.expect("preview", "--expect-no-changes");
});

it.each<[string, string, object, string[]]>([
  ["under another name is deleted in that update", "reader", {}, ["shared"]],
  ["under its own name stays", "web", {}, ["shared", "shop_zone"]],
  ["under another name stays if it is retained", "reader", { retainOnDelete: true }, ["shared", "shop_zone"]],
])("a zone of the stack that becomes a `get` %s", async (_, name, options, zones) => {
  const { simulator, stack, declare } = await ready();
  declare(zone("web", "shop_zone", options));
  await stack.expect("up");
  declare({ kind: "Zone", name, get: "shop_zone" });
  await stack.expect("up");
  expect(simulator.account.liveZones().map((each) => each.name)).toEqual(zones);
});
