import type { Simulator } from "../../simulator/index.ts";
import { JOB_ZONES, READY_SNAPSHOT } from "./jobs.mts";

/** An account, its remote service and a Proxy Manager of it. */
export type Services = Pick<Simulator, "account" | "manager" | "remote" | "token">;

/** Everything there is at both services that a history can be about, each thing under a name such as `zone web`. */
export type Atoms = ReadonlyMap<string, string>;

export function atomsOf({ account, manager: { state } }: Services): Atoms {
  const atoms = new Map<string, string>();
  const all = (sort: string, names: Iterable<string | number>) => {
    for (const name of names) atoms.set(`${sort}${name}`, "");
  };
  for (const zone of account.liveZones()) {
    const { name } = zone;
    atoms.set(`zone ${name}`, `${zone.status} ${zone.plan.country ?? ""}`);
    all(`password ${name}/`, zone.password);
    // An empty list and "any" are the same zone, open to all.
    all(
      `allowed ${name}/`,
      zone.ips.filter((ip) => ip !== "any"),
    );
    all(`denied ${name}/`, zone.deniedIps);
    all(
      `ip ${name}/`,
      zone.allocatedIps.map(({ ip }) => ip),
    );
  }
  for (const { port, zone, country } of state.records) atoms.set(`port ${port}`, `${zone ?? ""} ${country ?? ""}`);
  for (const [port, { bans }] of state.running) for (const ban of bans.list()) atoms.set(banName(port, ban), "");
  const { settings } = state;
  all("ui ", settings.www_whitelist_ips ?? []);
  all("ports ", settings.whitelist_ips ?? []);
  atoms.set("setting logs", String(settings.logs));
  atoms.set("setting request_stats", String(settings.request_stats));
  all(
    "user ",
    state.users.map(({ email }) => email),
  );
  all("snapshot ", account.snapshots.keys());
  all("delivery ", account.deliveries.keys());
  return atoms;
}

export const banName = (port: number | string, { ip, domain }: { ip: unknown; domain: unknown }): string =>
  `ban ${port}/${ip}${domain ? `/${domain}` : ""}`;

/** What was bought, whatever has become of it. */
export interface Ledger {
  zones: number;
  ips: number;
  collections: number;
  deliveries: number;
  refreshes: number;
}

export const EMPTY: Readonly<Ledger> = { zones: 0, ips: 0, collections: 0, deliveries: 0, refreshes: 0 };

/** Keeps the books of what is bought from now on. */
export function ledgerOf({ account }: Services): Ledger {
  const ledger: Ledger = { ...EMPTY };
  const { addZone, allocateIps, addSnapshot, addDelivery, refreshIps } = account;
  account.addZone = (...args) => {
    ledger.zones++;
    return addZone.apply(account, args);
  };
  account.allocateIps = (count, ...where) => {
    ledger.ips += count;
    return allocateIps.call(account, count, ...where);
  };
  account.addSnapshot = (...args) => {
    ledger.collections++;
    return addSnapshot.apply(account, args);
  };
  account.addDelivery = (...args) => {
    ledger.deliveries++;
    return addDelivery.apply(account, args);
  };
  account.refreshIps = (...args) => {
    ledger.refreshes++;
    const { ips } = ledger;
    const fresh = refreshIps.apply(account, args);
    // An IP in the place of another is not one more.
    ledger.ips = ips;
    return fresh;
  };
  return ledger;
}

/** Makes what is there before, of which no program knows. */
export function seed({ account, manager: { state } }: Services): void {
  account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
  account.addZone("shop", { type: "static", ips_type: "dedicated", ips: 1 });
  account.addZone("taken", { type: "static", ips_type: "shared", country: "us" });
  for (const name of JOB_ZONES) account.addZone(name, { type: "static", ips_type: "dedicated", ips: 2 });
  const snapshot = account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/" }], READY_SNAPSHOT);
  // However long a history waits, it has not expired.
  snapshot.created = "2999-01-01T00:00:00.000Z";
  state.users.push({ email: "someone@example.com", password: "Sample-Secret-Someone" });
}
