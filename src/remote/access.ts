import { z } from "zod";
import { ANYTHING, CREATED } from "../http/success";
import type { Call, CallOptions, Transport } from "../http/transport";
import { someOf, type ZoneNames, zonesQuery } from "./names";

/** Addresses by zone. A zone with an empty list is left out; `any` stands for every address. */
export type AddressesByZone = Record<string, string[]>;

const addressesShape = z.record(z.string(), z.array(z.string()));

/** Lists the client addresses that may use zones. `GET /zone/whitelist?zones=`. */
export const listAllowedIps = (
  transport: Transport,
  zones: ZoneNames = "*",
  options: CallOptions = {},
): Promise<AddressesByZone> => listOf(transport, "allowed", zones, options);

/** Lists the client addresses that may not use zones. `GET /zone/blacklist?zones=`. */
export const listDeniedIps = (
  transport: Transport,
  zones: ZoneNames = "*",
  options: CallOptions = {},
): Promise<AddressesByZone> => listOf(transport, "denied", zones, options);

/**
 * Allows client addresses to use a zone. `POST /zone/whitelist`.
 *
 * @param ips addresses, ranges `a-b`, or networks with a prefix or a netmask; `any` for every address
 * @throws {InvalidRequestError} for an address that is none
 */
export const allowIps = (
  transport: Transport,
  zone: string,
  ips: readonly string[],
  options: CallOptions = {},
): Promise<void> => add(transport, "allowed", zone, ips, options);

/** Keeps client addresses from using a zone; as {@link allowIps}. `POST /zone/blacklist`. */
export const denyIps = (
  transport: Transport,
  zone: string,
  ips: readonly string[],
  options: CallOptions = {},
): Promise<void> => add(transport, "denied", zone, ips, options);

/**
 * Takes an address off the list of those that may use a zone. `DELETE /zone/whitelist`.
 *
 * Look at the list after the last one: with no address left, a zone may be open to all.
 */
export const removeAllowedIp = (
  transport: Transport,
  zone: string,
  ip: string,
  options: CallOptions = {},
): Promise<void> => remove(transport, "allowed", zone, ip, options);

/** Takes an address off the list of those that may not use a zone. `DELETE /zone/blacklist`. */
export const removeDeniedIp = (
  transport: Transport,
  zone: string,
  ip: string,
  options: CallOptions = {},
): Promise<void> => remove(transport, "denied", zone, ip, options);

/**
 * Lets a zone be used for target domains. `POST /zone/domain_perm`. The service has no call that lists them; for some plans
 * they stand in the zone's plan, as `domainWhitelist`.
 */
export const allowDomains = (
  transport: Transport,
  zone: string,
  domains: readonly string[],
  options: CallOptions = {},
): Promise<void> => addDomains(transport, "allowed", zone, domains, options);

/** Keeps a zone from being used for target domains. `POST /zone/domain_perm`. */
export const denyDomains = (
  transport: Transport,
  zone: string,
  domains: readonly string[],
  options: CallOptions = {},
): Promise<void> => addDomains(transport, "denied", zone, domains, options);

/** Takes target domains off the list of the allowed ones and answers those that remain. `DELETE /zone/domain_perm`. */
export const removeAllowedDomains = (
  transport: Transport,
  zone: string,
  domains: readonly string[],
  options: CallOptions = {},
): Promise<string[]> => removeDomains(transport, "allowed", zone, domains, options);

/** Takes target domains off the list of the denied ones and answers those that remain. `DELETE /zone/domain_perm`. */
export const removeDeniedDomains = (
  transport: Transport,
  zone: string,
  domains: readonly string[],
  options: CallOptions = {},
): Promise<string[]> => removeDomains(transport, "denied", zone, domains, options);

/** One of a zone's two lists; the service calls them `whitelist` and `blacklist`. */
type List = "allowed" | "denied";

const SERVICE_NAME = { allowed: "whitelist", denied: "blacklist" } as const;

async function listOf(
  transport: Transport,
  list: List,
  zones: ZoneNames,
  options: CallOptions,
): Promise<AddressesByZone> {
  const call: Call = {
    operation: `list the ${list} client addresses`,
    method: "GET",
    path: `/zone/${SERVICE_NAME[list]}`,
    query: { zones: zonesQuery(zones) },
    ...options,
  };
  return transport.json(call, addressesShape);
}

async function add(
  transport: Transport,
  list: List,
  zone: string,
  ips: readonly string[],
  options: CallOptions,
): Promise<void> {
  await transport.send(
    {
      operation: `add to the ${list} client addresses of zone ${JSON.stringify(zone)}`,
      method: "POST",
      path: `/zone/${SERVICE_NAME[list]}`,
      body: { zone, ip: someOf(ips, "the client addresses") },
      // A list holds an address once.
      repeatable: true,
      ...options,
    },
    ANYTHING,
  );
}

// One at a time: only the call that adds is documented to take several.
async function remove(transport: Transport, list: List, zone: string, ip: string, options: CallOptions): Promise<void> {
  await transport.send(
    {
      operation: `remove ${JSON.stringify(ip)} from the ${list} client addresses of zone ${JSON.stringify(zone)}`,
      method: "DELETE",
      path: `/zone/${SERVICE_NAME[list]}`,
      body: { zone, ip: someOf([ip], "the client address")[0] },
      ...options,
    },
    ANYTHING,
  );
}

async function addDomains(
  transport: Transport,
  list: List,
  zone: string,
  domains: readonly string[],
  options: CallOptions,
): Promise<void> {
  await transport.send(
    {
      operation: `add to the ${list} domains of zone ${JSON.stringify(zone)}`,
      method: "POST",
      path: "/zone/domain_perm",
      body: domainBody(list, zone, domains),
      repeatable: true,
      ...options,
    },
    // Nobody can look whether they were added.
    CREATED,
  );
}

const remainingShape = z.looseObject({ whitelist: z.string().optional(), blacklist: z.string().optional() });

async function removeDomains(
  transport: Transport,
  list: List,
  zone: string,
  domains: readonly string[],
  options: CallOptions,
): Promise<string[]> {
  const call: Call = {
    operation: `remove from the ${list} domains of zone ${JSON.stringify(zone)}`,
    method: "DELETE",
    path: "/zone/domain_perm",
    body: domainBody(list, zone, domains),
    ...options,
  };
  const remaining = (await transport.json(call, remainingShape))[SERVICE_NAME[list]] ?? "";
  return remaining.split(/\s+/).filter((domain) => domain !== "");
}

// The service takes the domains as one text.
const domainBody = (list: List, zone: string, domains: readonly string[]) => ({
  zone,
  type: SERVICE_NAME[list],
  domain: someOf(domains, "the domains").join(" "),
});
