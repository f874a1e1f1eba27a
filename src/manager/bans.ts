import { z } from "zod";
import { ArgumentError, NotFoundError, type Refusal, type RequestContext } from "../base/errors";
import { bannableIp } from "../declaration/formats";
import { optional, present } from "../http/optional";
import { EMPTY, OK } from "../http/success";
import type { CallOptions, Transport } from "../http/transport";
import type { Ban } from "../model/ban";
import * as ports from "./ports";
import { missingPort } from "./refusals";

/** What a ban is about, besides the IPs. */
export interface BanScope {
  /** The target host that the IPs are not used for. Default: any. */
  domain?: string | undefined;
  /** For how long, in milliseconds. Default: until the manager restarts. */
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
const listShape = z.object({
  ips: z.array(
    z.union([
      // In the short form `ip|domain`.
      z
        .string()
        .transform((short) => short.split("|"))
        .pipe(z.tuple([ip], domain))
        .transform(([ip, domain]) => ({ ip, domain, to: undefined })),
      z.object({ ip, domain: optional(domain), to: optional(moment) }),
    ]),
  ),
});

/**
 * Bans an IP on a port. `POST /api/proxies/{PORT}/banip`.
 *
 * @throws {NotFoundError} when there is no such port
 * @throws {ArgumentError} for what is no IP
 *
 * @example
 * await client.bans.add(24000, { ip: "203.0.113.7", domain: "example.com", ms: 60_000 });
 */
export async function add(
  transport: Transport,
  port: number,
  request: BanRequest,
  options: CallOptions = {},
): Promise<void> {
  const { ip, ...scope } = request;
  await transport.send(
    {
      operation: `ban ${ip} on proxy port ${port}`,
      method: "POST",
      path: `/api/proxies/${port}/banip`,
      body: { ip: bannable(ip), ...checked(scope) },
      repeatable: true,
      onRefusal: missingPort,
      ...options,
    },
    EMPTY,
  );
}

/**
 * Bans several IPs on a port. The manager passes over those that are none without a word; here they are refused.
 * `POST /api/proxies/{PORT}/banips`.
 *
 * @throws {NotFoundError} when there is no such port
 * @throws {ArgumentError} for an empty list, and for what is no IP
 */
export async function addAll(
  transport: Transport,
  port: number,
  request: BansRequest,
  options: CallOptions = {},
): Promise<void> {
  const { ips, ...scope } = request;
  await transport.send(
    {
      operation: `ban IPs on proxy port ${port}`,
      method: "POST",
      path: `/api/proxies/${port}/banips`,
      body: { ips: some(ips), ...checked(scope) },
      repeatable: true,
      onRefusal: missingPort,
      ...options,
    },
    EMPTY,
  );
}

/**
 * Bans IPs on every port that listens, the drop-in port included. The ports are listed first: without their numbers the
 * manager would ban on none of them. `GET /api/proxies`, `GET /api/proxies_running`, `POST /api/banip`.
 *
 * @returns the numbers of the ports
 * @throws {ArgumentError} for an empty list, and for what is no IP
 */
export async function addEverywhere(
  transport: Transport,
  request: BansRequest,
  options: CallOptions = {},
): Promise<number[]> {
  const { ips, ...scope } = request;
  const body = { ips: some(ips), ...checked(scope) };
  const numbers = await everyPort(transport, options);
  if (numbers.length > 0) {
    await transport.send(
      {
        operation: "ban IPs on all proxy ports",
        method: "POST",
        path: "/api/banip",
        body: { ...body, ports: numbers },
        repeatable: true,
        ...options,
      },
      EMPTY,
    );
  }
  return numbers;
}

/**
 * Lifts the ban of one IP on a port: that for the given host, or that for any host. Where only others are in force, nothing
 * happens: they are in what is returned. `POST /api/proxies/{PORT}/unbanip`.
 *
 * @returns what is still banned on the port
 * @throws {NotFoundError} when the IP is not banned there at all, or when there is no such port
 */
export async function remove(
  transport: Transport,
  port: number,
  ban: { ip: string; domain?: string | undefined },
  options: CallOptions = {},
): Promise<Ban[]> {
  const { ips } = await transport.json(
    {
      operation: `lift the ban of ${ban.ip} on proxy port ${port}`,
      method: "POST",
      path: `/api/proxies/${port}/unbanip`,
      body: { ip: bannable(ban.ip), domain: ban.domain },
      onRefusal: notBanned,
      ...options,
    },
    listShape,
  );
  return ips.map(banOf);
}

/**
 * Lifts every ban on a port; none is no error. `POST /api/proxies/{PORT}/unbanips`.
 *
 * @throws {NotFoundError} when there is no such port
 */
export async function removeAll(transport: Transport, port: number, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `lift all bans on proxy port ${port}`,
      method: "POST",
      path: `/api/proxies/${port}/unbanips`,
      repeatable: true,
      onRefusal: missingPort,
      ...options,
    },
    OK,
  );
}

/**
 * Lists what is banned on a port. `GET /api/banlist/{PORT}?full=true`.
 *
 * @throws {NotFoundError} when there is no such port
 */
export async function list(transport: Transport, port: number, options: CallOptions = {}): Promise<Ban[]> {
  const { ips } = await transport.json(
    {
      operation: `list the banned IPs of proxy port ${port}`,
      method: "GET",
      path: `/api/banlist/${port}`,
      query: { full: true },
      onRefusal: missingPort,
      ...options,
    },
    listShape,
  );
  return ips.map(banOf);
}

type ListedBan = z.output<typeof listShape>["ips"][number];

const banOf = ({ ip, domain, to }: ListedBan): Ban =>
  present({ ip, domain: domain || undefined, until: to?.toISOString() });

const notBanned = (refusal: Refusal, context: RequestContext) =>
  /not banned/i.test(refusal.message) ? new NotFoundError(context, refusal) : missingPort(refusal, context);

/**
 * Lists the numbers of all ports that an IP can be banned on: those that listen, and the drop-in port. `GET /api/proxies`,
 * `GET /api/proxies_running`.
 */
export async function everyPort(transport: Transport, options: CallOptions = {}): Promise<number[]> {
  const lists = await Promise.all([ports.list(transport, options), ports.running(transport, options)]);
  return [...new Set(lists.flat().map(({ port }) => Number(port)))].sort((a, b) => a - b);
}

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
  if (ms !== undefined && !(Number.isSafeInteger(ms) && ms > 0)) {
    throw new ArgumentError(`The length of a ban is ${ms} ms: expected a whole number from 1 on, or none.`);
  }
  return { domain, ms };
}
