import { z } from "zod";
import type { CallOptions } from "../http/call";
import { json, type Operation, send } from "../http/operation";
import { ANYTHING, CREATED } from "../http/success";
import { someOf, type ZoneNames, zonesQuery } from "./names";

/** Addresses by zone. A zone with an empty list is left out; `any` stands for every address. */
export type AddressesByZone = Record<string, string[]>;

/** One of a zone's two lists, and what the service calls it. */
const ALLOWED = { words: "allowed", name: "whitelist" } as const;
const DENIED = { words: "denied", name: "blacklist" } as const;
type AddressList = typeof ALLOWED | typeof DENIED;

const addressesShape = z.record(z.string(), z.array(z.string()));

/** A zone without addresses is left out; but where another one stands in its place, the answer is about something else. */
const addressesOf = (zones: ZoneNames) =>
  addressesShape.refine(
    (answer) =>
      zones === "*" ||
      zones.every((zone) => Object.hasOwn(answer, zone)) ||
      Object.keys(answer).every((zone) => zones.includes(zone)),
  );

const listOf =
  ({ words, name }: AddressList) =>
  (zones: ZoneNames = "*", options?: CallOptions): Operation<AddressesByZone> =>
    json(addressesOf(zones), {
      operation: `list the ${words} client addresses`,
      request: `GET /zone/${name}`,
      query: { zones: zonesQuery(zones) },
      ...options,
    });

const addTo =
  ({ words, name }: AddressList) =>
  (zone: string, ips: readonly string[], options?: CallOptions): Operation<void> =>
    send(ANYTHING, {
      operation: `add to the ${words} client addresses of zone ${JSON.stringify(zone)}`,
      request: `POST /zone/${name}`,
      body: { zone, ip: someOf(ips, "the client addresses") },
      // A list holds an address once.
      repeatable: true,
      ...options,
    });

// One at a time: only the call that adds is documented to take several.
const removeFrom =
  ({ words, name }: AddressList) =>
  (zone: string, ip: string, options?: CallOptions): Operation<void> =>
    send(ANYTHING, {
      operation: `remove ${JSON.stringify(ip)} from the ${words} client addresses of zone ${JSON.stringify(zone)}`,
      request: `DELETE /zone/${name}`,
      body: { zone, ip: someOf([ip], "the client address")[0] },
      ...options,
    });

// Nobody can look whether they were added.
const addDomainsTo =
  (list: AddressList) =>
  (zone: string, domains: readonly string[], options?: CallOptions): Operation<void> =>
    send(CREATED, {
      operation: `add to the ${list.words} domains of zone ${JSON.stringify(zone)}`,
      request: "POST /zone/domain_perm",
      body: domainBody(list, zone, domains),
      repeatable: true,
      ...options,
    });

const remainingShape = z.looseObject({
  whitelist: z.string().nullish(),
  blacklist: z.string().nullish(),
  error: z.null().optional(),
});

const removeDomainsFrom =
  (list: AddressList) =>
  (zone: string, domains: readonly string[], options?: CallOptions): Operation<string[]> =>
    json(
      remainingShape.transform(({ [list.name]: remaining }) => (remaining ?? "").split(/\s+/).filter(Boolean)),
      {
        operation: `remove from the ${list.words} domains of zone ${JSON.stringify(zone)}`,
        request: "DELETE /zone/domain_perm",
        body: domainBody(list, zone, domains),
        ...options,
      },
    );

// The service takes the domains as one text.
const domainBody = ({ name }: AddressList, zone: string, domains: readonly string[]) => ({
  zone,
  type: name,
  domain: someOf(domains, "the domains").join(" "),
});

/** Lists the client addresses that may use zones. `GET /zone/whitelist?zones=`. */
export const listAllowedIps = listOf(ALLOWED);

/** Lists the client addresses that may not use zones. `GET /zone/blacklist?zones=`. */
export const listDeniedIps = listOf(DENIED);

/**
 * Allows client addresses to use a zone. `POST /zone/whitelist`.
 *
 * @param ips addresses, ranges `a-b`, or networks with a prefix or a netmask; `any` for every address
 * @throws {InvalidRequestError} for an address that is none
 */
export const allowIps = addTo(ALLOWED);

/** Keeps client addresses from using a zone; as {@link allowIps}. `POST /zone/blacklist`. */
export const denyIps = addTo(DENIED);

/**
 * Takes an address off the list of those that may use a zone. `DELETE /zone/whitelist`.
 *
 * Look at the list after the last one: with no address left, a zone may be open to all.
 */
export const removeAllowedIp = removeFrom(ALLOWED);

/** Takes an address off the list of those that may not use a zone. `DELETE /zone/blacklist`. */
export const removeDeniedIp = removeFrom(DENIED);

/**
 * Lets a zone be used for target domains. `POST /zone/domain_perm`. The service has no call that lists them; for some plans
 * they stand in the zone's plan, as `domainWhitelist`.
 */
export const allowDomains = addDomainsTo(ALLOWED);

/** Keeps a zone from being used for target domains. `POST /zone/domain_perm`. */
export const denyDomains = addDomainsTo(DENIED);

/** Takes target domains off the list of the allowed ones and answers those that remain. `DELETE /zone/domain_perm`. */
export const removeAllowedDomains = removeDomainsFrom(ALLOWED);

/** Takes target domains off the list of the denied ones and answers those that remain. `DELETE /zone/domain_perm`. */
export const removeDeniedDomains = removeDomainsFrom(DENIED);
