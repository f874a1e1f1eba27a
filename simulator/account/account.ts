import { randomUUID } from "node:crypto";
import type { CollectorRun } from "./collectorRun";
import { type DatasetRecord, dataset } from "./dataset";
import type { DeliveryRecord } from "./delivery";
import { createGenerator, type Generator } from "./generator";
import { hasGips, type PlanInput, storedPlan } from "./plan";
import { listedRecords, type SnapshotRecord } from "./snapshot";
import type { AllocatedGip, AllocatedIp, ZoneRecord } from "./zone";

export interface AccountOptions {
  /** Default `hl_simulated`. */
  customer?: string;
  /** The API key that the remote service accepts. Default: one is made. */
  token?: string;
  /** Default: the real time. */
  clock?: () => Date;
  /** Makes ids and passwords come out the same every time. */
  seed?: string;
}

/** A call that named no zone and so acted on every zone of the account. */
export interface Sweep {
  method: string;
  path: string;
  zones: string[];
}

/** The documents name the second and the third. */
const FIRST_DATASETS = { gd_simulated: "Pages", gd_l1vikfnt1wgvvqz95w: "Companies", gd_l7q7dkf244hwjntr0: "Products" };

/**
 * The state behind the simulated services: everything the account owns. The services only answer from it, so a test may
 * read and edit it directly, as a person with a dashboard would.
 */
export class Account {
  customer: string;
  token: string;
  /** Anything but `active` makes the zone calls fail, as they do for an account without funds. */
  status = "active";
  /** In US dollars. The services show what is pending as costs or as a balance. */
  balance = { balance: 1000, credit: 0, prepayment: 0, pending_costs: 0 };
  /** By name. A deleted zone stays, with that status, until its name is used again. */
  readonly zones = new Map<string, ZoneRecord>();
  /** Proof that nothing swept over the account: empty unless a call left its zone out. */
  readonly sweeps: Sweep[] = [];
  /** By id. To begin with there are `gd_simulated` and those of the documents. */
  readonly datasets = new Map<string, DatasetRecord>(
    Object.entries(FIRST_DATASETS).map(([id, name]) => [id, dataset(id, { name })]),
  );
  /** By id, oldest first. */
  readonly snapshots = new Map<string, SnapshotRecord>();
  readonly deliveries = new Map<string, DeliveryRecord>();
  readonly collectorRuns = new Map<string, CollectorRun>();
  readonly clock: () => Date;
  readonly generate: Generator;
  readonly #options: AccountOptions;
  #addresses = 0;

  constructor(options: AccountOptions = {}) {
    const { seed = randomUUID() } = options;
    this.#options = { ...options, seed };
    this.clock = options.clock ?? (() => new Date());
    this.generate = createGenerator(seed);
    this.customer = options.customer ?? "hl_simulated";
    this.token = options.token ?? this.generate(32);
  }

