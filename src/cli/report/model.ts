import { titleOf } from "../account/source";
import { capitalized } from "../import/names";
import { decimal, type Micros } from "./money";
import { daysBetween, type ReportPeriod, shifted } from "./period";

/** A figure of a period, and of the days that it is compared with. */
export interface Measure {
  readonly total: number;
  /** Of the days that are over. */
  readonly complete: number;
  /** Of the days that those are compared with. */
  readonly before: number;
  /** By day; absent where only sums could be read. */
  readonly daily?: readonly number[];
  /** The same for the days before. */
  readonly dailyBefore?: readonly number[];
}

export type ZoneStatus = "active" | "disabled" | "deleted" | "unknown";

/** What a zone has cost and carried. What could not be read is absent. */
export interface ZoneReport {
  readonly name: string;
  /** Of the product, such as `dc`. */
  readonly type?: string;
  readonly status: ZoneStatus;
  /** In {@link Micros}. */
  readonly cost?: Measure;
  /** The first day on which it is known to have been there: that of its creation, where that could be read. */
  readonly since?: string;
  /** What the whole month will cost; absent for other periods, and for a zone without a complete day. */
  readonly forecast?: Micros;
  readonly bytes?: Measure;
  readonly requests?: number;
  /**
   * How many complete days it has carried nothing, up to now: of those that were asked for, and since it has been there. Absent where
   * it has carried something, or either could not be read.
   */
  readonly idleDays?: number;
  /** IPs and gIPs of its own. */
  readonly ips?: number;
  readonly unusedIps?: number;
}

/** What costs money for nothing, or may. */
export interface ReportFinding {
  readonly kind: "idle-zone" | "unused-ips" | "unavailable-ips" | "port-without-zone" | "in-no-stack";
  /** In words: `account shop`. */
  readonly where: string;
  /** Names of zones, numbers of ports, or other ids. */
  readonly ids: readonly string[];
  readonly says: string;
  /** In the period. */
  readonly cost?: Micros;
  /** The line of code or the command that ends it. */
  readonly remedy: string;
}

export interface FailedReading {
  /** In words: `the cost of zone web`. */
  readonly about: string;
  readonly why: string;
}

export interface AccountReport {
  readonly name: string | undefined;
  /** Whether its zones could be listed: else, that it has none says nothing. */
  readonly isListed: boolean;
  /** Whether its cost is that of all its zones, deleted ones included. */
  readonly isCostWhole: boolean;
  /** By cost, the highest first. */
  readonly zones: readonly ZoneReport[];
}

export interface Report {
  readonly madeAt: Date;
  readonly period: ReportPeriod;
  readonly accounts: readonly AccountReport[];
  readonly findings: readonly ReportFinding[];
  readonly failures: readonly FailedReading[];
  /** Whether it is known what stacks hold: else no finding is about a program. */
  readonly areStacksKnown: boolean;
}

type Sums = Pick<ZoneReport, "cost" | "forecast" | "bytes" | "requests" | "ips" | "unusedIps">;

/** Of how many zones, and accounts of which none could be read, a figure is unknown, so that its sum is higher than it says. */
export type Unknown = Partial<Record<keyof Sums, number>>;

/** Sums over zones. What is known of none of them is absent. */
export type Totals = Sums & { readonly unknown: Unknown };

export const NOTHING: Measure = { total: 0, complete: 0, before: 0 };

export const sumOf = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((sum, value = 0) => sum + value, 0);

/** The measures added up, day by day. Where one has no days, the sum has none. */
export function added(measures: readonly (Measure | undefined)[]): Measure {
  const known = measures.filter((measure) => measure !== undefined);
  const byDay = (part: "daily" | "dailyBefore") => {
    const all = known.map(({ [part]: days }) => days);
    if (all.includes(undefined) || all.length === 0) return {};
    const length = Math.max(...all.map((days) => days?.length ?? 0));
    return { [part]: Array.from({ length }, (_, day) => sumOf(all.map((days) => days?.[day]))) };
  };
  return {
    total: sumOf(known.map(({ total }) => total)),
    complete: sumOf(known.map(({ complete }) => complete)),
    before: sumOf(known.map(({ before }) => before)),
    ...byDay("daily"),
    ...byDay("dailyBefore"),
  };
}

/** Whether nothing of it could be read: that it has no zones says nothing. */
export const isUnread = ({ isListed, zones }: AccountReport): boolean => !isListed && zones.length === 0;

