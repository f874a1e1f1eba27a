import type { Simulator } from "../../src/simulator/index.ts";

/** Everything there is at both services that a history can be about, each thing under a name such as `zone web`. */
export type Atoms = ReadonlyMap<string, string>;

export function atomsOf({ account, manager: { state } }: Simulator): Atoms {
  const atoms = new Map<string, string>();
  for (const zone of account.liveZones()) {
    const { name } = zone;
    atoms.set(`zone ${name}`, `${zone.status} ${zone.plan.country ?? ""}`);
    for (const password of zone.password) atoms.set(`password ${name}/${password}`, "");
    // An empty list and "any" are the same zone, open to all.
    for (const ip of zone.ips) if (ip !== "any") atoms.set(`allowed ${name}/${ip}`, "");
    for (const ip of zone.deniedIps) atoms.set(`denied ${name}/${ip}`, "");
    for (const { ip } of zone.allocatedIps) atoms.set(`ip ${name}/${ip}`, "");
  }
  for (const { port, zone, country } of state.records) atoms.set(`port ${port}`, `${zone ?? ""} ${country ?? ""}`);
  for (const [port, { bans }] of state.running) for (const { ip } of bans.list()) atoms.set(`ban ${port}/${ip}`, "");
  const { settings } = state;
  for (const ip of settings.www_whitelist_ips ?? []) atoms.set(`ui ${ip}`, "");
  for (const ip of settings.whitelist_ips ?? []) atoms.set(`ports ${ip}`, "");
  atoms.set("setting logs", String(settings.logs));
  atoms.set("setting request_stats", String(settings.request_stats));
  for (const { email } of state.users) atoms.set(`user ${email}`, "");
  return atoms;
}

/** What was bought, whatever has become of it. */
export interface Ledger {
  zones: number;
  ips: number;
}

/** Keeps the books of what is bought from now on. */
export function ledgerOf({ account }: Simulator): Ledger {
  const ledger: Ledger = { zones: 0, ips: 0 };
  const { addZone, allocateIps } = account;
  account.addZone = (...args) => {
    ledger.zones++;
    return addZone.apply(account, args);
  };
  account.allocateIps = (count, ...where) => {
    ledger.ips += count;
    return allocateIps.call(account, count, ...where);
  };
  return ledger;
}

/** Makes what is there before, of which no program knows. */
export function seed({ account, manager: { state } }: Simulator): void {
  account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
  account.addZone("shop", { type: "static", ips_type: "dedicated", ips: 1 });
  account.addZone("taken", { type: "static", ips_type: "shared", country: "us" });
  state.users.push({ email: "someone@example.com", password: "Sample-Secret-Someone" });
}
