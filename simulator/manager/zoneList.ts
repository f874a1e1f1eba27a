import type { Account } from "../account/account";
import type { ZoneRecord } from "../account/zone";

/** A zone as the manager holds it. */
export interface KnownZone {
  name: string;
  perm: string;
  plan: Record<string, unknown>;
  password: string | undefined;
}

/** Prices are not simulated: every zone costs the same, in US dollars. */
export const GB_COST = 12;
export const REFRESH_COST = 0.5;

/**
 * The zones of the account as the vendor has told the manager of them. It keeps its own copy: a new zone arrives late,
 * and while it is logged out it has none.
 */
export class ZoneList {
  readonly #account: Account;
  readonly #hiddenReads: number;
  readonly #reads = new WeakMap<ZoneRecord, number>();
  #zones: readonly KnownZone[] = [];

  /** @param hiddenReads how many lists of the zones still lack a zone made from now on */
  constructor(account: Account, hiddenReads: number) {
    this.#account = account;
    this.#hiddenReads = hiddenReads;
    for (const zone of account.liveZones()) this.#reads.set(zone, hiddenReads);
  }

  /** The zones as of the last {@link pull}. */
  all(): readonly KnownZone[] {
    return this.#zones;
  }

  find(name: unknown): KnownZone | undefined {
    return this.#zones.find((zone) => zone.name === name);
  }

  /** Takes what the vendor has sent since. @returns whether anything is different */
  pull(): boolean {
    const zones = this.#visible().map(knownZone);
    const changed = JSON.stringify(zones) !== JSON.stringify(this.#zones);
    this.#zones = zones;
    return changed;
  }

  reset(): void {
    this.#zones = [];
  }

  /** Counts a reading of the list, which brings new zones nearer. */
  countRead(): void {
    for (const zone of this.#account.liveZones()) this.#reads.set(zone, (this.#reads.get(zone) ?? 0) + 1);
  }

  /** The zones in the vendor's form, which the answers about ports carry with every password. */
  withSecrets(): Record<string, unknown> {
    return Object.fromEntries(
      this.#visible().map((zone) => [
        zone.name,
        {
          ips: zone.ips.join(" "),
          password: zone.password,
          plan: planOf(zone),
          perm: "country",
          kw: {},
          cost: { precommit: 500, gb: GB_COST },
          refresh_cost: REFRESH_COST,
        },
      ]),
    );
  }

  #visible(): ZoneRecord[] {
    return this.#account.liveZones().filter((zone) => (this.#reads.get(zone) ?? 0) >= this.#hiddenReads);
  }
}

const knownZone = (zone: ZoneRecord): KnownZone => {
  const plan = planOf(zone);
  return { name: zone.name, perm: permissionsOf(plan), plan, password: zone.password[0] };
};

const planOf = ({ plan, status }: ZoneRecord): Record<string, unknown> =>
  status === "disabled" ? { disable: 1, ...plan } : { ...plan };

// The manager works the permissions out by itself; the vendor's list of them differs.
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  city: ["state", "city"],
  asn: ["asn", "carrier", "state"],
  mobile: ["mobile", "asn", "carrier", "state", "city"],
  state: ["state"],
  zip: ["zip"],
};

function permissionsOf(plan: Record<string, unknown>): string {
  if (plan.type === "static") {
    const words = ["country", "ip", "route_all", "route_dedicated"];
    return [...words, ...(plan.city ? ["city"] : [])].join(" ");
  }
  const words = Object.entries(PERMISSIONS).flatMap(([feature, granted]) => (plan[feature] ? granted : []));
  if (plan.vips_type === "domain_p") words.push("vip_all");
  return [...new Set(["country", "vip", ...words])].join(" ");
}
