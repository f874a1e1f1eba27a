import { dayIn } from "../../base/day";
import { AuthenticationError, ConnectionError, RateLimitError, RequestError, ServiceError } from "../../base/errors";
import { forEach } from "../../lifecycle/pool";
import type { ZoneBandwidth } from "../../model/usage";
import type { ZoneSummary } from "../../model/zone";
import type { RemoteClient } from "../../remote/client";
import { namesIn } from "../../remote/zoneList";
import { type Source, titleOf } from "../account/source";
import { Figures } from "./figures";
import { byCost, type FailedReading, isIdleAndFree, type ZoneReport, type ZoneStatus } from "./model";
import { type Days, daysBetween, type ReportPeriod, shifted } from "./period";

export interface AccountReading {
  readonly source: Source;
  readonly zones: readonly ZoneReport[];
  /** IPs that do not work just now, by zone. */
  readonly unavailable: Readonly<Record<string, readonly string[]>>;
  readonly failures: readonly FailedReading[];
  /** Whether the costs are those of all zones, deleted ones included. */
  readonly isCostWhole: boolean;
  /** The names of all zones that there are and were; `undefined` where they cannot be listed. */
  readonly listed: { readonly live: ReadonlySet<string>; readonly deleted: ReadonlySet<string> } | undefined;
}

export interface AccountRequest {
  period: ReportPeriod;
  tomorrow: string;
  isMeant(zone: string): boolean;
  /** Told how many of the zones are read that have to be read one by one. */
  onRead(done: number, all: number): void;
}

/** How many zones are read at a time. How many requests that is, and how fast, is for the client to say. */
const AT_ONCE = 32;

/** Products without IPs of their own: their plans need not be read. */
const WITHOUT_IPS = ["unblocker", "serp", "browser_api"];

/** What an account's zones have cost and carried: with one request each for all zones where the token may, else with one for each. */
export async function readAccount(source: Source, asked: AccountRequest): Promise<AccountReading> {
  const failures = new Failures(titleOf(source));
  const { remote } = source.context;
  const list = await failures.unlessFailed("the list of zones", remote.zones.listAll());
  if (failures.areOfAll)
    return { source, zones: [], unavailable: {}, failures: failures.all, isCostWhole: false, listed: undefined };
  const { period, tomorrow } = asked;
  const from = period.before?.from ?? period.from;
  const weekAgo = shifted(tomorrow, -ENOUGH_DAYS - 1);
  const untilNow = { from: from < weekAgo ? from : weekAgo, to: tomorrow };
  const [costs, bandwidths] = await Promise.all([
    failures.unlessRefused("the cost", remote.usage.accountCost({ from, to: period.to }), (why) =>
      failures.add("the cost of the account with its deleted zones", why),
    ),
    // Of deleted zones, it says nothing in any case.
    failures.unlessRefused("the bandwidth", remote.usage.accountBandwidth(untilNow)),
  ]);
  const figures = new Figures(period, untilNow, costs, bandwidths);
  const zones = zonesIn(list, figures).filter(({ name }) => asked.isMeant(name));
  const isOpen = (zone: ZoneLine) =>
    mayHaveIps(zone) || !(figures.hasCosts && figures.hasBandwidths) || mayBeNew(zone, figures, weekAgo);
  const open = zones.filter((zone) => zone.status !== "deleted" && isOpen(zone));
  const read = new Map<string, ZoneReport>();
  await forEach(open, AT_ONCE, async (zone) => {
    read.set(zone.name, await readZone(zone, remote, figures, failures));
    asked.onRead(read.size, open.length);
  });
  const all = zones.map((zone) => read.get(zone.name) ?? withTraces(zone, figures, undefined, { ips: 0 }));
  await forEach([...all.entries()], AT_ONCE, async ([index, zone]) => {
    all[index] = await confirmed(zone, remote, figures, failures);
  });
  const hasIps = all.some(({ ips = 0 }) => ips > 0);
  const unavailable = hasIps
    ? await failures.unlessFailed("the IPs that do not work", remote.ips.listUnavailable())
    : undefined;
  return {
    source,
    zones: all.sort(byCost),
    unavailable: unavailable ?? {},
    failures: failures.all,
    isCostWhole: figures.isCostWhole,
    listed: list && listedIn(list),
  };
}

class Failures {
  readonly all: FailedReading[] = [];
  /** Whether nothing of the account can be read. */
  areOfAll = false;
  readonly #where: string;

  constructor(where: string) {
    this.#where = where;
  }

  add(about: string, why: string): void {
    this.all.push({ about: `${about} (${this.#where})`, why });
  }

  async unlessFailed<T>(about: string, answer: Promise<T>): Promise<T | undefined> {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.areOfAll ||= isOutOfReach(error);
      this.add(about, error.message);
      return undefined;
    }
  }

  /** The same of an answer on all zones: a token may be allowed to read single ones alone. */
  unlessRefused<T>(about: string, answer: Promise<T>, onRefused: (why: string) => void = () => {}) {
    const answered = answer.catch((error: unknown) => {
      if (!(error instanceof ServiceError && error.settled) || isOutOfReach(error)) throw error;
      onRefused(error.message);
      return "refused" as const;
    });
    return this.unlessFailed(about, answered);
  }
}

const isOutOfReach = (error: RequestError): boolean =>
  [AuthenticationError, ConnectionError, RateLimitError].some((kind) => error instanceof kind);

