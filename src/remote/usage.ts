import { z } from "zod";
import { camelCase } from "../base/case";
import { ArgumentError, type RequestContext, ResponseFormatError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import type { Call, CallOptions, Transport } from "../http/transport";
import type { AccountCost, CostDimension, Period, ZoneBandwidth, ZoneCost } from "../model/usage";
import { periodQuery } from "./period";

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
  const [key, entry] = only(transport.context(call), await transport.json(call, answer));
  return zoneBandwidth(zone, key, entry, ofZone(entry.data, zone), ofZone(entry.sums, zone));
}

/**
 * Bandwidth of every zone of the account, in bytes and requests. `GET /customer/bw?from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export async function accountBandwidth(
  transport: Transport,
  period: Period = {},
  options: CallOptions = {},
): Promise<ZoneBandwidth[]> {
  const call: Call = {
    operation: "read the bandwidth of the account",
    method: "GET",
    path: "/customer/bw",
    query: { ...periodQuery(period) },
    ...options,
  };
  const [key, answered] = only(transport.context(call), await transport.json(call, answer));
  const entry = hoisted(answered);
  const data = isObject(entry.data) ? entry.data : {};
  const sums = isObject(entry.sums) ? entry.sums : {};
  return [...new Set([...Object.keys(data), ...Object.keys(sums)])].map((zone) =>
    zoneBandwidth(zone, key, entry, objectOr(data[zone]), objectOr(sums[zone])),
  );
}

/** A period whose ends must both be said. */
export type WholePeriod = { from: string; to: string };

const exportShape = z.record(z.string(), z.record(z.string(), z.unknown()));

/**
 * Cost of the account in a period, in US dollars: the sum over everything that has cost, zones that have been deleted since
 * included. `POST /costs/export/json`, which only reads. The service has no sum of its own, and {@link cost} knows one zone.
 *
 * @param dimension what it is split by; default `zones`
 * @throws {ArgumentError} for a bad date
 */
export async function accountCost(
  transport: Transport,
  period: WholePeriod,
  dimension: CostDimension = "zones",
  options: CallOptions = {},
): Promise<AccountCost> {
  const { from, to } = periodQuery(period);
  if (from === undefined || to === undefined) throw new ArgumentError("Give both `from` and `to`.");
  const call: Call = {
    operation: "read the cost of the account",
    method: "POST",
    path: "/costs/export/json",
    body: { dimension, filters: {}, from: from.slice(0, 10), to: to.slice(0, 10) },
    repeatable: true,
    ...options,
  };
  const days = await transport.json(call, exportShape);
  const daily: AccountCost["daily"] = {};
  const byResource: AccountCost["byResource"] = {};
  let total = 0;
  for (const [day, costs] of Object.entries(days)) {
    const ofDay: Record<string, number> = {};
    for (const [resource, cost] of Object.entries(costs)) {
      ofDay[resource] = toNumber(cost);
      byResource[resource] = (byResource[resource] ?? 0) + toNumber(cost);
      total += toNumber(cost);
    }
    daily[day] = ofDay;
  }
  return { total, byResource, daily };
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
  const [key, entry] = only(transport.context(call), await transport.json(call, answer));
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
function only(context: RequestContext, answered: JsonObject): [string, JsonObject] {
  const entries = Object.entries(answered).filter((pair): pair is [string, JsonObject] => isObject(pair[1]));
  const entry = entries[0];
  if (entry !== undefined && entries.length === 1) return entry;
  throw new ResponseFormatError(context, `expected an object with one key, found ${Object.keys(answered).length}`);
}

function zoneBandwidth(
  zone: string,
  key: string,
  entry: JsonObject,
  data: JsonObject,
  sums: JsonObject,
): ZoneBandwidth {
  const text = (name: string) => (typeof entry[name] === "string" ? { [camelCase(name)]: entry[name] } : {});
  return {
    zone,
    customerId: typeof entry.customer_id === "string" ? entry.customer_id : key,
    ...text("from"),
    ...text("to"),
    daily: mapKeys(data, (values) => (Array.isArray(values) ? values.map(toNumber) : undefined)),
    sums: mapKeys(sums, (metrics) => (isObject(metrics) ? mapKeys(metrics, toNumber) : undefined)),
    ...(typeof entry.last_value_ts === "string" ? { lastValueAt: entry.last_value_ts } : {}),
    ...(typeof entry.last_update_ts === "string" ? { lastUpdateAt: entry.last_update_ts } : {}),
  };
}

// The documented sample of the account's figures has these among the zones; a zone may also have one of the names.
function hoisted(entry: JsonObject): JsonObject {
  if (entry.sums !== undefined || !isObject(entry.data) || !isObject(entry.data.sums)) return entry;
  const { sums, last_value_ts, last_update_ts, ...data } = entry.data;
  return { last_value_ts, last_update_ts, ...entry, data, sums };
}

const objectOr = (value: unknown): JsonObject => (isObject(value) ? value : {});

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