  /** Back to what there was when it was made, token and ids to come included. */
  reset(): void {
    Object.assign(this, new Account(this.#options));
    this.#addresses = 0;
  }

  /** One of the same fields and records, to try a change of them on. */
  copy(): Account {
    const { customer, token, status, balance, zones, datasets, snapshots, deliveries, collectorRuns } = this;
    const records = { zones, datasets, snapshots, deliveries, collectorRuns };
    const copies = Object.entries(records).map(([name, each]) => [name, copied(each)]);
    const fields = { customer, token, status, balance: { ...balance }, ...Object.fromEntries(copies) };
    return Object.assign(new Account(this.#options), fields);
  }

  /** The zone of that name that is not deleted. */
  zone(name: string): ZoneRecord | undefined {
    const zone = this.zones.get(name);
    return zone?.status === "deleted" ? undefined : zone;
  }

  /** Every zone that is not deleted, disabled ones included, oldest first. */
  liveZones(): ZoneRecord[] {
    return [...this.zones.values()].filter((zone) => zone.status !== "deleted");
  }

  /** Adds a zone as the service does for such a plan, with a password and the IPs the plan asks for. */
  addZone(name: string, input: PlanInput): ZoneRecord {
    const now = this.clock();
    const plan = storedPlan(input, now);
    const domains = typeof plan.domain_whitelist === "string" ? plan.domain_whitelist.split(/\s+/) : [];
    const zone: ZoneRecord = {
      name,
      status: "active",
      created: now.toISOString(),
      description: "",
      plan,
      password: [this.generate(12)],
      ips: ["any"],
      deniedIps: [],
      domains: { whitelist: domains.filter((domain) => domain !== ""), blacklist: [] },
      allocatedIps: [],
      allocatedGips: [],
      unavailableIps: [],
      recentIps: [],
      usage: {},
      hiddenReads: 0,
      hiddenUntil: now.toISOString(),
    };
    const { country, country_city: city } = input;
    if (plan.type === "static") zone.allocatedIps = this.allocateIps(Number(plan.ips), country, city);
    if (hasGips(plan)) zone.allocatedGips = this.allocateGips(Number(plan.vips ?? 0), input.vip_country ?? country);
    // A name used again goes to the end, as a new zone does.
    this.zones.delete(name);
    this.zones.set(name, zone);
    return zone;
  }

  /** Marks a zone as deleted and takes its IPs away; whether there was one. */
  removeZone(name: string): boolean {
    const zone = this.zone(name);
    if (zone === undefined) return false;
    zone.status = "deleted";
    zone.allocatedIps = [];
    zone.allocatedGips = [];
    return true;
  }

  /** Starts a collection that goes through the given states and ends with a record for each input. */
  addSnapshot(
    datasetId: string,
    states: readonly string[],
    input: Record<string, unknown>[],
    id = `s_${this.generate(17)}`,
  ): SnapshotRecord {
    const created = this.clock().toISOString();
    const snapshot: SnapshotRecord = {
      id,
      datasetId,
      created,
      status: states[0] ?? "ready",
      since: created,
      upcoming: [...states],
      errorMessage: "Something went wrong. Our team is looking into it.",
      buildingReads: 0,
      expired: false,
      triggeredBy: "API",
      hiddenReads: 0,
      input,
      records: listedRecords(input.map((row) => ({ ...row, title: `Title of ${subjectOf(row)}`, input: row }))),
    };
    this.snapshots.set(snapshot.id, snapshot);
    return snapshot;
  }

  /** Starts a delivery that goes through the given states. */
  addDelivery(
    snapshot: SnapshotRecord,
    states: readonly string[],
    to: Pick<DeliveryRecord, "type" | "filenames">,
  ): DeliveryRecord {
    const delivery: DeliveryRecord = {
      id: `dl_${this.generate(17)}`,
      snapshotId: snapshot.id,
      status: states[0] ?? "done",
      upcoming: [...states],
      ...to,
    };
    this.deliveries.set(delivery.id, delivery);
    return delivery;
  }

  /** A run whose rows come after that many reads. */
  addCollectorRun(rows: Record<string, unknown>[], pendingReads: number, prefix = "z"): CollectorRun {
    const run: CollectorRun = { responseId: `${prefix}${this.generate(20)}`, pendingReads, rows };
    this.collectorRuns.set(run.responseId, run);
    return run;
  }

  /** Proxy IPs nobody has yet, in a country or the service's choice of one. */
  allocateIps(count: number, country?: unknown, city?: unknown): AllocatedIp[] {
    return this.#fresh(count, addressOf).map((ip) => ({
      ip,
      country: countryOr(country),
      ...(typeof city === "string" && city !== "" && city !== "any" ? { city } : {}),
    }));
  }

  /** Dedicated residential IPs nobody has yet. */
  allocateGips(count: number, country?: unknown): AllocatedGip[] {
    const of = countryOr(country);
    return this.#fresh(count, (number) => `${of}_${999 + number}_01_city_1`).map((vip) => ({ vip, country: of }));
  }

  /** Replaces those of the zone's IPs. @returns new by old */
  refreshIps(zone: ZoneRecord, stale: readonly string[], country?: unknown, city?: unknown): Map<string, string> {
    const fresh = new Map<string, string>();
    zone.allocatedIps = zone.allocatedIps.map((old) => {
      if (!stale.includes(old.ip)) return old;
      const [allocated = old] = this.allocateIps(1, country ?? old.country, city ?? old.city);
      fresh.set(old.ip, allocated.ip);
      return allocated;
    });
    return fresh;
  }

  /** Replaces those of the zone's gIPs. @returns new by old */
  refreshGips(zone: ZoneRecord, stale: readonly string[], country?: unknown): Map<string, string> {
    const fresh = new Map<string, string>();
    zone.allocatedGips = zone.allocatedGips.map((old) => {
      if (!stale.includes(old.vip)) return old;
      const [allocated = old] = this.allocateGips(1, country ?? old.country);
      fresh.set(old.vip, allocated.vip);
      return allocated;
    });
    return fresh;
  }

  /** The next that no zone has: zones may come from a saved state. */
  #fresh(count: number, nameOf: (number: number) => string): string[] {
    const zones = this.liveZones();
    const taken = new Set([
      ...zones.flatMap(({ allocatedIps }) => allocatedIps.map(({ ip }) => ip)),
      ...zones.flatMap(({ allocatedGips }) => allocatedGips.map(({ vip }) => vip)),
    ]);
    const fresh: string[] = [];
    while (fresh.length < count) {
      const name = nameOf(++this.#addresses);
      if (!taken.has(name)) fresh.push(name);
    }
    return fresh;
  }
}

/** 198.18.0.0/15 is set aside for testing networks, so no address of it is anybody's. */
const addressOf = (number: number): string => `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;

const copied = (records: ReadonlyMap<string, object>): Map<string, object> =>
  new Map(Array.from(records, ([name, record]) => [name, { ...record }]));

/** What an input asks for: a page or, in a discovery, a keyword say. */
const subjectOf = (input: Record<string, unknown>): string => String(input.url ?? Object.values(input)[0]);

const countryOr = (country: unknown): string =>
  typeof country === "string" && country !== "" && country !== "any" ? country : "us";
