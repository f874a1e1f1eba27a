import { z } from "zod";
import { camelCase } from "../base/case";
import { ArgumentError, ResponseFormatError } from "../base/errors";
import { isObject, type JsonObject, objectOf, ownIn } from "../base/json";
import type { Call, CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { present } from "../http/optional";
import type { AccountCost, CostDimension, Period, ZoneBandwidth, ZoneCost } from "../model/usage";
import { daysQuery, periodQuery } from "./period";

// A metric that the plan does not have is missing or null: nothing was used. Anything else that is no number is not known.
function toNumber(value: unknown): number {
  if (value === undefined || value === null) return 0;
  return typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? Number(value) : Number.NaN;
}

const isKnown = (value: unknown): boolean =>
  typeof value === "number"
    ? Number.isFinite(value)
    : typeof value !== "object" || value === null || Object.values(value).every(isKnown);

/** Of the figures of a customer, or of days; an error has this key. */
const answerOf = <Value extends z.ZodType>(value: Value) =>
  z.record(
    z.string().refine((key) => key !== "error"),
    value,
  );

/**
 * Bandwidth of a zone, in bytes and requests. `GET /zone/bw?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export const bandwidth = (zone: string, period: Period = {}, options?: CallOptions): Operation<ZoneBandwidth> =>
  figures(
    {
      operation: `read the bandwidth of zone ${JSON.stringify(zone)}`,
      request: "GET /zone/bw",
      query: { zone, ...periodQuery(period) },
      ...options,
    },
    (key, entry) =>
      hasFigures(entry)
        ? zoneBandwidth(zone, key, entry, ofZone(entry.data, zone), ofZone(entry.sums, zone))
        : undefined,
  );

/**
 * Bandwidth of every zone of the account, in bytes and requests. `GET /customer/bw?from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export const accountBandwidth = (period: Period = {}, options?: CallOptions): Operation<ZoneBandwidth[]> =>
  figures(
    {
      operation: "read the bandwidth of the account",
      request: "GET /customer/bw",
      query: periodQuery(period),
      ...options,
    },
    (key, answered) => {
      const entry = hoisted(answered);
      if (!hasFigures(entry)) return undefined;
      const data = objectOf(entry.data);
      const sums = objectOf(entry.sums);
      return [...new Set([...Object.keys(data), ...Object.keys(sums)])].map((zone) =>
        zoneBandwidth(zone, key, entry, objectOf(data[zone]), objectOf(sums[zone])),
      );
    },
  );

/** A sum of dollars without the digits that binary numbers add: 0.3, and not 0.30000000000000004. */
const inDecimals = (sum: number): number => Number(sum.toFixed(9));

/** A period whose ends must both be said. */
export type WholePeriod = { from: string; to: string };

const exportShape = answerOf(z.record(z.string(), z.unknown().transform(toNumber).refine(isKnown))).transform(
  (daily): AccountCost => {
    const byResource: AccountCost["byResource"] = {};
    let total = 0;
    for (const [resource, cost] of Object.values(daily).flatMap(Object.entries<number>)) {
      byResource[resource] = inDecimals((ownIn(byResource, resource) ?? 0) + cost);
      total = inDecimals(total + cost);
    }
    return { total, byResource, daily };
  },
);

/**
 * Cost of the account in a period, in US dollars: the sum over everything that has cost, zones that have been deleted since
 * included. `POST /costs/export/json`, which only reads. The service has no sum of its own, and {@link cost} knows one zone.
 *
 * @param dimension what it is split by; default `zones`
 * @throws {ArgumentError} for a bad date
 */
export const accountCost = (
  period: WholePeriod,
  dimension: CostDimension = "zones",
  options?: CallOptions,
): Operation<AccountCost> => {
  const days = daysQuery(period);
  if (days.from === undefined || days.to === undefined) throw new ArgumentError("Give both `from` and `to`.");
  return json(exportShape, {
    operation: "read the cost of the account",
    request: "POST /costs/export/json",
    body: { dimension, filters: {}, ...days },
    repeatable: true,
    ...options,
  });
};

/**
 * Cost of a zone, in US dollars, with its bandwidth in bytes. A day that the period has a part of counts whole; `to` is exclusive.
 * `GET /zone/cost?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date
 */
export const cost = (zone: string, period: Period = {}, options?: CallOptions): Operation<ZoneCost> =>
  figures(
    {
      operation: `read the cost of zone ${JSON.stringify(zone)}`,
      request: "GET /zone/cost",
      query: { zone, ...daysQuery(period) },
      ...options,
    },
    (customerId, entry) => {
      const periods = mapKeys(entry, (figures) => {
        if (!isObject(figures)) return undefined;
        const { cost, bw, ...details } = figures;
        return { cost: toNumber(cost ?? Number.NaN), bw: toNumber(bw), details: mapKeys(details, (value) => value) };
      });
      return { zone, customerId, periods };
    },
  );

/** The answers are an object with one key, the customer's id. What `read` does not find in one is no success. */
const figures =
  <Result>(call: Call, read: (key: string, entry: JsonObject) => Result | undefined): Operation<Result> =>
  async (transport) => {
    const unusable = (problem: string) => new ResponseFormatError(transport.context(call), problem);
    const answered = await transport.json(call, answerOf(z.unknown()));
    const [entry, ...more] = Object.entries(answered).filter((pair): pair is [string, JsonObject] => isObject(pair[1]));
    if (entry === undefined || more.length > 0) {
      throw unusable(`expected an object with one key, found ${Object.keys(answered).length}`);
    }
    const result = read(...entry);
    if (result === undefined || !isKnown(result)) throw unusable("figures are missing, or are not numbers");
    return result;
  };

const hasFigures = ({ data, sums }: JsonObject): boolean => isObject(data) || isObject(sums);

function zoneBandwidth(
  zone: string,
  key: string,
  entry: JsonObject,
  data: JsonObject,
  sums: JsonObject,
): ZoneBandwidth {
  const text = (name: string) => (typeof entry[name] === "string" ? entry[name] : undefined);
  return present({
    zone,
    customerId: text("customer_id") ?? key,
    from: text("from"),
    to: text("to"),
    daily: mapKeys(data, (values) => (Array.isArray(values) ? values.map(toNumber) : undefined)),
    sums: mapKeys(sums, (metrics) => (isObject(metrics) ? mapKeys(metrics, toNumber) : undefined)),
    lastValueAt: text("last_value_ts"),
    lastUpdateAt: text("last_update_ts"),
  });
}

// The documented sample of the account's figures has these among the zones; a zone may also have one of the names.
function hoisted(entry: JsonObject): JsonObject {
  if (entry.sums !== undefined || !isObject(entry.data) || !isObject(entry.data.sums)) return entry;
  const { sums, last_value_ts, last_update_ts, ...data } = entry.data;
  return { last_value_ts, last_update_ts, ...entry, data, sums };
}

// The figures stand under the zone's name; the documented sample has the word `static` there, the name of its zone.
function ofZone(figures: unknown, zone: string): JsonObject {
  if (!isObject(figures)) return {};
  const values = Object.values(figures);
  const found = ownIn(figures, zone) ?? figures.static ?? (values.length === 1 ? values[0] : undefined);
  return objectOf(found);
}

function mapKeys<T>(record: JsonObject, value: (item: unknown) => T | undefined): Record<string, T> {
  const mapped: Record<string, T> = {};
  for (const [key, item] of Object.entries(record)) {
    const result = value(item);
    if (result !== undefined) mapped[camelCase(key)] = result;
  }
  return mapped;
}
