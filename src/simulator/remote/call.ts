import type { SimulatedRequest, SimulatedResponse } from "../service";
import type { Account } from "./account";
import type { RemoteBehaviour } from "./behaviour";
import { refuse } from "./refusal";
import type { ZoneRecord } from "./zone";

/** What the routes of the remote service are built on. */
export interface RemoteContext {
  readonly account: Account;
  readonly behaviour: RemoteBehaviour;
  /** Adds a route; its handler may throw a `Refused`. */
  route(method: string, pattern: string, handler: (request: SimulatedRequest) => SimulatedResponse): void;
}

/** The zone a call names, or a refusal. A name that is missing is refused like one that is unknown. */
export function namedZone(
  { account, behaviour }: RemoteContext,
  name: unknown,
  status = behaviour.unknownZoneStatus,
): ZoneRecord {
  const zone = typeof name === "string" ? account.zone(name) : undefined;
  if (zone === undefined) throw refuse(status, "Zone not found");
  return zone;
}

/**
 * The zones a call acts on: the one it names or, where it names none, all of them. The real service does that, which is
 * why the account keeps a record of it.
 */
export function zonesToChange(
  context: RemoteContext,
  request: SimulatedRequest,
  name: unknown,
  status?: number,
): ZoneRecord[] {
  if (name !== undefined && name !== null && name !== "") return [namedZone(context, name, status)];
  const zones = context.account.liveZones();
  context.account.sweeps.push({
    method: request.method,
    path: request.path,
    zones: zones.map((zone) => zone.name),
  });
  return zones;
}

/** The zones of a comma-separated list; `*`, or no list, is all. */
export function listedZones({ account }: RemoteContext, request: SimulatedRequest): ZoneRecord[] {
  const names = request.query.get("zones") ?? "*";
  if (names === "*") return account.liveZones();
  return names.split(",").flatMap((name) => account.zone(name) ?? []);
}

/** The JSON object of a body. As in Express, a body of another content type is no body at all. */
export function objectBody(request: SimulatedRequest): Record<string, unknown> {
  const body = jsonBody(request);
  return isObject(body) ? body : {};
}

export function jsonBody(request: SimulatedRequest): unknown {
  if (request.text === "" || !(request.headers["content-type"] ?? "").includes("application/json")) return undefined;
  try {
    return JSON.parse(request.text);
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
