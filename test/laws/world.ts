import type { Simulator } from "../../simulator";

/** Everything there is at both services, each thing under a name such as `zone web` or `setting logs`. */
export type World = Readonly<Record<string, unknown>>;

/** What was bought, whatever has become of it. */
export type Ledger = Record<"zones" | "ips" | "gips" | "snapshots" | "deliveries", number>;

// What moves by itself, and what a plan says of the things that are listed by themselves.
const FLEETING = new Set(["start", "ips", "vips", "disabled"]);

const without = (value: object, names: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(value).filter(([name, item]) => !names.has(name) && item !== undefined));

const sorted = (values: Iterable<string>): string[] => [...values].sort();

export function worldOf({ account, manager: { state } }: Simulator): World {
  const world: Record<string, unknown> = {};
  const add = (name: string, value: unknown) => {
    const isNothing = value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
    if (!isNothing) world[name] = JSON.parse(JSON.stringify(value));
  };
  for (const zone of account.liveZones()) {
    const { name } = zone;
    add(`zone ${name}`, { status: zone.status, plan: without(zone.plan, FLEETING) });
    add(`passwords ${name}`, sorted(zone.password));
    // An empty list and "any" are the same zone, open to all.
    add(`allowed ${name}`, sorted(zone.ips.filter((ip) => ip !== "any")));
    add(`denied ${name}`, sorted(zone.deniedIps));
    add(`allowed domains ${name}`, sorted(zone.domains.whitelist));
    add(`denied domains ${name}`, sorted(zone.domains.blacklist));
    add(
      `ips ${name}`,
      zone.allocatedIps.map(({ ip }) => ip),
    );
    add(
      `gips ${name}`,
      zone.allocatedGips.map(({ vip }) => vip),
    );
  }
  for (const { id, datasetId, status } of account.snapshots.values()) add(`snapshot ${id}`, { datasetId, status });
  for (const { id, snapshotId, type } of account.deliveries.values()) add(`delivery ${id}`, { snapshotId, type });
  // The addresses of the general lists stand on the list of every port too.
  const general = new Set([...(state.settings.www_whitelist_ips ?? []), ...(state.settings.whitelist_ips ?? [])]);
  for (const { whitelist_ips: ips, ...record } of state.records) {
    const own = Array.isArray(ips) ? ips.filter((ip) => !general.has(ip)) : [];
    add(`port ${record.port}`, { ...record, own });
  }
  for (const [port, { bans, sessions }] of state.running) {
    add(
      `bans ${port}`,
      bans.list().map(({ ip, domain, to }) => ({ ip, domain, ends: to !== undefined })),
    );
    add(`session ${port}`, sessions || undefined);
  }
  for (const [name, value] of Object.entries(state.settings)) add(`setting ${name}`, value);
  for (const { email } of state.users) add(`user ${email}`, { email });
  add("version", [state.version, state.installedVersion]);
  return world;
}

/** Keeps the books of what is bought from now on. */
export function ledgerOf({ account }: Simulator): Ledger {
  const ledger: Ledger = { zones: 0, ips: 0, gips: 0, snapshots: 0, deliveries: 0 };
  const { addZone, addSnapshot, addDelivery, allocateIps, allocateGips } = account;
  account.addZone = (...args) => {
    ledger.zones++;
    return addZone.apply(account, args);
  };
  account.addSnapshot = (...args) => {
    ledger.snapshots++;
    return addSnapshot.apply(account, args);
  };
  account.addDelivery = (...args) => {
    ledger.deliveries++;
    return addDelivery.apply(account, args);
  };
  account.allocateIps = (count, ...where) => {
    ledger.ips += count;
    return allocateIps.call(account, count, ...where);
  };
  account.allocateGips = (count, ...where) => {
    ledger.gips += count;
    return allocateGips.call(account, count, ...where);
  };
  return ledger;
}

/** What is not the same in two worlds, apart from some things. */
export function changes(before: World, after: World, except: readonly string[] = []): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !except.includes(name) && JSON.stringify(before[name]) !== JSON.stringify(after[name]))
    .map((name) => `${name}: ${JSON.stringify(before[name])} became ${JSON.stringify(after[name])}`);
}
