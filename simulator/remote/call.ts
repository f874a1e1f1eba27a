import type { Account } from "../account/account";
import type { ZoneRecord } from "../account/zone";
import { json, type SimulatedRequest, type SimulatedResponse } from "../service";
import type { RemoteBehaviour } from "./behaviour";
import { refuse } from "./refusal";

/** A request to the remote service, and what it is answered from. */
export interface Call extends SimulatedRequest {
  readonly account: Account;
  readonly behaviour: RemoteBehaviour;
}

/** What answers a method and path, such as `GET /zone`. It may throw a `Refused`. */
export type Routes = Readonly<Record<string, (call: Call) => SimulatedResponse>>;

/** The zone of that name, or a refusal. A name that is missing is refused like one that is unknown. */
export function namedZone(
  { account, behaviour }: Call,
  name: unknown,
  status = behaviour.unknownZoneStatus,
): ZoneRecord {
  const zone = typeof name === "string" ? account.zone(name) : undefined;
  if (zone === undefined) throw refuse(status, "Zone not found");
  return zone;
}

export const queriedZone = (call: Call, status?: number): ZoneRecord => namedZone(call, call.query.get("zone"), status);

/**
 * The zones a call acts on: the one it names or, where it names none, all of them. The real service does that, which is
 * why the account keeps a record of it.
 */
export function zonesToChange(call: Call, name: unknown, status?: number): ZoneRecord[] {
  if (name !== undefined && name !== null && name !== "") return [namedZone(call, name, status)];
  const { account, method, path } = call;
  const zones = account.liveZones();
  account.sweeps.push({ method, path, zones: zones.map((zone) => zone.name) });
  return zones;
}

/** The zones of a comma-separated list; `*`, or no list, is all. */
export function listedZones({ account, query }: Call): ZoneRecord[] {
  const names = query.get("zones") ?? "*";
  if (names === "*") return account.liveZones();
  return names.split(",").flatMap((name) => account.zone(name) ?? []);
}

/** A list of each zone that has one, by the zone's name. */
export const listsByZone = (zones: ZoneRecord[], list: (zone: ZoneRecord) => string[]): SimulatedResponse =>
  json(Object.fromEntries(zones.filter((zone) => list(zone).length > 0).map((zone) => [zone.name, list(zone)])));

/** The JSON object of a body. As in Express, a body of another content type is no body at all. */
export function objectBody(call: Call): Record<string, unknown> {
  const body = jsonBody(call);
  return isObject(body) ? body : {};
}

export function jsonBody({ text, headers }: Pick<SimulatedRequest, "text" | "headers">): unknown {
  if (text === "" || !(headers["content-type"] ?? "").includes("application/json")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, "Invalid JSON");
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list that may also be written as its one element. */
export function textList(value: unknown, message: string): string[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.length === 0 || !list.every((item): item is string => typeof item === "string" && item !== ""))
    throw refuse(400, message);
  return list;
}
