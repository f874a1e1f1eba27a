import { z } from "zod";
import { ArgumentError } from "../base/errors";
import { optional, present } from "../http/optional";
import type { Call, CallOptions, Transport } from "../http/transport";
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

const listShape = z.looseObject({
  ips: z.array(
    z.looseObject({
      ip: z.string(),
      maxmind: optional(z.string()),
      ext: optional(z.record(z.string(), optional(z.string()))),
    }),
  ),
});
const countsShape = z.record(z.string(), z.number());
const namesShape = z.array(z.string());
const ipsShape = z.looseObject({ ips: z.array(z.string()) });
const changedShape = z.looseObject({ ips: z.array(z.string()), new_ips: optional(z.array(z.string())) });
const gipsShape = z.looseObject({ vips: z.array(z.looseObject({ vip: z.string(), country: optional(z.string()) })) });
const byZoneShape = z.record(z.string(), z.array(z.string()));
const movedShape = z.looseObject({ count: z.number() });

/**
 * Lists the proxy IPs of a zone. `GET /zone/ips?zone=`.
 *
 * @throws {InvalidRequestError} `Wrong zone plan` for a zone that has none of its own
 */
export async function list(transport: Transport, zone: string, options: CallOptions = {}): Promise<AllocatedIp[]> {
  const call: Call = {
    operation: `list the IPs of zone ${JSON.stringify(zone)}`,
    method: "GET",
    path: "/zone/ips",
    query: { zone },
    ...options,
  };
  const { ips } = await transport.json(call, listShape);
  return ips.map(({ ip, maxmind, ext }) => ({ ip, countries: present({ maxmind, ...ext }) }));
}

/** Counts the proxy IPs of a zone by country. `GET /zone/ips?zone=&ip_per_country=true`. */
export async function countByCountry(
  transport: Transport,
  zone: string,
  options: CallOptions = {},
): Promise<Record<string, number>> {
  const call: Call = {
    operation: `count the IPs of zone ${JSON.stringify(zone)}`,
    method: "GET",
    path: "/zone/ips",
    query: { zone, ip_per_country: true },
    ...options,
  };
  return transport.json(call, countsShape);
}

/**
 * Lists the names of a zone's gIPs. `GET /zone/route_vips?zone=`.
 *
 * @throws {PermissionError} {@link InvalidRequestError} for a zone that can have none
 */
export async function listGips(transport: Transport, zone: string, options: CallOptions = {}): Promise<string[]> {
  const call: Call = {
    operation: `list the gIPs of zone ${JSON.stringify(zone)}`,
    method: "GET",
    path: "/zone/route_vips",
    query: { zone },
    ...options,
  };
  return transport.json(call, namesShape);
}

/**
 * Adds proxy IPs to a zone. `POST /zone/ips`, after `GET /status` for the customer's id unless that is given.
 *
 * It costs money, every time, and is not sent again when its outcome is not known: list the zone's IPs then.
 *
 * @throws {InvalidRequestError} when there are not so many, or the zone can have none
 */
export async function add(
  transport: Transport,
  zone: string,
  { count, country, countryCity, customer }: NewIps,
  options: CallOptions = {},
): Promise<ChangedIps> {
  if (!Number.isInteger(count) || count < 1) {
    throw new ArgumentError(`The number of IPs to add is ${count}: expected a whole number from 1 on.`);
  }
  const payer = customer ?? (await status(transport, {}, options)).customer;
  const call: Call = {
    operation: `add IPs to zone ${JSON.stringify(zone)}`,
    method: "POST",
    path: "/zone/ips",
    body: { customer: payer, zone, count, country, country_city: countryCity },
    ...options,
  };
  return changed(await transport.json(call, changedShape));
}

