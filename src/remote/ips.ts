import { z } from "zod";
import { ArgumentError, InvalidRequestError } from "../base/errors";
import { ownIn } from "../base/json";
import type { Call, CallOptions } from "../http/call";
import { meaning } from "../http/meaning";
import { json, type Operation } from "../http/operation";
import { field, optional, present } from "../http/optional";
import type { AllocatedIp } from "../model/allocatedIp";
import { status } from "./account";
import { someOf } from "./names";

/** Which IPs to add. */
export interface NewIps {
  /** How many, from 1 on. */
  count: number;
  /** Two letters, lower case. Default: the zone's. */
  country?: string | undefined;
  /** Such as `us-chicago`. */
  countryCity?: string | undefined;
  /** The customer's id. Default: it is asked for. */
  customer?: string | undefined;
}

/** The proxy IPs of a zone after a change. */
export interface ChangedIps {
  /** All that the zone has now. */
  ips: string[];
  /** Those that are new. */
  newIps: string[];
}

/** A dedicated residential IP, which the service calls a gIP: a group of peers under one name. */
export interface Gip {
  /** Its name, such as `tr_9121_07_antalya_10`. */
  gip: string;
  country?: string;
}

/** What to refresh. All of a zone's IPs are refreshed only when that is what it says. */
export type RefreshTarget = (
  | { ips: readonly string[]; gips?: never; all?: never }
  | { gips: readonly string[]; ips?: never; all?: never }
  | { all: true; ips?: never; gips?: never }
) & {
  /** Where the new ones should be, as two letters in lower case. Default: where the old ones were. */
  country?: string | undefined;
  /** Such as `us-chicago`. */
  countryCity?: string | undefined;
};

/** What a refresh has led to: proxy IPs, or gIPs where the zone has those. */
export type RefreshedIps = ({ kind: "ips" } & ChangedIps) | { kind: "gips"; gips: Gip[] };

const text = optional(z.string());
const texts = z.array(z.string());
const ipShape = z
  .looseObject({ ip: z.string(), maxmind: text, ext: optional(z.record(z.string(), text)) })
  .transform(({ ip, maxmind, ext }): AllocatedIp => ({ ip, countries: present({ maxmind, ...ext }) }));
const changedShape = z
  .looseObject({ ips: texts, new_ips: optional(texts) })
  .transform(({ ips, new_ips = [] }): ChangedIps => ({ ips, newIps: new_ips }));
const gipShape = z
  .looseObject({ vip: z.string(), country: text })
  .transform(({ vip, country }): Gip => present({ gip: vip, country }));
const refreshedShape = z.union([
  field("vips", z.array(gipShape)).transform((gips): RefreshedIps => ({ kind: "gips", gips })),
  changedShape.transform((changed): RefreshedIps => ({ kind: "ips", ...changed })),
]);
const byZoneShape = z.record(z.string(), texts);

/**
 * Lists the proxy IPs of a zone. `GET /zone/ips?zone=`.
 *
 * @throws {InvalidRequestError} `Wrong zone plan` for a zone that has none of its own
 */
export const list = (zone: string, options?: CallOptions): Operation<AllocatedIp[]> =>
  json(field("ips", z.array(ipShape)), {
    operation: `list the IPs of zone ${JSON.stringify(zone)}`,
    request: "GET /zone/ips",
    query: { zone },
    ...options,
  });

/** Counts the proxy IPs of a zone by country. `GET /zone/ips?zone=&ip_per_country=true`. */
export const countByCountry = (zone: string, options?: CallOptions): Operation<Record<string, number>> =>
  json(z.record(z.string(), z.number()), {
    operation: `count the IPs of zone ${JSON.stringify(zone)}`,
    request: "GET /zone/ips",
    query: { zone, ip_per_country: true },
    ...options,
  });

/**
 * Lists the names of a zone's gIPs. `GET /zone/route_vips?zone=`.
 *
 * @throws {InvalidRequestError} for a zone that can have none
 */
export const listGips = (zone: string, options?: CallOptions): Operation<string[]> =>
  json(texts, {
    operation: `list the gIPs of zone ${JSON.stringify(zone)}`,
    request: "GET /zone/route_vips",
    query: { zone },
    onRefusal: meaning({
      says: /vip routes not found/i,
      error: InvalidRequestError,
      remedy: `Zone ${JSON.stringify(zone)} has no gIPs: name a residential zone whose plan has them.`,
    }),
    ...options,
  });

