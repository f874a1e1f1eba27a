import { z } from "zod";
import { ResponseFormatError } from "../errors";
import { camelCase, isObject, type JsonObject } from "../http/case";
import type { Call, CallOptions, Transport } from "../http/transport";
import { type Period, periodQuery } from "./period";

/**
 * Figures by metric, in camel case. `bwSum`, `bwUp`, `bwDn`, `bwApi`, `bwSumDc`, `bwSumRes` and other `bw…` are bytes;
 * `httpDirectReq`, `httpsDirectReq` and other `…Req` are numbers of requests. Which there are depends on the plan.
 */
export type Metrics<T> = Record<string, T>;

/** Bandwidth of a zone. */
export interface ZoneBandwidth {
  zone: string;
  customerId?: string;
  /** ISO 8601; what the daily values cover. */
  from?: string;
  to?: string;
  /** One value a day from `from` on, by metric. */
  daily: Metrics<number[]>;
  /**
   * Sums by period, by metric. Without dates: `backM1` and `backM0` (last and this calendar month), `backD2`, `backD1`,
   * `backD0` (the day before yesterday, yesterday, today). With dates: `custom`. The periods overlap: do not add them up.
   */
  sums: Record<string, Metrics<number>>;
  lastValueAt?: string;
  lastUpdateAt?: string;
}

/** Cost and bandwidth of a zone in one period. */
export interface CostEntry {
  /** US dollars. */
  cost: number;
  /** Bytes. */
  bw: number;
  /** Further figures of the plan, such as `gbs` (gigabytes of 10⁹ bytes), `vips`, `ips`, `reqsSerp`. */
  details: Record<string, unknown>;
}

/** Cost of a zone. */
export interface ZoneCost {
  zone: string;
  customerId?: string;
  /** By period; the names are those of {@link ZoneBandwidth.sums}, and `backM2` for the month before the last. */
  periods: Record<string, CostEntry>;
}

const answer = z.record(z.string(), z.unknown());

/**
 * Bandwidth of a zone, in bytes and requests. `GET /zone/bw?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export async function bandwidth(
  transport: Transport,
  zone: string,
  period: Period = {},
  options: CallOptions = {},
): Promise<ZoneBandwidth> {
  const call: Call = {
    operation: `read the bandwidth of zone ${JSON.stringify(zone)}`,
    method: "GET",
    path: "/zone/bw",
    query: { zone, ...periodQuery(period) },
    ...options,
  };
  const [key, entry] = only(call, await transport.json(call, answer));
  const text = (name: string) => (typeof entry[name] === "string" ? { [camelCase(name)]: entry[name] } : {});
  const customerId = typeof entry.customer_id === "string" ? entry.customer_id : key;
  return {
    zone,
    customerId,
    ...text("from"),
    ...text("to"),
    daily: mapKeys(ofZone(entry.data, zone), (values) => (Array.isArray(values) ? values.map(toNumber) : undefined)),
    sums: mapKeys(ofZone(entry.sums, zone), (metrics) => (isObject(metrics) ? mapKeys(metrics, toNumber) : undefined)),
    ...(typeof entry.last_value_ts === "string" ? { lastValueAt: entry.last_value_ts } : {}),
    ...(typeof entry.last_update_ts === "string" ? { lastUpdateAt: entry.last_update_ts } : {}),
  };
}

/**
 * Cost of a zone, in US dollars, with its bandwidth in bytes. Whole days only; `to` is exclusive.
 * `GET /zone/cost?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export async function cost(
  transport: Transport,
  zone: string,
  period: Period = {},
  options: CallOptions = {},
): Promise<ZoneCost> {
  const call: Call = {
    operation: `read the cost of zone ${JSON.stringify(zone)}`,
    method: "GET",
    path: "/zone/cost",
    query: { zone, ...periodQuery(period) },
    ...options,
  };
  const [key, entry] = only(call, await transport.json(call, answer));
  return {
    zone,
    customerId: key,
    periods: mapKeys(entry, (figures) => {
      if (!isObject(figures)) return undefined;
      const { cost, bw, ...details } = figures;
      return { cost: toNumber(cost), bw: toNumber(bw), details: mapKeys(details, (value) => value) };
    }),
  };
}

// Both answers are an object with one key, the customer's id.
function only(call: Call, answered: JsonObject): [string, JsonObject] {
  const entries = Object.entries(answered).filter((pair): pair is [string, JsonObject] => isObject(pair[1]));
  const entry = entries[0];
  if (entry !== undefined && entries.length === 1) return entry;
  const context = { service: "remote", operation: call.operation, method: call.method, url: call.path } as const;
  throw new ResponseFormatError(context, `expected an object with one key, found ${Object.keys(answered).length}`);
}

// The figures stand under the zone's name; the documented sample has the word `static` there, the name of its zone.
function ofZone(figures: unknown, zone: string): JsonObject {
  if (!isObject(figures)) return {};
  const values = Object.values(figures);
  const found = figures[zone] ?? figures.static ?? (values.length === 1 ? values[0] : undefined);
  return isObject(found) ? found : {};
}

function mapKeys<T>(record: JsonObject, value: (item: unknown) => T | undefined): Record<string, T> {
  const mapped: Record<string, T> = {};
  for (const [key, item] of Object.entries(record)) {
    const result = value(item);
    if (result !== undefined) mapped[camelCase(key)] = result;
  }
  return mapped;
}

// A metric that the plan does not have is missing or null: nothing was used.
const toNumber = (value: unknown): number => (Number.isFinite(Number(value)) ? Number(value) : 0);
