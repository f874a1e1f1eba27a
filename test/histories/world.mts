import type { Simulator } from "../../simulator/index.ts";

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
  for (const [port, { bans }] of state.running)
    all(
      `ban ${port}/`,
      [...bans.list()].map(({ ip }) => ip),
    );
  const { settings } = state;
  all("ui ", settings.www_whitelist_ips ?? []);
  all("ports ", settings.whitelist_ips ?? []);
  atoms.set("setting logs", String(settings.logs));
  atoms.set("setting request_stats", String(settings.request_stats));
  all(
    "user ",
    state.users.map(({ email }) => email),
  );
  return atoms;
}

/** What was bought, whatever has become of it. */
export interface Ledger {
  zones: number;
  ips: number;
}

/** Keeps the books of what is bought from now on. */
export function ledgerOf({ account }: Services): Ledger {
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
export function seed({ account, manager: { state } }: Services): void {
  account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
  account.addZone("shop", { type: "static", ips_type: "dedicated", ips: 1 });
  account.addZone("taken", { type: "static", ips_type: "shared", country: "us" });
  state.users.push({ email: "someone@example.com", password: "Sample-Secret-Someone" });
}
