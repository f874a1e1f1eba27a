import { BlockList, isIPv4 } from "node:net";
import type { Account } from "../account/account";
import type { ZoneRecord } from "../account/zone";
import { covers, parseBlock } from "./netmask";
import type { Page } from "./upstream";
import { PREFIXES, parseUsername, zoneIn } from "./username";

/** Who comes to the vendor's proxy, and where to. */
export interface Comer {
  username: string;
  password: string;
  /** URL, or `host:port` of a tunnel. */
  url: string;
  address: string;
}

/** The answer of the vendor's proxy to whom it does not let through; `undefined` to all others. */
export function turnedAway(account: Account, { username, password, url, address }: Comer): Page | undefined {
  // Another vendor's proxy has users of its own.
  if (!PREFIXES.some((prefix) => username.startsWith(`${prefix}-`))) return undefined;
  const { balance, credit, prepayment } = account.balance;
  if (parseUsername(username).customer !== account.customer) return refused(407, "Wrong customer name");
  const zone = zoneIn(username, account);
  if (zone === undefined || zone.status !== "active") return refused(407, "Zone not found, or not active");
  if (!zone.password.includes(password)) return refused(407, "Wrong password");
  if (!isLetIn(zone, address)) return refused(407, `${address} may not use the zone`);
  if (balance + credit + prepayment <= 0) return refused(402, "Account is suspended: no funds");
  return isDomainAllowed(zone, hostOf(url)) ? undefined : refused(403, "The zone may not ask for this domain");
}

const isLetIn = ({ ips, deniedIps }: ZoneRecord, address: string): boolean =>
  (ips.includes("any") || isAmong(ips, address)) && !isAmong(deniedIps, address);

const isAmong = (list: readonly string[], address: string): boolean =>
  list.some((text) => {
    const [first = "", last] = text.split("-");
    if (last !== undefined) return isIPv4(first) && isBetween(first, last, address);
    const block = parseBlock(text);
    return block !== undefined && covers(block, address);
  });

function isBetween(first: string, last: string, address: string): boolean {
  const range = new BlockList();
  range.addRange(first, last);
  return range.check(address);
}

const hostOf = (url: string): string => /^(?:https?:\/\/)?([^:/?]+)/.exec(url)?.[1] ?? "";

function isDomainAllowed({ domains: { whitelist, blacklist } }: ZoneRecord, host: string): boolean {
  const has = (list: readonly string[]) => list.some((domain) => host === domain || host.endsWith(`.${domain}`));
  return (whitelist.length === 0 || has(whitelist)) && !has(blacklist);
}

const refused = (status: number, why: string): Page => ({
  status,
  reason: status === 407 ? "Proxy Authentication Required" : "Forbidden",
  headers: { "x-brd-err-msg": why, "content-length": "0" },
  body: "",
});