type ZoneLine = Pick<ZoneReport, "name" | "type" | "status">;

function listedIn(list: readonly ZoneSummary[]) {
  const live = new Set(namesIn(list));
  return { live, deleted: new Set(list.map(({ name }) => name).filter((name) => !live.has(name))) };
}

/** The zones that there are, and those that have had cost or traffic since. */
function zonesIn(list: readonly ZoneSummary[] | undefined, figures: Figures): ZoneLine[] {
  const listed = (list ?? []).map(({ name, type, status }): ZoneLine => {
    return { name, ...(type === undefined ? {} : { type }), status: statusOf(status) };
  });
  // A name that is used again stands in the list twice.
  const live = new Map(listed.filter(({ status }) => status !== "deleted").map((zone) => [zone.name, zone]));
  const others = listed.filter(
    ({ name, status }) => status === "deleted" && !live.has(name) && figures.zones.has(name),
  );
  const known = new Map([...live, ...others.map((zone) => [zone.name, zone] as const)]);
  const unlisted = [...figures.zones].filter((name) => !known.has(name));
  const status = list === undefined ? ("unknown" as const) : ("deleted" as const);
  return [...known.values(), ...unlisted.map((name): ZoneLine => ({ name, status }))];
}

const statusOf = (status: string | undefined): ZoneStatus =>
  status === "disabled" || status === "deleted" ? status : "active";

const mayHaveIps = ({ type = "" }: ZoneLine): boolean => !WITHOUT_IPS.includes(type);

/** Complete days: in fewer, a zone that is in use may carry nothing. */
const ENOUGH_DAYS = 7;

export const isIdle = ({ status, idleDays = 0 }: ZoneReport): boolean =>
  status !== "deleted" && idleDays >= ENOUGH_DAYS;

/** Whether a zone that costs something may have been made so lately that its figures mean something else. */
function mayBeNew(zone: ZoneLine, figures: Figures, weekAgo: string): boolean {
  const { cost, seenFrom } = figures.of(zone);
  const { from } = figures.period;
  const isOld = seenFrom !== undefined && seenFrom <= from && seenFrom <= weekAgo;
  return !isOld && (cost?.total ?? 0) > 0;
}

/** What only single zones are asked for: IPs, since when they are there, and what the token may not read of all of them at once. */
async function readZone(
  zone: ZoneLine,
  { zones, usage }: RemoteClient,
  figures: Figures,
  failures: Failures,
): Promise<ZoneReport> {
  const { name } = zone;
  const unlessFailed = <T>(what: string, answer: Promise<T>) =>
    failures.unlessFailed(`the ${what} of zone ${name}`, answer);
  const costIn = async (days: Days) => {
    const { custom } = (await usage.cost(name, days)).periods;
    if (custom === undefined) failures.add(`the cost of zone ${name}`, "the answer of the service has none");
    return custom?.cost;
  };
  const [plan, cost, bandwidth] = await Promise.all([
    unlessFailed(mayHaveIps(zone) ? "IPs" : "beginning", zones.get(name)),
    figures.hasCosts ? undefined : unlessFailed("cost", figures.costBySums(costIn)),
    figures.hasBandwidths ? undefined : unlessFailed("bandwidth", usage.bandwidth(name, figures.whole)),
  ]);
  const ips = plan === undefined ? undefined : numberOf(plan.plan.ips) + numberOf(plan.plan.vips);
  return withTraces(zone, figures, dayIn(plan?.created), {
    ...(cost && { cost }),
    ...(bandwidth && { bandwidth }),
    ...(mayHaveIps(zone) ? ips !== undefined && { ips } : { ips: 0 }),
  });
}

/** The figures of all zones at once may lack one that is in use: before anybody is told to delete it, it is asked for alone. */
async function confirmed(
  zone: ZoneReport,
  { usage }: RemoteClient,
  figures: Figures,
  failures: Failures,
): Promise<ZoneReport> {
  if (!figures.hasBandwidths || !isIdle(zone) || isIdleAndFree(zone)) return zone;
  const { idleDays, bytes: _, requests: __, ...rest } = zone;
  const { name } = zone;
  const alone = await failures.unlessFailed(`the bandwidth of zone ${name}`, usage.bandwidth(name, figures.whole));
  if (alone === undefined) return rest;
  const { bytes, requests, isQuiet } = figures.of(zone, alone);
  return {
    ...rest,
    ...(bytes && { bytes }),
    ...(requests !== undefined && { requests }),
    ...(isQuiet && { idleDays }),
  };
}

/** A zone with its figures, and for how long it has carried nothing. @param created the day, where that could be read */
function withTraces(
  zone: ZoneLine,
  figures: Figures,
  created: string | undefined,
  { bandwidth, ...alone }: Pick<ZoneReport, "cost" | "ips"> & { bandwidth?: ZoneBandwidth },
): ZoneReport {
  const { isQuiet, seenFrom, ...all } = figures.of(zone, bandwidth);
  const [since] = [created, seenFrom].filter((day) => day !== undefined).sort();
  const { from, to } = figures.whole;
  // What has cost something before it was created had its name: it is no older for that.
  const own = created ?? since;
  const idle = own !== undefined && { from: own > from ? own : from, to: shifted(to, -1) };
  return {
    ...zone,
    ...all,
    ...alone,
    ...(since !== undefined && { since }),
    ...(isQuiet && idle && { idleDays: daysBetween(idle) }),
  };
}

const numberOf = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0);
