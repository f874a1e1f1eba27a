import { z } from "zod";
import { AlreadyExistsError, NotFoundError, PermissionError, type Refusal, type RequestContext } from "../base/errors";
import type { CallOptions } from "../http/call";
import { declared } from "../http/declared";
import { meaning } from "../http/meaning";
import { json, type Operation, send } from "../http/operation";
import { field, optional, orElse, present } from "../http/optional";
import { ANYTHING } from "../http/success";
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

const zoneShape = z
  .object({
    created: optional(z.string()),
    password: optional(strings),
    ips: optional(strings),
    perm: optional(z.string()),
    description: optional(z.string()),
    plan: z.record(z.string(), z.unknown()).nullable(),
  })
  .transform(({ password = [], ips = [], plan, ...told }) => {
    const found = fromServicePlan(plan ?? {});
    const disabled = isOn(found.disable) || isOn(found.disabled);
    return present({ ...told, passwords: password, ips, plan: found, disabled });
  });

const listShape: z.ZodType<ZoneSummary[]> = z.array(declared(zoneSummary.properties));

/**
 * Creates a zone. `POST /zone`, answered with 201 and no body to rely on: read the zone back.
 *
 * It costs money as soon as the plan says so.
 *
 * @throws {AlreadyExistsError} when a zone has that name
 * @throws {PermissionError} with `code` when the account has to be verified first
 */
export const create = (zone: NewZone, options?: CallOptions): Operation<void> =>
  send(ANYTHING, {
    operation: `create zone ${quoted(zone.name)}`,
    request: "POST /zone",
    body: {
      zone: { name: zone.name, type: zone.type },
      plan: toServicePlan(zone.plan),
    },
    onRefusal: refusedCreation,
    ...options,
  });

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
export const get = (name: string, options?: CallOptions): Operation<ZoneDetails> =>
  json(
    zoneShape.transform((zone): ZoneDetails => ({ name, ...zone })),
    {
      operation: `read zone ${quoted(name)}`,
      request: "GET /zone",
      query: { zone: name },
      ...options,
    },
  );

/** Lists every zone, disabled and deleted ones included. `GET /zone/get_all_zones`. */
export const listAll = (options?: CallOptions): Operation<ZoneSummary[]> =>
  json(listShape, {
    operation: "list the zones",
    request: "GET /zone/get_all_zones",
    ...options,
  });

/** Lists the zones that are switched on. `GET /zone/get_active_zones`. */
export const listActive = (options?: CallOptions): Operation<ZoneSummary[]> =>
  json(orElse(listShape, []), {
    operation: "list the active zones",
    request: "GET /zone/get_active_zones",
    ...options,
  });

const switchedShape = z.looseObject({ plan: z.record(z.string(), z.unknown()) }).transform(() => {});

/** Switches a zone off or on. `POST /zone/change_disable`. */
export const setDisabled = (name: string, disabled: boolean, options?: CallOptions): Operation<void> =>
  json(switchedShape, {
    operation: `${disabled ? "disable" : "enable"} zone ${quoted(name)}`,
    request: "POST /zone/change_disable",
    body: { zone: name, disable: disabled ? 1 : 0 },
    repeatable: true,
    ...options,
  });

/**
 * Reads whether a zone is `active`, `disabled` or `deleted`. `GET /zone/status?zone=`. The service does not document its
 * answer: {@link listAll} tells the same with more certainty.
 */
export const status = (name: string, options?: CallOptions): Operation<string> =>
  json(field("status", z.string()), {
    operation: `read the status of zone ${quoted(name)}`,
    request: "GET /zone/status",
    query: { zone: name },
    ...options,
  });

/** Reads what a zone's proxies can be told, as words such as `country`. `GET /zone/permissions?zone=`. */
export const permissions = (name: string, options?: CallOptions): Operation<string[]> =>
  json(field("perms", z.array(z.string())), {
    operation: `read the permissions of zone ${quoted(name)}`,
    request: "GET /zone/permissions",
    query: { zone: name },
    ...options,
  });

/**
 * Lists the client addresses that have tried to use zones of late, by zone; a zone that nobody has used is left out.
 * `GET /zone/recent_ips?zones=`.
 */
export const recentIps = (zones: ZoneNames = "*", options?: CallOptions): Operation<Record<string, string[]>> =>
  json(z.record(z.string(), z.array(z.string())), {
    operation: "list the recent client addresses",
    request: "GET /zone/recent_ips",
    query: { zones: zonesQuery(zones) },
    ...options,
  });

/** Switches the guarantee of 100 % uptime of a zone with static IPs on or off. `POST /zone/switch_100uptime`. */
export const setFullUptime = (name: string, active: boolean, options?: CallOptions): Operation<void> =>
  send(ANYTHING, {
    operation: `switch full uptime of zone ${quoted(name)} ${active ? "on" : "off"}`,
    request: "POST /zone/switch_100uptime",
    body: { zone: name, active: active ? 1 : 0 },
    repeatable: true,
    ...options,
  });

/**
 * Deletes a zone. `DELETE /zone` with the name in the body; without it the service deletes every zone, so the client
 * refuses to send that.
 *
 * @throws {NotFoundError} when there is no such zone
 */
export const remove = (name: string, options?: CallOptions): Operation<void> =>
  send(ANYTHING, {
    operation: `delete zone ${quoted(name)}`,
    request: "DELETE /zone",
    body: { zone: name },
    // Not whatever the status: "Customer not found" is a bad token.
    onRefusal: meaning({ statuses: [400, 422], says: /not found|does not exist/i, error: NotFoundError }),
    ...options,
  });

// `disable` holds a number or the reason in words.
const isOn = (value: unknown): boolean => !OFF.includes(value);
const OFF: readonly unknown[] = [undefined, null, "", 0, "0", false, "false"];

const quoted = (name: string): string => JSON.stringify(name);