/** Gives proxy IPs of a zone back and answers those that remain. `DELETE /zone/ips`. */
export async function remove(
  transport: Transport,
  zone: string,
  ips: readonly string[],
  options: CallOptions = {},
): Promise<string[]> {
  const call: Call = {
    operation: `remove IPs from zone ${JSON.stringify(zone)}`,
    method: "DELETE",
    path: "/zone/ips",
    body: { zone, ips: someOf(ips, "the IPs") },
    ...options,
  };
  return (await transport.json(call, ipsShape)).ips;
}

/** Gives gIPs of a zone back and answers the names of those that remain. `DELETE /zone/vips`. */
export async function removeGips(
  transport: Transport,
  zone: string,
  gips: readonly string[],
  options: CallOptions = {},
): Promise<string[]> {
  const call: Call = {
    operation: `remove gIPs from zone ${JSON.stringify(zone)}`,
    method: "DELETE",
    path: "/zone/vips",
    body: { zone, gips: someOf(gips, "the gIPs") },
    ...options,
  };
  return transport.json(call, namesShape);
}

/**
 * Moves proxy IPs from one zone to another and answers how many. `POST /zone/ips/migrate`.
 *
 * It is not sent again when its outcome is not known: list the IPs of both zones then.
 */
export async function migrate(
  transport: Transport,
  { from, to, ips }: { from: string; to: string; ips: readonly string[] },
  options: CallOptions = {},
): Promise<number> {
  const call: Call = {
    operation: `move IPs from zone ${JSON.stringify(from)} to zone ${JSON.stringify(to)}`,
    method: "POST",
    path: "/zone/ips/migrate",
    body: { from, to, ips: someOf(ips, "the IPs") },
    ...options,
  };
  return (await transport.json(call, movedShape)).count;
}

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
export async function refresh(
  transport: Transport,
  zone: string,
  target: RefreshTarget,
  options: CallOptions = {},
): Promise<RefreshedIps> {
  const { ips, gips, all, country, countryCity } = target;
  if ([ips !== undefined, gips !== undefined, all === true].filter(Boolean).length !== 1) {
    throw new ArgumentError("Say what to refresh: one of `ips`, `gips` and `all: true`. Nothing was sent.");
  }
  const call: Call = {
    operation: `refresh IPs of zone ${JSON.stringify(zone)}`,
    method: "POST",
    path: "/zone/ips/refresh",
    body: {
      zone,
      vips: gips === undefined ? undefined : someOf(gips, "the gIPs"),
      ips: ips === undefined ? undefined : someOf(ips, "the IPs"),
      country,
      country_city: countryCity,
    },
    ...options,
  };
  const answered = await transport.json(call, z.union([gipsShape, changedShape]));
  if (!("vips" in answered)) return { kind: "ips", ...changed(answered) };
  const { vips } = answered as z.output<typeof gipsShape>;
  return { kind: "gips", gips: vips.map(({ vip, country }) => present({ gip: vip, country })) };
}

/** Lists the proxy IPs that do not work just now, by zone. `GET /zone/ips/unavailable`. */
export async function listUnavailable(
  transport: Transport,
  options: CallOptions = {},
): Promise<Record<string, string[]>> {
  const call: Call = {
    operation: "list the IPs that do not work",
    method: "GET",
    path: "/zone/ips/unavailable",
    ...options,
  };
  return transport.json(call, byZoneShape);
}

/** Lists the proxy IPs of a zone that the service is about to replace. `GET /zone/proxies_pending_replacement?zone=`. */
export async function listPendingReplacement(
  transport: Transport,
  zone: string,
  options: CallOptions = {},
): Promise<string[]> {
  const call: Call = {
    operation: `list the IPs of zone ${JSON.stringify(zone)} that are to be replaced`,
    method: "GET",
    path: "/zone/proxies_pending_replacement",
    query: { zone },
    ...options,
  };
  return (await transport.json(call, byZoneShape))[zone] ?? [];
}

const changed = ({ ips, new_ips = [] }: z.output<typeof changedShape>): ChangedIps => ({ ips, newIps: new_ips });
