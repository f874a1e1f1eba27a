import { expect, it } from "vitest";
import type { ZoneRecord } from "../../simulator";
import { type Declaration, edit, scene } from "./harness";
import { busy } from "./load";

const OFFICE = "203.0.113.7";
const OTHERS = "203.0.113.66";

/** Each list of allowed addresses that a zone has had since. */
function listsOf(zone: ZoneRecord): string[][] {
  let { ips } = zone;
  const lists = [ips];
  Object.defineProperty(zone, "ips", {
    get: () => ips,
    set(changed: string[]) {
      ips = changed;
      lists.push(ips);
    },
  });
  return lists;
}

it("a zone's list that goes from one resource to another is never open to everybody in between, on a busy machine", async () => {
  const { simulator, stack, declare } = await scene();
  const names = ["ordered", "first", "second", "third"];
  const zones = names.map((name) => simulator.account.addZone(name, { type: "static" }));
  const whole = names.map((zone): Declaration => {
    return { kind: "ZoneAccess", name: zone, args: { zone, allowedIps: [OFFICE], deniedIps: [OTHERS] } };
  });
  const split = names.flatMap((zone): Declaration[] => [
    { kind: "ZoneAccess", name: zone, args: { zone, deniedIps: [OTHERS] } },
    {
      kind: "ZoneAccess",
      name: `${zone}-allowed`,
      args: { zone, allowedIps: [OFFICE], adopt: true },
      options: zone === "ordered" ? { dependsOn: [zone] } : {},
    },
  ]);
  declare(...whole);
  await stack.expect("up");
  const lists = zones.map(listsOf);
  busy();
  for (const step of [split, whole, split]) {
    declare(...step);
    await stack.expect("up");
    expect(names.filter((_, index) => lists[index]?.some((list) => list.includes("any")))).toEqual([]);
    expect(zones).toMatchObject(names.map(() => ({ ips: [OFFICE], deniedIps: [OTHERS] })));
    await stack.expect("preview", "--expect-no-changes");
  }
});

it("a port that goes from a set to a resource of its own is the same port, on a busy machine", async () => {
  const { simulator, stack, declare } = await scene({ manager: { dropin: false } });
  simulator.account.addZone("web", { type: "static" });
  const numbers = [24_301, 24_302, 24_303, 24_304];
  const set = (...ports: number[]): Declaration => ({
    kind: "ProxyPorts",
    name: "set",
    args: { ports: Object.fromEntries(ports.map((port) => [`key-${port}`, { port }])), defaults: { zone: "web" } },
  });
  const own = (port: number, options: object = {}): Declaration => ({
    kind: "ProxyPort",
    name: `port-${port}`,
    args: { port, zone: "web", adopt: true },
    options,
  });
  declare(set(24_300, ...numbers));
  await stack.expect("up");
  const { manager } = simulator;
  for (const port of numbers) {
    await edit(manager.url, "POST", `/api/proxies/${port}/banip`, { ip: OTHERS, ms: 3_600_000 });
  }
  const bans = () => numbers.map((port) => manager.state.running.get(String(port))?.bans.keys());
  expect(bans()).toEqual(numbers.map(() => [OTHERS]));
  manager.service.requests.length = 0;
  busy();
  declare(set(24_300), ...numbers.map((port, index) => own(port, index % 2 === 0 ? { dependsOn: ["set"] } : {})));
  await stack.expect("up");
  expect(bans()).toEqual(numbers.map(() => [OTHERS]));
  const isMadeOrDeleted = ({ method, path }: { method: string; path: string }) =>
    method === "POST" && /^\/api\/proxies(\/delete)?$/.test(path);
  expect(manager.service.requests.filter(isMadeOrDeleted)).toEqual([]);
  await stack.expect("refresh");
  await stack.expect("preview", "--expect-no-changes");
});
