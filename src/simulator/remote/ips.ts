import { json, text } from "../service";
import { namedZone, objectBody, type RemoteContext, textList } from "./call";
import { shows } from "./hidden";
import { hasGips, isTrue } from "./plan";
import { refuse } from "./refusal";
import type { AllocatedIp, ZoneRecord } from "./zone";

/** Lists, adds, removes, moves and refreshes the proxy IPs and gIPs of a zone. */
export function addIpRoutes(context: RemoteContext): void {
  const { account, behaviour, route } = context;

  const staticZone = (name: unknown): ZoneRecord => {
    const zone = namedZone(context, name);
    if (zone.plan.type !== "static") throw refuse(400, "Wrong zone plan");
    return zone;
  };

  const shownIps = ({ allocatedIps }: ZoneRecord): AllocatedIp[] =>
    allocatedIps.filter((allocated) => shows(allocated, account.clock()));

  route("GET", "/zone/ips", (request) => {
    const ips = shownIps(staticZone(request.query.get("zone")));
    if (request.query.get("ip_per_country") === "true") return json(countByCountry(ips));
    return json({ ips: ips.map(withGeolocation) });
  });

  route("GET", "/zone/route_ips", (request) => {
    const zone = namedZone(context, request.query.get("zone"));
    const country = request.query.get("country");
    const ips = shownIps(zone).filter((allocated) => country === null || allocated.country === country);
    if (request.query.get("list_countries") === "true") return json(ips.map(({ ip, country }) => ({ ip, country })));
    return text(addresses(ips).join("\n"), 200, "text/plain; charset=utf-8");
  });

  route("GET", "/zone/route_vips", (request) => {
    const zone = namedZone(context, request.query.get("zone"));
    if (zone.plan.type === "static") throw refuse(403, "Vip routes not found");
    if (!hasGips(zone.plan) || !isTrue(zone.plan.vip)) throw refuse(422, "endpoint not available with the chosen zone");
    return json(zone.allocatedGips.map((gip) => gip.vip));
  });

  route("POST", "/zone/ips", (request) => {
    const body = objectBody(request);
    if (body.customer !== account.customer) throw refuse(400, "Wrong customer");
    const zone = staticZone(body.zone);
    const count = Number(body.count);
    if (!Number.isInteger(count) || count < 1) throw refuse(400, "count should be a positive integer");
    if (count > behaviour.availableIps) throw refuse(400, "no IPs available");
    const added = account.allocateIps(count, body.country ?? zone.plan.country, body.country_city);
    for (const allocated of added) allocated.hiddenReads = behaviour.addedIpsVisibleAfterReads;
    keepIps(zone, [...zone.allocatedIps, ...added]);
    return json({ ips: addresses(zone.allocatedIps), new_ips: addresses(added) });
  });

  route("DELETE", "/zone/ips", (request) => {
    const body = objectBody(request);
    const zone = staticZone(body.zone);
    const unwanted = ownedIps(zone, body.ips);
    keepIps(
      zone,
      zone.allocatedIps.filter((allocated) => !unwanted.includes(allocated.ip)),
    );
    return json({ ips: addresses(zone.allocatedIps) });
  });

  route("DELETE", "/zone/vips", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone);
    const unwanted = ownedGips(zone, body.gips);
    zone.allocatedGips = zone.allocatedGips.filter((gip) => !unwanted.includes(gip.vip));
    zone.plan.vips = zone.allocatedGips.length;
    return json(zone.allocatedGips.map((gip) => gip.vip));
  });

  route("POST", "/zone/ips/migrate", (request) => {
    const body = objectBody(request);
    const from = staticZone(body.from);
    const to = staticZone(body.to);
    const moving = ownedIps(from, body.ips);
    const moved = from.allocatedIps.filter((allocated) => moving.includes(allocated.ip));
    keepIps(
      from,
      from.allocatedIps.filter((allocated) => !moved.includes(allocated)),
    );
    keepIps(to, [...to.allocatedIps, ...moved]);
    return json({ from: from.name, to: to.name, count: moved.length });
  });

  route("POST", "/zone/ips/refresh", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone);
    if (hasGips(zone.plan)) return json({ vips: refreshGips(zone, body) });
    if (zone.allocatedIps.length === 0) throw refuse(400, "Wrong zone plan");
    return json(refreshIps(zone, body));
  });

  route("GET", "/zone/ips/unavailable", () => json(unavailable(account.liveZones())));

  route("GET", "/zone/proxies_pending_replacement", (request) =>
    json(unavailable([namedZone(context, request.query.get("zone"))])),
  );

  /** A list that is left out means all of the zone's IPs. */
  function refreshIps(zone: ZoneRecord, body: Record<string, unknown>) {
    const stale = body.ips === undefined ? addresses(zone.allocatedIps) : ownedIps(zone, body.ips);
    const added: string[] = [];
    keepIps(
      zone,
      zone.allocatedIps.flatMap((allocated) => {
        if (!stale.includes(allocated.ip)) return allocated;
        const fresh = account.allocateIps(1, body.country ?? allocated.country, body.country_city ?? allocated.city);
        added.push(...addresses(fresh));
        return fresh;
      }),
    );
    return { ips: addresses(zone.allocatedIps), new_ips: added };
  }

  function refreshGips(zone: ZoneRecord, body: Record<string, unknown>) {
    const stale = body.vips === undefined ? zone.allocatedGips.map((gip) => gip.vip) : ownedGips(zone, body.vips);
    zone.allocatedGips = zone.allocatedGips.flatMap((gip) =>
      stale.includes(gip.vip) ? account.allocateGips(1, body.country ?? gip.country) : gip,
    );
    return zone.allocatedGips;
  }
}

function keepIps(zone: ZoneRecord, ips: AllocatedIp[]): void {
  zone.allocatedIps = ips;
  zone.plan.ips = ips.length;
}

function ownedIps(zone: ZoneRecord, ips: unknown): string[] {
  const named = textList(ips, "ips should be a list of IPs");
  if (!named.every((ip) => zone.allocatedIps.some((allocated) => allocated.ip === ip)))
    throw refuse(400, "IP not found in zone");
  return named;
}

function ownedGips(zone: ZoneRecord, gips: unknown): string[] {
  const named = textList(gips, "gIPs should be a list of gIPs");
  if (!named.every((vip) => zone.allocatedGips.some((gip) => gip.vip === vip)))
    throw refuse(400, "gIP not found in zone");
  return named;
}

const addresses = (ips: AllocatedIp[]): string[] => ips.map((allocated) => allocated.ip);

/** Where an IP is depends on whom one asks; the simulator's sources agree. */
const withGeolocation = ({ ip, country }: AllocatedIp) => ({
  ip,
  maxmind: country,
  ext: { dbip: country, ip2location: country, google: country },
});

function countByCountry(ips: AllocatedIp[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { country } of ips) counts[country] = (counts[country] ?? 0) + 1;
  return counts;
}

const unavailable = (zones: ZoneRecord[]) =>
  Object.fromEntries(
    zones.filter((zone) => zone.unavailableIps.length > 0).map((zone) => [zone.name, zone.unavailableIps]),
  );