export function totalsOf(accounts: readonly AccountReport[]): Totals {
  const zones = accounts.flatMap((account) => account.zones);
  const isEmpty = zones.length === 0 && accounts.some(({ isListed }) => isListed);
  const missing = (of: keyof Sums) => zones.filter(({ [of]: figure }) => figure === undefined).length;
  const unread = accounts.filter(isUnread).length;
  const isAny = (of: keyof Sums) => missing(of) < zones.length;
  const measure = (of: "cost" | "bytes") =>
    (isEmpty || isAny(of)) && { [of]: added(zones.map(({ [of]: figure }) => figure)) };
  const count = (of: "requests" | "ips" | "unusedIps", isKnown = isAny(of)) =>
    (isEmpty || isKnown) && { [of]: sumOf(zones.map(({ [of]: figure }) => figure)) };
  // Zones without IPs say nothing of how many are unused.
  const withIps = zones.filter(({ ips }) => ips !== 0);
  const isUseKnown =
    withIps.length === 0 ? isAny("unusedIps") : withIps.some(({ unusedIps }) => unusedIps !== undefined);
  const figures = ["cost", "bytes", "requests", "ips", "unusedIps", "forecast"] as const;
  const meant = figures.filter((of) => of !== "forecast" || isAny(of));
  return {
    ...measure("cost"),
    // What is not known of the rest of the month is at least what it has cost so far.
    ...(isAny("forecast") && { forecast: sumOf(zones.map(({ forecast, cost }) => forecast ?? cost?.total)) }),
    ...measure("bytes"),
    ...count("requests"),
    ...count("ips"),
    ...count("unusedIps", isUseKnown),
    unknown: Object.fromEntries(
      meant.map((of) => [of, missing(of) + unread] as const).filter(([, count]) => count > 0),
    ),
  };
}

export const zonesOf = ({ accounts }: Report): ZoneReport[] => accounts.flatMap(({ zones }) => zones);

/** Whether it is known to have neither cost nor traffic nor IPs: a list of what matters leaves it out. */
export const isIdleAndFree = ({ cost, bytes, requests, ips }: ZoneReport): boolean =>
  [cost?.total, cost?.before, bytes?.total, bytes?.before, requests, ips].every((figure) => figure === 0);

/** How much more the complete days have than those before, as a share of these. */
export const changeOf = ({ complete, before }: Measure): number | undefined =>
  before === 0 ? undefined : (complete - before) / before;

/** The zone with what it will cost in the whole month, at the pace of its days that are over. A deleted one costs no more. */
export function withForecast(zone: ZoneReport, { daysOfMonth, complete, from }: ReportPeriod): ZoneReport {
  const { cost, status, since = from } = zone;
  if (cost === undefined || daysOfMonth === undefined || complete === 0) return zone;
  if (status === "deleted") return { ...zone, forecast: cost.total };
  const days = daysBetween({ from: since > from ? since : from, to: shifted(from, complete) });
  if (days <= 0) return zone;
  const month = Math.round((cost.complete / days) * (days + daysOfMonth - complete));
  return { ...zone, forecast: Math.max(cost.total, month) };
}

export const byCost = (one: ZoneReport, other: ZoneReport): number =>
  (other.cost?.total ?? -1) - (one.cost?.total ?? -1) ||
  (other.bytes?.total ?? 0) - (one.bytes?.total ?? 0) ||
  Number(one.name > other.name) - Number(one.name < other.name);

export const accountTitle = ({ name }: AccountReport): string => capitalized(titleOf({ service: "remote", name }));

/** A report as JSON: money in decimal strings, what could not be read as `null`. */
export function jsonOf(report: Report): object {
  const { madeAt, period, accounts, findings, failures } = report;
  const { days, complete, before } = period;
  return {
    version: 1,
    madeAt: madeAt.toISOString(),
    currency: "USD",
    period: { from: period.from, to: period.to, incompleteDays: days.slice(complete), comparedWith: before ?? null },
    totals: totalsJson(totalsOf(accounts), period),
    accounts: accounts.map((account) => ({
      account: account.name ?? null,
      totals: totalsJson(totalsOf([account]), period),
      zones: account.zones.map((zone) => zoneJson(zone, period)),
    })),
    findings: findings.map(({ cost, ...finding }) => ({ ...finding, cost: cost === undefined ? null : decimal(cost) })),
    failures,
  };
}

const totalsJson = ({ requests, ips, unusedIps, unknown, ...figures }: Totals, period: ReportPeriod) => ({
  ...costJson(figures, period),
  ...bytesJson(figures.bytes, period),
  requests: requests ?? null,
  ips: ips ?? null,
  unusedIps: unusedIps ?? null,
  unknownOf: unknown,
});

const zoneJson = (zone: ZoneReport, period: ReportPeriod) => ({
  name: zone.name,
  type: zone.type ?? null,
  status: zone.status,
  ...costJson(zone, period),
  dailyCost: zone.cost?.daily?.map(decimal) ?? null,
  ...bytesJson(zone.bytes, period),
  dailyBytes: zone.bytes?.daily ?? null,
  requests: zone.requests ?? null,
  ips: zone.ips ?? null,
  unusedIps: zone.unusedIps ?? null,
});

const costJson = ({ cost, forecast }: Pick<ZoneReport, "cost" | "forecast">, { before }: ReportPeriod) => ({
  cost: cost ? decimal(cost.total) : null,
  costOfCompleteDays: cost ? decimal(cost.complete) : null,
  costBefore: cost && before ? decimal(cost.before) : null,
  forecast: forecast === undefined ? null : decimal(forecast),
});

const bytesJson = (bytes: Measure | undefined, { before }: ReportPeriod) => ({
  bytes: bytes?.total ?? null,
  bytesOfCompleteDays: bytes?.complete ?? null,
  bytesBefore: bytes && before ? bytes.before : null,
});
