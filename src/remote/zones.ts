import { z } from "zod";
import { AlreadyExistsError, NotFoundError, PermissionError, type Refusal, type RequestContext } from "../base/errors";
import { declared } from "../http/declared";
import { optional, present } from "../http/optional";
import { ANYTHING } from "../http/success";
import type { Call, CallOptions, Transport } from "../http/transport";
import type { Plan } from "../model/plan";
import { type PlainZone, type ZoneSummary, zoneSummary } from "../model/zone";
import { type ZoneNames, zonesQuery } from "./names";
import { fromServicePlan, toServicePlan } from "./plan";

/** A zone as `GET /zone` describes it, normalised. */
export interface ZoneDetails extends PlainZone {
  /** Secret. The proxies accept any of them. */
  passwords: string[];
}

/** What `POST /zone` takes. */
export interface NewZone {
  name: string;
  type?: string;
  plan: Plan;
}

const strings = z.union([z.array(z.string()), z.string().transform((one) => [one])]);

const zoneShape = z.looseObject({
  created: optional(z.string()),
  password: optional(strings),
  ips: optional(strings),
  perm: optional(z.string()),
  description: optional(z.string()),
  plan: z.record(z.string(), z.unknown()).nullable(),
});

const listShape = z.array(declared(zoneSummary.properties));

/**
 * Creates a zone. `POST /zone`, answered with 201 and no body to rely on: read the zone back.
 *
 * It costs money as soon as the plan says so.
 *
 * @throws {AlreadyExistsError} when a zone has that name
 * @throws {PermissionError} with `code` when the account has to be verified first
 */
export async function create(transport: Transport, zone: NewZone, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `create zone ${quoted(zone.name)}`,
      method: "POST",
      path: "/zone",
      body: {
        zone: { name: zone.name, ...(zone.type === undefined ? {} : { type: zone.type }) },
        plan: toServicePlan(zone.plan),
      },
      onRefusal: refusedCreation,
      ...options,
    },
    ANYTHING,
  );
}

function refusedCreation(refusal: Refusal, context: RequestContext) {
  if (refusal.status === 409 || /duplicate zone name|already exists/i.test(refusal.message)) {
    return new AlreadyExistsError(context, refusal);
  }
  if (refusal.status === 403 && refusal.code !== undefined) {
    return new PermissionError(context, {
      ...refusal,
      remedy: `The account must be verified before it may have such a zone (${refusal.code}); that is done in the control panel, not here.`,
    });
  }
  return undefined;
}

/**
 * Reads a zone. `GET /zone?zone=`.
 *
 * @throws {ServiceError} 400, 404 or 422 for a zone that does not exist, but also for other reasons (an account without
 *   funds): look into {@link listAll} before you believe that it is gone
 */
export async function get(transport: Transport, name: string, options: CallOptions = {}): Promise<ZoneDetails> {
  const call: Call = {
    operation: `read zone ${quoted(name)}`,
    method: "GET",
    path: "/zone",
    query: { zone: name },
    ...options,
  };
  const { created, perm, description, ...zone } = await transport.json(call, zoneShape);
  const plan = fromServicePlan(zone.plan ?? {});
  return present({
    name,
    created,
    passwords: zone.password ?? [],
    ips: zone.ips ?? [],
    perm,
    description,
    plan,
    disabled: isOn(plan.disable) || isOn(plan.disabled),
  });
}

/** Lists every zone, disabled and deleted ones included. `GET /zone/get_all_zones`. */
export async function listAll(transport: Transport, options: CallOptions = {}): Promise<ZoneSummary[]> {
  return list(
    transport,
    { operation: "list the zones", method: "GET", path: "/zone/get_all_zones", ...options },
    listShape,
  );
}

/** Lists the zones that are switched on. `GET /zone/get_active_zones`. */
export async function listActive(transport: Transport, options: CallOptions = {}): Promise<ZoneSummary[]> {
  return list(
    transport,
    { operation: "list the active zones", method: "GET", path: "/zone/get_active_zones", ...options },
    listShape.nullable(),
  );
}

