import { z } from "zod";
import { ArgumentError, NotFoundError } from "../base/errors";
import { bannableIp } from "../declaration/formats";
import type { CallOptions } from "../http/call";
import { meaning } from "../http/meaning";
import { json, type Operation, send } from "../http/operation";
import { field, optional, present } from "../http/optional";
import { EMPTY, OK } from "../http/success";
import { type Ban, LONGEST_BAN_MS } from "../model/ban";
import * as ports from "./ports";
import { MISSING_PORT } from "./refusals";

/** What a ban is about, besides the IPs. */
export interface BanScope {
  /** The target host that the IPs are not used for. Default: any. */
  domain?: string | undefined;
  /** For how long, in milliseconds, at most 2147483647: the manager lifts a longer ban at once. Default: until it restarts. */
  ms?: number | undefined;
}

/** An IP that a port is not to use, or the 33 characters by which the vendor hides one. */
export interface BanRequest extends BanScope {
  ip: string;
}

export interface BansRequest extends BanScope {
  ips: readonly string[];
}

/** A moment, as milliseconds or in words. */
const moment = z
  .union([z.number(), z.string().transform((text) => (/^\d+$/.test(text) ? Number(text) : text))])
  .transform((given) => new Date(given))
  .refine((date) => !Number.isNaN(date.getTime()));
const text = z.string().trim();
const ip = text.min(1).transform((given) => bannableIp(given) ?? given);
const domain = text.toLowerCase();

// What cannot be read must not pass for a ban of something else: that would be no ban of what is looked for.
const banShape = z
  .union([
    // In the short form `ip|domain`.
    z
      .string()
      .transform((short) => short.split("|"))
      .pipe(z.tuple([ip], domain))
      .transform(([ip, domain]) => ({ ip, domain, to: undefined })),
    z.object({ ip, domain: optional(domain), to: optional(moment) }),
  ])
  .transform(({ ip, domain, to }): Ban => present({ ip, domain: domain || undefined, until: to?.toISOString() }));
const listShape = field("ips", z.array(banShape));

/**
 * Bans an IP on a port. `POST /api/proxies/{PORT}/banip`.
 *
 * @throws {NotFoundError} when there is no such port
 * @throws {ArgumentError} for what is no IP
 *
 * @example
 * await client.bans.add(24000, { ip: "203.0.113.7", domain: "example.com", ms: 60_000 });
 */
export const add = (port: number, request: BanRequest, options?: CallOptions): Operation<void> =>
  send(EMPTY, {
    operation: `ban ${request.ip} on proxy port ${port}`,
    request: `POST /api/proxies/${port}/banip`,
    body: { ip: bannable(request.ip), ...checked(request) },
    repeatable: true,
    onRefusal: meaning(MISSING_PORT),
    ...options,
  });

/**
 * Bans several IPs on a port. The manager passes over those that are none without a word; here they are refused.
 * `POST /api/proxies/{PORT}/banips`.
 *
 * @throws {NotFoundError} when there is no such port
 * @throws {ArgumentError} for an empty list, and for what is no IP
 */
export const addAll = (port: number, request: BansRequest, options?: CallOptions): Operation<void> =>
  send(EMPTY, {
    operation: `ban IPs on proxy port ${port}`,
    request: `POST /api/proxies/${port}/banips`,
    body: { ips: some(request.ips), ...checked(request) },
    repeatable: true,
    onRefusal: meaning(MISSING_PORT),
    ...options,
  });

/**
 * Bans IPs on every port that listens, the drop-in port included. The ports are listed first: without their numbers the
 * manager would ban on none of them. `GET /api/proxies`, `GET /api/proxies_running`, `POST /api/banip`.
 *
 * @returns the numbers of the ports
 * @throws {ArgumentError} for an empty list, and for what is no IP
 */
export const addEverywhere =
  (request: BansRequest, options?: CallOptions): Operation<number[]> =>
  async (transport) => {
    const body = { ips: some(request.ips), ...checked(request) };
    const ports = await everyPort(options)(transport);
    if (ports.length > 0) {
      const operation = "ban IPs on all proxy ports";
      const banned = { ...body, ports };
      await transport.send(
        { operation, request: "POST /api/banip", body: banned, repeatable: true, ...options },
        EMPTY,
      );
    }
    return ports;
  };

/**
 * Lifts the ban of one IP on a port: that for the given host, or that for any host. Where only others are in force, nothing
 * happens: they are in what is returned. `POST /api/proxies/{PORT}/unbanip`.
 *
 * @returns what is still banned on the port
 * @throws {NotFoundError} when the IP is not banned there at all, or when there is no such port
 */
export const remove = (port: number, ban: Omit<BanRequest, "ms">, options?: CallOptions): Operation<Ban[]> =>
  json(listShape, {
    operation: `lift the ban of ${ban.ip} on proxy port ${port}`,
    request: `POST /api/proxies/${port}/unbanip`,
    body: { ip: bannable(ban.ip), domain: ban.domain },
    onRefusal: meaning({ says: /not banned/i, error: NotFoundError }, MISSING_PORT),
    ...options,
  });

/**
 * Lifts every ban on a port; none is no error. `POST /api/proxies/{PORT}/unbanips`.
 *
 * @throws {NotFoundError} when there is no such port
 */
export const removeAll = (port: number, options?: CallOptions): Operation<void> =>
  send(OK, {
    operation: `lift all bans on proxy port ${port}`,
    request: `POST /api/proxies/${port}/unbanips`,
    repeatable: true,
    onRefusal: meaning(MISSING_PORT),
    ...options,
  });

/**
 * Lists what is banned on a port. `GET /api/banlist/{PORT}?full=true`.
 *
 * @throws {NotFoundError} when there is no such port
 */
export const list = (port: number, options?: CallOptions): Operation<Ban[]> =>
  json(listShape, {
    operation: `list the banned IPs of proxy port ${port}`,
    request: `GET /api/banlist/${port}`,
    query: { full: true },
    onRefusal: meaning(MISSING_PORT),
    ...options,
  });

/**
 * Lists the numbers of all ports that an IP can be banned on: those that listen, and the drop-in port. `GET /api/proxies`,
 * `GET /api/proxies_running`.
 */
export const everyPort =
  (options?: CallOptions): Operation<number[]> =>
  async (transport) => {
    const lists = await Promise.all([ports.list(options)(transport), ports.running(options)(transport)]);
    return [...new Set(lists.flat().map(({ port }) => Number(port)))].sort((a, b) => a - b);
  };

function bannable(ip: string): string {
  const one = bannableIp(ip);
  if (one !== undefined) return one;
  throw new ArgumentError(`${JSON.stringify(ip)} cannot be banned: expected an IPv4 address of four octets.`);
}

function some(ips: readonly string[]): string[] {
  if (ips.length === 0) throw new ArgumentError("There is no IP to ban: expected one or more.");
  return ips.map(bannable);
}

/** The scope, without the 0 milliseconds that would stand for a ban without end. */
function checked(scope: BanScope): BanScope {
  const { domain, ms } = scope;
  if (ms !== undefined && !(Number.isInteger(ms) && ms > 0 && ms <= LONGEST_BAN_MS)) {
    throw new ArgumentError(
      `The length of a ban is ${ms} ms: expected a whole number from 1 to ${LONGEST_BAN_MS}, or none for a ban without end.`,
    );
  }
  return { domain, ms };
}
