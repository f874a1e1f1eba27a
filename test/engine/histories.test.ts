import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import type { Simulator } from "../../simulator";
import type { FaultTarget } from "../../simulator/fault";
import { type Declaration, type DeclaredStack, type Kind, type Scene, scene, stackOn } from "./harness";
import { killed } from "./hold";

const PLAN = { type: "static", ipsType: "shared", country: "us" };
const OFFICE = "203.0.113.7";

const declared = (kind: Kind, name: string, args: object, options: object = {}): Declaration => ({
  kind,
  name,
  args,
  options,
});

const zone = (name: string, args: object, options?: object): Declaration =>
  declared("Zone", name, { plan: PLAN, ...args }, options);

const access = (name: string, options?: object): Declaration =>
  declared("ZoneAccess", name, { zone: "access", allowedIps: [OFFICE] }, options);

/** A stack whose account has the zone `access`, open to everybody. */
async function standing(): Promise<Scene> {
  const made = await scene({ manager: { dropin: false } });
  made.stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  made.simulator.account.addZone("access", { type: "static", ips: 1 });
  return made;
}

/** Looks at every request before it is served. */
function onRequest({ remote, manager }: Simulator, look: (request: FaultTarget) => void): void {
  for (const { service } of [remote, manager]) {
    const take = service.faults.take.bind(service.faults);
    vi.spyOn(service.faults, "take").mockImplementation((request) => {
      look(request);
      return take(request);
    });
  }
}

/** What costs money: the zones, and how many IPs each has. */
const bought = ({ account }: Simulator): Record<string, number> =>
  Object.fromEntries(account.liveZones().map(({ name, allocatedIps }) => [name, allocatedIps.length]));

const notesOf = async ({ stack }: DeclaredStack): Promise<string[]> =>
  readdir(join(stack.folder, "home/brightdata/intents")).catch(() => []);

const isAddition = ({ method, path }: FaultTarget): boolean => method === "POST" && path === "/zone/ips";
const isZoneCreation = ({ method, path }: FaultTarget): boolean => method === "POST" && path === "/zone";

it("an update whose state is saved leaves no notes", async () => {
  const made = await standing();
  made.declare(
    zone("web", {}),
    access("limits"),
    declared("ZoneIps", "ips", { zone: "access", count: 2 }),
    declared("ZonePassword", "password", { zone: "access" }),
    { component: "group" },
    declared("ProxyPort", "port", { zone: "access" }, { parent: "group" }),
  );
  const begun = new Set<string>();
  let looking: Promise<unknown> = Promise.resolve();
  onRequest(made.simulator, () => {
    looking = notesOf(made).then((names) => names.map((name) => begun.add(name)));
  });
  await made.stack.expect("up");
  await looking;
  expect(begun.size).toBeGreaterThan(0);
  expect(await notesOf(made)).toEqual([]);
  made.declare(zone("web", {}), declared("ZoneIps", "ips", { zone: "access", count: 3 }));
  await made.stack.expect("up");
  expect(await notesOf(made)).toEqual([]);
  await made.stack.expect("destroy");
  expect(await notesOf(made)).toEqual([]);
});

it("a stack of the same name with another backend takes nothing over, and deletes nothing of the first", async () => {
  const made = await standing();
  const { simulator, stack } = made;
  const second = await stackOn(simulator);
  second.stack.setEnvironment({ BRIGHTDATA_RETRIES: "0", PULUMI_HOME: join(stack.folder, "home") });
  const program = [zone("web", {}), declared("ZoneIps", "ips", { zone: "access", count: 2 })];
  for (const { declare } of [made, second]) declare(...program);
  let held = 0;
  await killed(made, (request) =>
    (isZoneCreation(request) || isAddition(request)) && ++held > 0 ? "after" : undefined,
  );
  expect(held).toBe(2);
  const first = bought(simulator);
  expect(Object.values(first)).toEqual([3, 0]);

  const printed = await second.stack.expect("up");
  expect(printed).not.toContain("Took up");
  expect(Object.values(bought(simulator))).toEqual([5, 0, 0]);
  await second.stack.expect("destroy");
  expect(bought(simulator)).toEqual(first);
  await stack.cancel();
  expect(await stack.expect("up")).toContain("Took up");
  expect(bought(simulator)).toEqual(first);
});

it("IPs that a killed update has added are not bought again where the Proxy Manager has another URL", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(declared("ZoneIps", "ips", { zone: "access", count: 2 }));
  await killed(made, (request) => (isAddition(request) ? "after" : undefined));
  expect(bought(simulator)).toEqual({ access: 3 });
  stack.setEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: simulator.manager.url.replace("127.0.0.1", "localhost") });
  await stack.cancel();
  await stack.expect("up");
  expect(bought(simulator)).toEqual({ access: 3 });
});

it("a preview warns once of each thing that is wrong with the configuration", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const options = { customTimeouts: { create: "5m" } };
  declare(zone("one", {}, options), zone("two", {}, options), access("limits"));
  await stack.setConfig("brightdata:apiTokn", "x", true);
  await stack.setConfig("brightdata:apiToken", simulator.token);
  // The lines above tell of the course, with the last warning of each resource.
  const diagnosticsOf = async () => (await stack.expect("preview")).split("Diagnostics:")[1] ?? "";
  const warned = await diagnosticsOf();
  const times = (printed: string, words: string) => printed.split(words).length - 1;
  for (const words of ["has brightdata:apiTokn, which", "is in plain text", "`customTimeouts` has no effect"])
    expect(times(warned, words), warned).toBe(1);
  expect(warned).toContain("Did you mean brightdata:apiToken?");
  expect(warned).not.toContain("There is no Bright Data API token.");

  await stack.removeConfig("brightdata:apiToken");
  stack.setEnvironment({ BRIGHTDATA_API_TOKEN: undefined });
  const printed = await diagnosticsOf();
  expect(times(printed, "There is no Bright Data API token."), printed).toBe(1);
});
