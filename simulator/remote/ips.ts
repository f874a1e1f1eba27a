import { shows } from "../account/hidden";
import { hasGips, isTrue } from "../account/plan";
import type { AllocatedIp, ZoneRecord } from "../account/zone";
import { json, type SimulatedResponse, text } from "../service";
import { type Call, listsByZone, namedZone, objectBody, queriedZone, type Routes, textList } from "./call";
import { refuse } from "./refusal";

/** The proxy IPs of a zone, and its dedicated residential IPs, which the service calls gIPs or vips. */
export const ipRoutes: Routes = {
  "GET /zone/ips": list,
  "POST /zone/ips": add,
  "DELETE /zone/ips": remove,
  "POST /zone/ips/migrate": migrate,
  "POST /zone/ips/refresh": refresh,
  "GET /zone/ips/unavailable": ({ account }) => listsByZone(account.liveZones(), (zone) => zone.unavailableIps),
  "GET /zone/proxies_pending_replacement": (call) => listsByZone([queriedZone(call)], (zone) => zone.unavailableIps),
  "GET /zone/route_ips": listRoutes,
  "GET /zone/route_vips": listGipRoutes,
  "DELETE /zone/vips": removeGips,
};

function list(call: Call): SimulatedResponse {
  const ips = shownIps(call, staticZone(call, call.query.get("zone")));
  return json(call.query.get("ip_per_country") === "true" ? countByCountry(ips) : { ips: ips.map(withGeolocation) });
}

function listRoutes(call: Call): SimulatedResponse {
  const zone = queriedZone(call);
  const wanted = call.query.get("country");
  const ips = shownIps(call, zone).filter(({ country }) => wanted === null || country === wanted);
  if (call.query.get("list_countries") === "true") return json(ips.map(({ ip, country }) => ({ ip, country })));
  return text(ips.map(addressOf).join("\n"), 200, "text/plain; charset=utf-8");
}

function listGipRoutes(call: Call): SimulatedResponse {
  const { plan, allocatedGips } = queriedZone(call);
  if (plan.type === "static") throw refuse(403, "Vip routes not found");
  if (!hasGips(plan) || !isTrue(plan.vip)) throw refuse(422, "endpoint not available with the chosen zone");
  return json(allocatedGips.map(({ vip }) => vip));
}

function add(call: Call): SimulatedResponse {
  const { account, behaviour } = call;
  const body = objectBody(call);
  if (body.customer !== account.customer) throw refuse(400, "Wrong customer");
  const zone = staticZone(call, body.zone);
  const count = Number(body.count);
  if (!Number.isInteger(count) || count < 1) throw refuse(400, "count should be a positive integer");
  if (count > behaviour.availableIps) throw refuse(400, "no IPs available");
  const added = account.allocateIps(count, body.country ?? zone.plan.country, body.country_city);
  for (const allocated of added) allocated.hiddenReads = behaviour.addedIpsVisibleAfterReads;
  keepIps(zone, [...zone.allocatedIps, ...added]);
  return json({ ips: zone.allocatedIps.map(addressOf), new_ips: added.map(addressOf) });
}

function remove(call: Call): SimulatedResponse {
  const body = objectBody(call);
  const zone = staticZone(call, body.zone);
  takeIps(zone, body.ips);
  return json({ ips: zone.allocatedIps.map(addressOf) });
}

function migrate(call: Call): SimulatedResponse {
  const body = objectBody(call);
  const from = staticZone(call, body.from);
  const to = staticZone(call, body.to);
  const moved = takeIps(from, body.ips);
  keepIps(to, [...to.allocatedIps, ...moved]);
  return json({ from: from.name, to: to.name, count: moved.length });
}

function removeGips(call: Call): SimulatedResponse {
  const body = objectBody(call);
  const zone = namedZone(call, body.zone);
  const unwanted = ownedGips(zone, body.gips);
  zone.allocatedGips = zone.allocatedGips.filter(({ vip }) => !unwanted.includes(vip));
  zone.plan.vips = zone.allocatedGips.length;
  return json(zone.allocatedGips.map(({ vip }) => vip));
}

/** A list that is left out means all of the zone's IPs, or gIPs. */
function refresh(call: Call): SimulatedResponse {
  const { zone: name, ips, vips, country, country_city } = objectBody(call);
  const zone = namedZone(call, name);
  if (hasGips(zone.plan)) {
    const stale = vips === undefined ? zone.allocatedGips.map(({ vip }) => vip) : ownedGips(zone, vips);
    call.account.refreshGips(zone, stale, country);
    return json({ vips: zone.allocatedGips });
  }
  if (zone.allocatedIps.length === 0) throw refuse(400, "Wrong zone plan");
  const stale = ips === undefined ? zone.allocatedIps.map(addressOf) : ownedIps(zone, ips);
  const fresh = call.account.refreshIps(zone, stale, country, country_city);
  return json({ ips: zone.allocatedIps.map(addressOf), new_ips: [...fresh.values()] });
}

function staticZone(call: Call, name: unknown): ZoneRecord {
  const zone = namedZone(call, name);
  if (zone.plan.type !== "static") throw refuse(400, "Wrong zone plan");
  return zone;
}

const shownIps = ({ account }: Call, { allocatedIps }: ZoneRecord): AllocatedIp[] =>
  allocatedIps.filter((allocated) => shows(allocated, account.clock()));

function keepIps(zone: ZoneRecord, ips: AllocatedIp[]): void {
  zone.allocatedIps = ips;
  zone.plan.ips = ips.length;
}

function takeIps(zone: ZoneRecord, ips: unknown): AllocatedIp[] {
  const named = ownedIps(zone, ips);
  const taken = zone.allocatedIps.filter(({ ip }) => named.includes(ip));
  keepIps(
    zone,
    zone.allocatedIps.filter((allocated) => !taken.includes(allocated)),
  );
  return taken;
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

const addressOf = ({ ip }: AllocatedIp): string => ip;

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
