import { z } from "zod";
import { ArgumentError, NotFoundError, type RequestContext } from "../base/errors";
import { canonicalAddress } from "../declaration/address";
import type { Call, CallOptions } from "../http/call";
import { meaning } from "../http/meaning";
import { json, type Operation, send } from "../http/operation";
import { field, optional, present } from "../http/optional";
import { refusalError, serviceWords } from "../http/refusal";
import { EMPTY } from "../http/success";
import { LOGGED_OUT, MISSING_PORT, MISSING_ZONE } from "./refusals";

/** An IP that was given in place of another. */
export interface RefreshedIp {
  ip: string;
  /** Two letters, as MaxMind has it. */
  country?: string;
}

/** A group of residential IPs (gIP) that was given in place of another. */
export interface RefreshedGip {
  gip: string;
  /** Two letters, as MaxMind has it. */
  country?: string;
}

/** Which IP or gIP of a port to replace. */
export type PortIp = { ip: string; gip?: never } | { gip: string; ip?: never };

// The vendor is asked, for a port three times over, and may take 20 s each time.
const VENDOR_SECONDS = 90;

const ipsShape = field("ips", z.array(z.string()));
// The vendor's reference calls gIPs `ips`, its service `vips`.
const gipsShape = z.union([field("vips", z.array(z.string())), ipsShape]);

const refused = z.object({ status: z.number(), error: z.unknown().optional() });
const country = optional(z.string());
const refreshedIps = z.object({ ips: z.array(z.object({ ip: z.string(), maxmind: country })) });
const refreshedGips = z.object({ vips: z.array(z.object({ vip: z.string(), maxmind: country })) });

const listOf =
  (what: "IPs" | "gIPs", request: Call["request"], shape: z.ZodType<string[]>) =>
  (zone: string, options?: CallOptions): Operation<string[]> =>
    json(shape, {
      operation: `list the ${what} of zone ${JSON.stringify(zone)}`,
      request,
      query: { zone: named(zone) },
      leastTimeout: VENDOR_SECONDS,
      onRefusal: meaning(MISSING_ZONE),
      ...options,
    });

/**
 * Lists the IPs that the vendor has allocated to a zone. `GET /api/allocated_ips?zone=`.
 *
 * @throws {NotFoundError} when the manager does not know the zone
 */
export const allocated = listOf("IPs", "GET /api/allocated_ips", ipsShape);

/**
 * Lists the gIPs that the vendor has allocated to a zone. `GET /api/allocated_vips?zone=`.
 *
 * @throws {NotFoundError} when the manager does not know the zone
 */
export const allocatedGips = listOf("gIPs", "GET /api/allocated_vips", gipsShape);

/**
 * Replaces IPs of a zone. This costs money, and is never repeated of its own accord. `POST /api/refresh_ips`.
 *
 * @param ips those to replace; `"all"` for all of the zone
 * @returns what the zone has now
 * @throws {ArgumentError} for an empty list, and for what is no IPv4 address
 * @throws {ServiceError} when the vendor refuses: of the class that its status stands for
 *
 * @example
 * await client.ips.refresh("web", ["203.0.113.7"]);
 */
export const refresh =
  (zone: string, ips: readonly string[] | "all", options?: CallOptions): Operation<RefreshedIp[]> =>
  async (transport) => {
    const body = ips === "all" ? {} : { ips: some(ips, "IP").map(address) };
    const call = refreshCall(`refresh IPs of zone ${JSON.stringify(zone)}`, { zone: named(zone), ...body }, options);
    const answer = accepted(transport.context(call), await transport.json(call, z.union([refreshedIps, refused])));
    return answer.ips.map(({ ip, maxmind }) => present({ ip, country: maxmind }));
  };

/**
 * Replaces gIPs of a zone. This costs money, and is never repeated of its own accord. `POST /api/refresh_ips`.
 *
 * @returns what the zone has now
 * @throws {ArgumentError} for an empty list
 * @throws {ServiceError} when the vendor refuses: of the class that its status stands for
 */
export const refreshGips =
  (zone: string, gips: readonly string[], options?: CallOptions): Operation<RefreshedGip[]> =>
  async (transport) => {
    const body = { zone: named(zone), vips: some(gips, "gIP") };
    const call = refreshCall(`refresh gIPs of zone ${JSON.stringify(zone)}`, body, options);
    const answer = accepted(transport.context(call), await transport.json(call, z.union([refreshedGips, refused])));
    return answer.vips.map(({ vip, maxmind }) => present({ gip: vip, country: maxmind }));
  };

/**
 * Replaces an IP or gIP that a port uses, in the zone and in the port's own list. This costs money, and is never repeated of
 * its own accord. The manager does not tell whether the vendor agreed: {@link allocated} shows it.
 * `POST /api/refresh_ip/{PORT}`.
 *
 * @throws {NotFoundError} when there is no such port, or the manager does not know its zone
 * @throws {ArgumentError} for what is no IPv4 address
 *
 * @example
 * await client.ips.refreshOfPort(24000, { ip: "203.0.113.7" });
 */
export const refreshOfPort = (port: number, target: PortIp, options?: CallOptions): Operation<void> =>
  send(EMPTY, {
    operation: `refresh an IP of proxy port ${port}`,
    request: `POST /api/refresh_ip/${port}`,
    body: target.ip === undefined ? { vip: target.gip } : { ip: address(target.ip) },
    leastTimeout: VENDOR_SECONDS,
    onRefusal: meaning(MISSING_PORT, MISSING_ZONE),
    ...options,
  });

const refreshCall = (operation: string, body: object, options: CallOptions | undefined): Call => ({
  operation,
  request: "POST /api/refresh_ips",
  body,
  leastTimeout: VENDOR_SECONDS,
  onRefusal: meaning(LOGGED_OUT),
  ...options,
});

/** The answer, where it is none of the vendor's refusals, which the manager passes on beside a 200. */
function accepted<Answer extends object>(context: RequestContext, answer: Answer | z.output<typeof refused>): Answer {
  if (!("status" in answer)) return answer;
  const { status, error = "" } = answer;
  const words = serviceWords(typeof error === "string" ? error : JSON.stringify(error), (text) => text);
  const refusal = { status, ...words };
  throw status === 404 ? new NotFoundError(context, refusal) : refusalError(context, refusal);
}

function named(zone: string): string {
  if (zone.trim() === "") throw new ArgumentError("The zone's name is missing.");
  return zone;
}

// An empty list would be one of all of them.
function some(list: readonly string[], what: string): readonly string[] {
  if (list.length > 0) return list;
  throw new ArgumentError(`There is no ${what} to refresh: expected one or more.`);
}

function address(ip: string): string {
  const found = canonicalAddress(ip);
  if (found !== undefined && !found.includes("/")) return found;
  throw new ArgumentError(`${JSON.stringify(ip)} is no IP: expected an IPv4 address of four octets.`);
}
