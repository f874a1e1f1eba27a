import { dayIn } from "../../base/day";
import { ownIn } from "../../base/json";
import type { AccountCost, ZoneBandwidth } from "../../model/usage";
import { type Measure, sumOf, type ZoneReport } from "./model";
import { microsOf } from "./money";
import { type Days, daysBetween, type ReportPeriod, shifted } from "./period";

/** What the service says of all zones of an account: `refused` where the token may only ask for single ones. */
type AccountAnswer<T> = T | "refused" | undefined;

/** What figures say of how long there has been a zone, and of whether it is used. */
interface Traces {
  /** Whether it has carried nothing on any of the days; absent where that could not be read. */
  readonly isQuiet?: boolean;
  /** The first of the days on which it has cost or carried something. */
  readonly seenFrom?: string;
}

export class Figures {
  /** Whether all zones were, or could have been, asked for at once. */
  readonly hasCosts: boolean;
  readonly hasBandwidths: boolean;
  /** Whether there is what all has cost, deleted zones included. */
  readonly isCostWhole: boolean;
  /** The zones that have cost or carried something. */
  readonly zones: ReadonlySet<string>;
  readonly #costs: AccountCost | undefined;
  readonly #bandwidths: ReadonlyMap<string, ZoneBandwidth> | undefined;

  /** @param whole from the first of the days that the period is compared with to the present one: a zone may be in use since */
  constructor(
    readonly period: ReportPeriod,
    readonly whole: Days,
    costs: AccountAnswer<AccountCost>,
    bandwidths: AccountAnswer<readonly ZoneBandwidth[]>,
  ) {
    this.hasCosts = costs !== "refused";
    this.hasBandwidths = bandwidths !== "refused";
    this.#costs = costs === "refused" ? undefined : costs;
    const all = bandwidths === "refused" ? undefined : bandwidths;
    this.#bandwidths = all && new Map(all.map((bandwidth) => [bandwidth.zone, bandwidth]));
    this.isCostWhole = this.#costs !== undefined;
    this.zones = new Set([...Object.keys(this.#costs?.byResource ?? {}), ...(this.#bandwidths?.keys() ?? [])]);
  }

  /**
   * A zone that the service leaves out has carried nothing, unless it is deleted: what it has carried is not told.
   *
   * @param alone what the service says of this zone, where it was asked for alone
   */
  of(
    { name: zone, status }: Pick<ZoneReport, "name" | "status">,
    alone?: ZoneBandwidth,
  ): Pick<ZoneReport, "cost" | "bytes" | "requests"> & Traces {
    const costs = this.#costs;
    const isDeleted = status === "deleted";
    const bandwidth = alone ?? this.#bandwidths?.get(zone);
    const isRead = bandwidth !== undefined || (this.#bandwidths !== undefined && !isDeleted);
    return {
      ...(costs && { cost: this.#measure((day) => microsOf(ownIn(costs.daily[day] ?? {}, zone) ?? 0)) }),
      ...(isRead && { bytes: this.#bytes(bandwidth), requests: this.#requests(bandwidth) }),
      ...(isRead && { isQuiet: !hasTraffic(bandwidth) }),
      ...this.#seenFrom(zone, bandwidth),
    };
  }

  /** The first day that says that there is such a zone. */
  #seenFrom(zone: string, bandwidth: ZoneBandwidth | undefined): Pick<Traces, "seenFrom"> {
    const billed = Object.entries(this.#costs?.daily ?? {}).flatMap(([day, costs]) =>
      (ownIn(costs, zone) ?? 0) > 0 ? [day] : [],
    );
    const used = Object.values(bandwidth?.daily ?? {}).flatMap((values) => {
      const index = values.findIndex((value) => value > 0);
      return index < 0 ? [] : [shifted(this.#beginOf(bandwidth), index)];
    });
    const [first] = [...billed, ...used].sort();
    return first === undefined ? {} : { seenFrom: first };
  }

  /** The service sums up what a single zone costs: the days that are over, those that are not, and those before are asked for apart. */
  async costBySums(costIn: (days: Days) => Promise<number | undefined>): Promise<Measure | undefined> {
    const { from, to, complete, before } = this.period;
    const end = shifted(from, complete);
    const sum = async (days: Days) => {
      const cost = daysBetween(days) === 0 ? 0 : await costIn(days);
      return cost === undefined ? undefined : microsOf(cost);
    };
    const [over, open, earlier] = await Promise.all([
      sum({ from, to: end }),
      sum({ from: end, to }),
      before === undefined ? 0 : sum(before),
    ]);
    if (over === undefined || open === undefined || earlier === undefined) return undefined;
    return { total: over + open, complete: over, before: earlier };
  }

  #measure(valueOn: (day: string) => number): Measure {
    const { days, complete, before } = this.period;
    const daily = days.map(valueOn);
    const length = before === undefined ? 0 : daysBetween(before);
    const dailyBefore = Array.from({ length }, (_, index) => valueOn(shifted(before?.from ?? "", index)));
    return {
      total: sumOf(daily),
      complete: sumOf(daily.slice(0, complete)),
      before: sumOf(dailyBefore),
      daily,
      dailyBefore,
    };
  }

  #bytes(bandwidth: ZoneBandwidth | undefined): Measure {
    const { bwSum, bwUp = [], bwDn = [] } = bandwidth?.daily ?? {};
    return this.#measure((day) => {
      const index = this.#indexOf(day, bandwidth);
      return bwSum === undefined ? (bwUp[index] ?? 0) + (bwDn[index] ?? 0) : (bwSum[index] ?? 0);
    });
  }

  #requests(bandwidth: ZoneBandwidth | undefined): number {
    const counts = Object.entries(bandwidth?.daily ?? {}).filter(([metric]) => /Req$|^reqs/.test(metric));
    const indices = this.period.days.map((day) => this.#indexOf(day, bandwidth));
    return sumOf(counts.flatMap(([, values]) => indices.map((index) => values[index])));
  }

  /** Where a day stands in a series, which begins when the answer says so. */
  #indexOf(day: string, bandwidth: ZoneBandwidth | undefined): number {
    return daysBetween({ from: this.#beginOf(bandwidth), to: day });
  }

  #beginOf(bandwidth: ZoneBandwidth | undefined): string {
    return dayIn(bandwidth?.from) ?? this.whole.from;
  }
}

/** Whether any figure says so, of whatever metric and day: plans have metrics of their own. */
const hasTraffic = ({ daily, sums }: Pick<ZoneBandwidth, "daily" | "sums"> = { daily: {}, sums: {} }): boolean =>
  [...Object.values(daily).flat(), ...Object.values(sums.custom ?? {})].some((value) => value > 0);
