import type { ZoneRecord } from "../remote/zone";
import { json, NEVER, text } from "../service";
import { type Answer, type ApiCall, Crash, type Operation } from "./operation";
import { updatePort } from "./ports";
import type { ManagerState } from "./state";

/** The IPs that the vendor has allocated to a zone, and those that a port uses. */
export const ipOperations = (state: ManagerState): Operation[] => [
  {
    method: "GET",
    path: "/allocated_ips",
    answer: (call) => allocated(state, call, (zone) => ({ ips: zone.allocatedIps.map(({ ip }) => ip) })),
  },
  {
    method: "GET",
    path: "/allocated_vips",
    answer: (call) => allocated(state, call, (zone) => ({ vips: zone.allocatedGips.map(({ vip }) => vip) })),
  },
  { method: "POST", path: "/refresh_ips", answer: (call) => refreshZone(state, call) },
  { method: "POST", path: "/refresh_ip/:port", answer: (call) => refreshPort(state, call) },
  { method: "POST", path: "/update_ips", answer: (call) => updateIps(state, call) },
];

/** The zone of the account, if the manager knows of it. */
const zoneOf = (state: ManagerState, name: unknown): ZoneRecord | undefined =>
  state.zones.find(name) && state.account.zone(String(name));

function allocated(state: ManagerState, { query }: ApiCall, answer: (zone: ZoneRecord) => object): Answer {
  const zone = zoneOf(state, query.get("zone"));
  return zone === undefined ? text("specified zone does not exist", 500) : json(answer(zone));
}

/** What the vendor refuses is a 200 too. */
function refreshZone(state: ManagerState, { body }: ApiCall): Answer {
  if (body.ips && !Array.isArray(body.ips)) return text("ips should be an array of IPs", 400);
  if (!state.loggedIn) throw new Crash("Cannot read properties of undefined (reading 'statusCode')");
  const zone = zoneOf(state, body.zone);
  if (zone === undefined) return json({ status: 404, error: "Zone not found" });
  const wanted = (list: unknown): string[] => (Array.isArray(list) ? list.map(String) : []);
  if (body.vips) {
    replaceGips(state, zone, wanted(body.vips));
    return json({ vips: zone.allocatedGips.map(({ vip, country }) => ({ vip, maxmind: country })) });
  }
  replaceIps(state, zone, wanted(body.ips));
  return json({ ips: zone.allocatedIps.map(({ ip, country }) => ({ ip, maxmind: country, ext: {} })) });
}

/** Also in the list of the port itself. The answer has no body, whether the vendor agreed or not. */
function refreshPort(state: ManagerState, { params, body }: ApiCall): Answer {
  const record = state.record(params.port);
  if (record === undefined) return text("Invalid port number", 400);
  const { ip, vip } = body;
  if ((ip && vip) || (!ip && !vip)) return text("Provide either IP or gIP", 400);
  if (ip && !/^\d+\.\d+\.\d+\.\d+$/.test(String(ip))) return text("Invalid IP provided", 400);
  const port = state.running.get(String(record.port));
  const zone = zoneOf(state, port?.config.zone);
  if (zone === undefined) throw new Crash("specified zone does not exist");
  const replaced = ip ? replaceIps(state, zone, [String(ip)]) : replaceGips(state, zone, [String(vip)]);
  for (const fields of [record, port?.config]) {
    if (Array.isArray(fields?.ips)) fields.ips = fields.ips.map((each) => replaced.get(each) ?? each);
  }
  if (port !== undefined) port.sessions++;
  for (const [old, fresh] of replaced) state.log("MNGR", `IP has been refreshed ${old} -> ${fresh}`);
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" } };
}

/** Gives the zone other IPs in place of those listed, or of all. @returns new by old */
function replaceIps(state: ManagerState, zone: ZoneRecord, wanted: readonly string[]): Map<string, string> {
  const replaced = new Map<string, string>();
  zone.allocatedIps = zone.allocatedIps.map((old) => {
    if (wanted.length > 0 && !wanted.includes(old.ip)) return old;
    const [fresh = old] = state.account.allocateIps(1, old.country, old.city);
    replaced.set(old.ip, fresh.ip);
    return fresh;
  });
  return replaced;
}

function replaceGips(state: ManagerState, zone: ZoneRecord, wanted: readonly string[]): Map<string, string> {
  const replaced = new Map<string, string>();
  zone.allocatedGips = zone.allocatedGips.map((old) => {
    if (wanted.length > 0 && !wanted.includes(old.vip)) return old;
    const [fresh = old] = state.account.allocateGips(1, old.country);
    replaced.set(old.vip, fresh.vip);
    return fresh;
  });
  return replaced;
}

/** Of an unknown port the call is never answered. */
function updateIps(state: ManagerState, { body }: ApiCall): Answer {
  const record = state.record(body.port);
  if (record === undefined) return NEVER;
  updatePort(state, record, { ips: body.ips || [], vips: body.vips || [] });
  return text("ok");
}