/**
 * Adds proxy IPs to a zone. `POST /zone/ips`, after `GET /status` for the customer's id unless that is given.
 *
 * It costs money, every time, and is not sent again when its outcome is not known: list the zone's IPs then.
 *
 * @throws {InvalidRequestError} when there are not so many, or the zone can have none
 */
export const add =
  (zone: string, { count, country, countryCity, customer }: NewIps, options?: CallOptions): Operation<ChangedIps> =>
  async (transport) => {
    if (!Number.isInteger(count) || count < 1) {
      throw new ArgumentError(`The number of IPs to add is ${count}: expected a whole number from 1 on.`);
    }
    const payer = customer ?? (await status({}, options)(transport)).customer;
    const call: Call = {
      operation: `add IPs to zone ${JSON.stringify(zone)}`,
      request: "POST /zone/ips",
      body: { customer: payer, zone, count, country, country_city: countryCity },
      ...options,
    };
    return transport.json(call, changedShape);
  };

/** Gives proxy IPs of a zone back and answers those that remain. `DELETE /zone/ips`. */
export const remove = (zone: string, ips: readonly string[], options?: CallOptions): Operation<string[]> =>
  json(field("ips", texts), {
    operation: `remove IPs from zone ${JSON.stringify(zone)}`,
    request: "DELETE /zone/ips",
    body: { zone, ips: someOf(ips, "the IPs") },
    ...options,
  });

/** Gives gIPs of a zone back and answers the names of those that remain. `DELETE /zone/vips`. */
export const removeGips = (zone: string, gips: readonly string[], options?: CallOptions): Operation<string[]> =>
  json(texts, {
    operation: `remove gIPs from zone ${JSON.stringify(zone)}`,
    request: "DELETE /zone/vips",
    body: { zone, gips: someOf(gips, "the gIPs") },
    ...options,
  });

/**
 * Moves proxy IPs from one zone to another and answers how many. `POST /zone/ips/migrate`.
 *
 * It is not sent again when its outcome is not known: list the IPs of both zones then.
 */
export const migrate = (
  { from, to, ips }: { from: string; to: string; ips: readonly string[] },
  options?: CallOptions,
): Operation<number> =>
  json(field("count", z.number()), {
    operation: `move IPs from zone ${JSON.stringify(from)} to zone ${JSON.stringify(to)}`,
    request: "POST /zone/ips/migrate",
    body: { from, to, ips: someOf(ips, "the IPs") },
    ...options,
  });

/**
 * Replaces IPs of a zone by new ones: proxy IPs, or gIPs where the zone has those. `POST /zone/ips/refresh`.
 *
 * It costs money for each of them, every time, and is not sent again when its outcome is not known.
 *
 * @throws {ArgumentError} when it is not said which: the service would refresh all of them
 *
 * @example
 * await client.ips.refresh("web", { ips: ["198.51.100.7"] });
 * await client.ips.refresh("web", { all: true });
 */
export const refresh = (zone: string, target: RefreshTarget, options?: CallOptions): Operation<RefreshedIps> => {
  const { ips, gips, all, country, countryCity } = target;
  if ([ips !== undefined, gips !== undefined, all === true].filter(Boolean).length !== 1) {
    throw new ArgumentError("Say what to refresh: one of `ips`, `gips` and `all: true`. Nothing was sent.");
  }
  return json(refreshedShape, {
    operation: `refresh IPs of zone ${JSON.stringify(zone)}`,
    request: "POST /zone/ips/refresh",
    body: {
      zone,
      vips: gips === undefined ? undefined : someOf(gips, "the gIPs"),
      ips: ips === undefined ? undefined : someOf(ips, "the IPs"),
      country,
      country_city: countryCity,
    },
    ...options,
  });
};

/** Lists the proxy IPs that do not work just now, by zone. `GET /zone/ips/unavailable`. */
export const listUnavailable = (options?: CallOptions): Operation<Record<string, string[]>> =>
  json(byZoneShape, {
    operation: "list the IPs that do not work",
    request: "GET /zone/ips/unavailable",
    ...options,
  });

/** Lists the proxy IPs of a zone that the service is about to replace. `GET /zone/proxies_pending_replacement?zone=`. */
export const listPendingReplacement = (zone: string, options?: CallOptions): Operation<string[]> =>
  json(
    byZoneShape.transform((ips) => ownIn(ips, zone) ?? []),
    {
      operation: `list the IPs of zone ${JSON.stringify(zone)} that are to be replaced`,
      request: "GET /zone/proxies_pending_replacement",
      query: { zone },
      ...options,
    },
  );
