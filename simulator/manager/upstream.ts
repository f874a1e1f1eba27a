import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { Account } from "../account/account";
import type { AllocatedIp } from "../account/zone";
import { pathOf } from "./address";
import { wishesIn, zoneIn } from "./username";

/** A request as it leaves a port. */
export interface Outgoing {
  method: string;
  url: string;
  /** By name in lower case. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** An answer, its headers by name as they are sent. */
export interface Page {
  status: number;
  reason: string;
  headers: Record<string, string>;
  body: string;
  /** How long it takes to come. */
  afterMs?: number;
}

/** Even the quickest answer takes some time. */
export const tookMs = ({ afterMs = 2 }: Page): number => afterMs;

/**
 * What the vendor's proxy and all sites behind it would answer. Nothing is passed on to anybody: every page is the vendor's test page,
 * which says where a request seems to come from, with what has reached it. `/status/404` has that status, a name
 * such as `x.html` its type, and `/delay/300` comes after 300 milliseconds.
 */
export function pageOf(account: Account, username: string, { method, url, headers, body }: Outgoing): Page {
  const zone = zoneIn(username, account);
  const wishes = wishesIn(username, zone);
  const exit = exitOf(account, username);
  const country = String(wishes.country ?? exit.country ?? "us").toUpperCase();
  const geo = { city: wishes.city ?? "", region: wishes.state ?? "", latitude: 0, longitude: 0, tz: "Etc/UTC" };
  const page = JSON.stringify({
    ip: exit.ip,
    country,
    asn: { asnum: 64496, org_name: "Simulated" },
    geo,
    upstream: { username, ...wishes },
    request: {
      method,
      url,
      headers: Object.fromEntries(seen(headers)),
      body,
    },
  });
  const pathname = pathOf(url);
  const status = Number(/^\/status\/([2-5]\d\d)$/.exec(pathname)?.[1] ?? 200);
  const [, delay] = /^\/delay\/(\d{1,5})$/.exec(pathname) ?? [];
  const type = TYPES[/\.(\w+)$/.exec(pathname)?.[1] ?? ""] ?? "application/json; charset=utf-8";
  const length = String(Buffer.byteLength(page));
  return {
    status,
    reason: status === 200 ? "OK" : (STATUS_CODES[status] ?? ""),
    headers: { "content-type": type, "content-length": length },
    body: page,
    ...(delay !== undefined && { afterMs: Number(delay) }),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "application/javascript",
  css: "text/css",
  png: "image/png",
  mp4: "video/mp4",
  woff: "font/woff",
  txt: "text/plain",
};

/** The address that a site is asked for by a request with that target. */
export const siteUrl = (scheme: string, host: string | undefined, target: string): string =>
  /^http/.test(target) ? target : `${scheme}://${host}${target}`;

const seen = (headers: Outgoing["headers"]): [string, string][] =>
  Object.entries(headers)
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim()])
    .filter(([name]) => isSeen(name));

/** Not what is between a client and its proxy, nor what says how they are connected. */
const isSeen = (name: string): boolean => !/^(proxy-|x-hola-|x-lpm-|connection$)/.test(name);

/** The headers by which the vendor tells of the exit IP. */
export function exitHeaders(account: Account, username: string): Record<string, string> {
  const ip = exitIp(account, username);
  return { "x-brd-ip": ip, "x-luminati-ip": ip };
}

export const exitIp = (account: Account, username: string): string => exitOf(account, username).ip;

/** The same for the same session, one of the zone's own where it has any, and its country where that is known. */
function exitOf(account: Account, username: string): { ip: string; country: unknown } {
  const zone = zoneIn(username, account);
  const { ip, zone: name, session } = wishesIn(username, zone);
  const owned: AllocatedIp[] = zone?.allocatedIps ?? [];
  const [a = 0, b = 0, c = 0] = createHash("sha1").update(`${name} ${session}`).digest();
  const own = ip ? owned.find((each) => each.ip === ip) : owned[a % owned.length];
  const planned = [zone?.plan.country, zone?.plan.default_country].find(
    (place) => place !== undefined && place !== "any",
  );
  return { ip: ip ? String(ip) : (own?.ip ?? `198.19.${b}.${c}`), country: own?.country ?? planned };
}
