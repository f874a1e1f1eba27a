import type { ZoneRecord } from "../account/zone";
import { type Answer, json, NEVER, text } from "../service";
import { Crash } from "./crash";
import { updatePort } from "./ports";
import type { ApiCall, Routes } from "./route";
import type { ManagerState } from "./state";

/** The IPs that the vendor has allocated to a zone, and those that a port uses. */
export const ipRoutes: Routes = {
  "GET /allocated_ips": (state, call) =>
    allocated(state, call, ({ allocatedIps }) => ({ ips: allocatedIps.map(({ ip }) => ip) })),
  "GET /allocated_vips": (state, call) =>
    allocated(state, call, ({ allocatedGips }) => ({ vips: allocatedGips.map(({ vip }) => vip) })),
  "POST /refresh_ips": refreshZone,
  "POST /refresh_ip/:port": refreshPort,
  "POST /update_ips": updateIps,
};

/** The zone of the account, if the manager knows of it. */
const zoneOf = (state: ManagerState, name: unknown): ZoneRecord | undefined =>
  state.zones.find(name) && state.account.zone(String(name));

function allocated(state: ManagerState, { query }: ApiCall, answer: (zone: ZoneRecord) => object): Answer {
  const zone = zoneOf(state, query.getAll("zone").join());
  return zone === undefined ? text("specified zone does not exist", 500) : json(answer(zone));
}

/** What the vendor refuses is a 200 too. */
function refreshZone(state: ManagerState, { body }: ApiCall): Answer {
  if (body.ips && !Array.isArray(body.ips)) return text("ips should be an array of IPs", 400);
  if (!state.loggedIn) throw new Crash("Cannot read properties of undefined (reading 'statusCode')");
  const zone = zoneOf(state, body.zone);
  if (zone === undefined) return json({ status: 404, error: "Zone not found" });
  const { account } = state;
  const owned = body.vips ? zone.allocatedGips.map(({ vip }) => vip) : zone.allocatedIps.map(({ ip }) => ip);
  const listed = body.vips || body.ips;
  const stale = Array.isArray(listed) && listed.length > 0 ? listed.map(String) : owned;
  if (body.vips) {
    account.refreshGips(zone, stale);
    return json({ vips: zone.allocatedGips.map(({ vip, country }) => ({ vip, maxmind: country })) });
  }
  account.refreshIps(zone, stale);
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
  const { account } = state;
  const replaced = ip ? account.refreshIps(zone, [String(ip)]) : account.refreshGips(zone, [String(vip)]);
  for (const fields of [record, port?.config]) {
    if (Array.isArray(fields?.ips)) fields.ips = fields.ips.map((each) => replaced.get(each) ?? each);
  }
  port?.renewSession();
  for (const [old, fresh] of replaced) state.log("MNGR", `IP has been refreshed ${old} -> ${fresh}`);
  return { status: 200, headers: { "content-type": "application/json; charset=utf-8" } };
}

/** Of an unknown port the call is never answered. */
async function updateIps(state: ManagerState, { body }: ApiCall): Promise<Answer> {
  const record = state.record(body.port);
  if (record === undefined) return NEVER;
  await updatePort(state, record, { ips: body.ips || [], vips: body.vips || [] });
  return text("ok");
}
