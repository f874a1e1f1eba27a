import { BlockList, isIP } from "node:net";
import type { ZoneRecord } from "../account/zone";
import { json, type SimulatedResponse, text } from "../service";
import {
  type Call,
  listedZones,
  listsByZone,
  namedZone,
  objectBody,
  type Routes,
  textList,
  zonesToChange,
} from "./call";
import { refuse } from "./refusal";

/** Which clients may use a zone, and which target domains may be asked for. */
export const accessRoutes: Routes = {
  "GET /zone/whitelist": (call) => listsByZone(listedZones(call), (zone) => zone.ips),
  "POST /zone/whitelist": (call) => changeClients(call, 201, allow),
  "DELETE /zone/whitelist": (call) => changeClients(call, 200, allowNoMore),
  "GET /zone/blacklist": (call) => listsByZone(listedZones(call), (zone) => zone.deniedIps),
  "POST /zone/blacklist": (call) => changeClients(call, 201, deny),
  "DELETE /zone/blacklist": (call) => changeClients(call, 200, denyNoMore),
  "POST /zone/domain_perm": addDomains,
  "DELETE /zone/domain_perm": removeDomains,
};

function changeClients(
  call: Call,
  status: number,
  change: (zone: ZoneRecord, ips: string[]) => void,
): SimulatedResponse {
  const { ip, zone: name } = objectBody(call);
  const ips = clientIps(ip);
  for (const zone of zonesToChange(call, name)) change(zone, ips);
  return text("", status);
}

/** `any` stands for an open zone; it goes when the first address comes, and the other way round. */
function allow(zone: ZoneRecord, ips: string[]): void {
  zone.ips = ips.includes("any") ? ["any"] : union(without(zone.ips, ["any"]), ips);
}

function allowNoMore(zone: ZoneRecord, ips: string[]): void {
  const remaining = without(zone.ips, ips);
  zone.ips = remaining.length === 0 ? ["any"] : remaining;
}

function deny(zone: ZoneRecord, ips: string[]): void {
  zone.deniedIps = union(zone.deniedIps, ips);
}

function denyNoMore(zone: ZoneRecord, ips: string[]): void {
  zone.deniedIps = without(zone.deniedIps, ips);
}

function addDomains(call: Call): SimulatedResponse {
  const { zone, list, domains } = domainChange(call);
  zone.domains[list] = union(zone.domains[list], domains);
  return text("", 201);
}

function removeDomains(call: Call): SimulatedResponse {
  const { zone, list, domains } = domainChange(call);
  if (domains.length === 0) throw refuse(400, "domain is required");
  zone.domains[list] = without(zone.domains[list], domains);
  return json({ [list]: zone.domains[list].join(" ") });
}

/** Domains are written in one string, separated by spaces. */
function domainChange(call: Call) {
  const { zone: name, type: list, domain = "" } = objectBody(call);
  const zone = namedZone(call, name);
  if (list !== "whitelist" && list !== "blacklist") throw refuse(400, "type should be whitelist or blacklist");
  if (typeof domain !== "string") throw refuse(400, "domain should be a string");
  return { zone, list, domains: domain.split(/\s+/).filter((name) => name !== "") } as const;
}

function clientIps(ip: unknown): string[] {
  const ips = textList(ip, "ip is required");
  if (!ips.every((written) => written === "any" || isClientIp(written))) throw refuse(400, "Invalid IP");
  return ips;
}

/** An address, a range `a-b`, or a network with the length of its prefix or with its netmask. */
function isClientIp(written: string): boolean {
  const [first = "", last, ...more] = written.split(/[-/]/);
  if (more.length > 0 || isIP(first) === 0) return false;
  if (last === undefined) return true;
  if (isIP(last) === isIP(first)) return written.includes("/") || isRange(first, last);
  const longest = isIP(first) === 4 ? 32 : 128;
  return written.includes("/") && /^\d{1,3}$/.test(last) && Number(last) <= longest;
}

/** Whether the first address is not behind the last. */
function isRange(first: string, last: string): boolean {
  try {
    new BlockList().addRange(first, last, isIP(first) === 4 ? "ipv4" : "ipv6");
    return true;
  } catch {
    return false;
  }
}

const union = (list: string[], more: string[]): string[] => [...new Set([...list, ...more])];

const without = (list: string[], unwanted: string[]): string[] => list.filter((item) => !unwanted.includes(item));
