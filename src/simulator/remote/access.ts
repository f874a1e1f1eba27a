import { isIP } from "node:net";
import { json, text } from "../service";
import { listedZones, namedZone, objectBody, type RemoteContext, textList, zonesToChange } from "./call";
import { refuse } from "./refusal";
import type { ZoneRecord } from "./zone";

/** Says which clients may use a zone, and which target domains may be asked for. */
export function addAccessRoutes(context: RemoteContext): void {
  const { route } = context;

  route("GET", "/zone/whitelist", (request) => json(byZone(listedZones(context, request), (zone) => zone.ips)));
  route("GET", "/zone/blacklist", (request) => json(byZone(listedZones(context, request), (zone) => zone.deniedIps)));

  route("POST", "/zone/whitelist", (request) => {
    const body = objectBody(request);
    const ips = clientIps(body.ip);
    for (const zone of zonesToChange(context, request, body.zone)) {
      // `any` stands for an open zone; it goes when the first address comes, and the other way round.
      zone.ips = ips.includes("any") ? ["any"] : union(without(zone.ips, ["any"]), ips);
    }
    return text("", 201);
  });

  route("DELETE", "/zone/whitelist", (request) => {
    const body = objectBody(request);
    const ips = clientIps(body.ip);
    for (const zone of zonesToChange(context, request, body.zone)) {
      const remaining = without(zone.ips, ips);
      zone.ips = remaining.length === 0 ? ["any"] : remaining;
    }
    return text("");
  });

  route("POST", "/zone/blacklist", (request) => {
    const body = objectBody(request);
    const ips = clientIps(body.ip);
    for (const zone of zonesToChange(context, request, body.zone)) zone.deniedIps = union(zone.deniedIps, ips);
    return text("", 201);
  });

  route("DELETE", "/zone/blacklist", (request) => {
    const body = objectBody(request);
    const ips = clientIps(body.ip);
    for (const zone of zonesToChange(context, request, body.zone)) zone.deniedIps = without(zone.deniedIps, ips);
    return text("");
  });

  route("POST", "/zone/domain_perm", (request) => {
    const { zone, list, domains } = domainChange(context, objectBody(request));
    zone.domains[list] = union(zone.domains[list], domains);
    return text("", 201);
  });

  route("DELETE", "/zone/domain_perm", (request) => {
    const { zone, list, domains } = domainChange(context, objectBody(request));
    if (domains.length === 0) throw refuse(400, "domain is required");
    zone.domains[list] = without(zone.domains[list], domains);
    return json({ [list]: zone.domains[list].join(" ") });
  });
}

/** Domains are written in one string, separated by spaces. */
function domainChange(context: RemoteContext, body: Record<string, unknown>) {
  const zone = namedZone(context, body.zone);
  const list = body.type;
  if (list !== "whitelist" && list !== "blacklist") throw refuse(400, "type should be whitelist or blacklist");
  const { domain = "" } = body;
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
  if (last === undefined || isIP(last) === isIP(first)) return true;
  const longest = isIP(first) === 4 ? 32 : 128;
  return written.includes("/") && /^\d{1,3}$/.test(last) && Number(last) <= longest;
}

const union = (list: string[], more: string[]): string[] => [...new Set([...list, ...more])];

const without = (list: string[], unwanted: string[]): string[] => list.filter((item) => !unwanted.includes(item));

const byZone = (zones: ZoneRecord[], list: (zone: ZoneRecord) => string[]) =>
  Object.fromEntries(zones.filter((zone) => list(zone).length > 0).map((zone) => [zone.name, list(zone)]));