async function list(
  transport: Transport,
  call: Call,
  shape: z.ZodType<z.output<typeof listShape> | null>,
): Promise<ZoneSummary[]> {
  return (await transport.json(call, shape)) ?? [];
}

/** Switches a zone off or on. `POST /zone/change_disable`. */
export async function setDisabled(
  transport: Transport,
  name: string,
  disabled: boolean,
  options: CallOptions = {},
): Promise<void> {
  const call: Call = {
    operation: `${disabled ? "disable" : "enable"} zone ${quoted(name)}`,
    method: "POST",
    path: "/zone/change_disable",
    body: { zone: name, disable: disabled ? 1 : 0 },
    repeatable: true,
    ...options,
  };
  await transport.json(call, switchedShape);
}

const statusShape = z.looseObject({ status: z.string() });
const switchedShape = z.looseObject({ plan: z.record(z.string(), z.unknown()) });
const permissionsShape = z.looseObject({ perms: z.array(z.string()) });
const recentIpsShape = z.record(z.string(), z.array(z.string()));

/**
 * Reads whether a zone is `active`, `disabled` or `deleted`. `GET /zone/status?zone=`. The service does not document its
 * answer: {@link listAll} tells the same with more certainty.
 */
export async function status(transport: Transport, name: string, options: CallOptions = {}): Promise<string> {
  const call: Call = {
    operation: `read the status of zone ${quoted(name)}`,
    method: "GET",
    path: "/zone/status",
    query: { zone: name },
    ...options,
  };
  return (await transport.json(call, statusShape)).status;
}

/** Reads what a zone's proxies can be told, as words such as `country`. `GET /zone/permissions?zone=`. */
export async function permissions(transport: Transport, name: string, options: CallOptions = {}): Promise<string[]> {
  const call: Call = {
    operation: `read the permissions of zone ${quoted(name)}`,
    method: "GET",
    path: "/zone/permissions",
    query: { zone: name },
    ...options,
  };
  return (await transport.json(call, permissionsShape)).perms;
}

/**
 * Lists the client addresses that have tried to use zones of late, by zone; a zone that nobody has used is left out.
 * `GET /zone/recent_ips?zones=`.
 */
export async function recentIps(
  transport: Transport,
  zones: ZoneNames = "*",
  options: CallOptions = {},
): Promise<Record<string, string[]>> {
  const call: Call = {
    operation: "list the recent client addresses",
    method: "GET",
    path: "/zone/recent_ips",
    query: { zones: zonesQuery(zones) },
    ...options,
  };
  return transport.json(call, recentIpsShape);
}

/** Switches the guarantee of 100 % uptime of a zone with static IPs on or off. `POST /zone/switch_100uptime`. */
export async function setFullUptime(
  transport: Transport,
  name: string,
  active: boolean,
  options: CallOptions = {},
): Promise<void> {
  await transport.send(
    {
      operation: `switch full uptime of zone ${quoted(name)} ${active ? "on" : "off"}`,
      method: "POST",
      path: "/zone/switch_100uptime",
      body: { zone: name, active: active ? 1 : 0 },
      repeatable: true,
      ...options,
    },
    ANYTHING,
  );
}

/**
 * Deletes a zone. `DELETE /zone` with the name in the body; without it the service deletes every zone, so the client
 * refuses to send that.
 *
 * @throws {NotFoundError} when there is no such zone
 */
export async function remove(transport: Transport, name: string, options: CallOptions = {}): Promise<void> {
  await transport.send(
    {
      operation: `delete zone ${quoted(name)}`,
      method: "DELETE",
      path: "/zone",
      body: { zone: name },
      onRefusal: (refusal, context) =>
        // Not whatever the status: "Customer not found" is a bad token.
        [400, 422].includes(refusal.status) && /not found|does not exist/i.test(refusal.message)
          ? new NotFoundError(context, refusal)
          : undefined,
      ...options,
    },
    ANYTHING,
  );
}

// `disable` holds a number or the reason in words.
const isOn = (value: unknown): boolean => !OFF.includes(value);
const OFF: readonly unknown[] = [undefined, null, "", 0, "0", false, "false"];

const quoted = (name: string): string => JSON.stringify(name);
