import { any, list, map, named, number, text, type ValueOf, type ValuesOf } from "../declaration/property";
import { zone } from "./zone";

/** The ends of a period, either of which may be left to the service. */
export const period = {
  from: text({ says: "First day, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss`, UTC." }),
  to: text({ says: "Day after the last, in the same forms: it is not part of the period." }),
} as const;

export type Period = ValuesOf<typeof period>;

/** Bandwidth of a zone, by metric: `bw…` are bytes, `…Req` are numbers of requests. */
export const zoneBandwidth = {
  zone: zone(),
  customerId: text({ says: "Id of the account." }),
  from: text({ says: "Beginning of what `daily` covers, ISO 8601." }),
  to: text({ says: "End of what `daily` covers, ISO 8601." }),
  daily: map(list(number({}), {}), { says: "One value a day from `from` on, by metric.", required: true }),
  sums: map(map(number({}), {}), {
    says: "Sums by period, by metric. Without dates: `backM1` and `backM0` (last and this calendar month), `backD2`, `backD1` and `backD0` (the day before yesterday, yesterday, today). With dates: `custom`. The periods overlap: do not add them up.",
    required: true,
  }),
  lastValueAt: text({ says: "When the last value was taken, ISO 8601." }),
  lastUpdateAt: text({ says: "When the service last calculated the figures, ISO 8601." }),
} as const;

export type ZoneBandwidth = ValuesOf<typeof zoneBandwidth>;

/** Cost of a zone in US dollars, with its bandwidth in bytes, by period. */
export const zoneCost = {
  zone: zone(),
  customerId: text({ says: "Id of the account." }),
  periods: map(
    named("CostEntry", "Cost and bandwidth of a zone in one period.", {
      cost: number({ says: "What the zone has cost.", unit: "US dollars", required: true }),
      bw: number({
        says: "What it has transferred; `0` where the service gives a cost only.",
        unit: "bytes",
        required: true,
      }),
      details: map(any({}), {
        says: "Further figures of the plan, such as `gbs` (gigabytes of 10⁹ bytes), `ips`, `vips`, `reqsSerp` (numbers), `range`.",
        required: true,
      }),
    }),
    {
      says: "By period. Without dates: `backM2`, `backM1` and `backM0` (the calendar month before the last, the last, this one), `backD2`, `backD1` and `backD0` (the day before yesterday, yesterday, today). With dates: `custom`. The periods overlap: do not add them up.",
      required: true,
    },
  ),
} as const;

export type ZoneCost = ValuesOf<typeof zoneCost>;

/** What the cost of the account can be split by. */
export const costDimension = text({
  says: "What the cost is split by.",
  oneOf: ["products", "types", "zones", "datasets", "web_apis", "collectors", "domains", "ws_api_snaps", "snapshots"],
  default: "zones",
});

export type CostDimension = ValueOf<typeof costDimension>;

/** Cost of the account in a period. */
export const accountCost = {
  total: number({ says: "Sum over everything.", unit: "US dollars", required: true }),
  byResource: map(number({}), {
    says: "Cost by zone, or by whatever it is split by.",
    unit: "US dollars",
    required: true,
  }),
  daily: map(map(number({}), {}), {
    says: "The same by day, `YYYY-MM-DD` in UTC.",
    unit: "US dollars",
    required: true,
  }),
} as const;

export type AccountCost = ValuesOf<typeof accountCost>;
