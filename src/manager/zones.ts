import { z } from "zod";
import { camelKeys } from "../base/case";
import type { CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { field } from "../http/optional";
import type { ManagerZone } from "../model/managerZone";

const zoneShape = z
  .looseObject({ name: z.string(), plan: z.record(z.string(), z.unknown()).nullish() })
  .transform(
    ({ name, plan }): ManagerZone => ({ name, plan: camelKeys(plan ?? {}), disabled: Boolean(plan?.disable) }),
  );
const nameShape = field("def", z.string().nullish()).transform((name) => name || undefined);

/** Lists the zones that the manager knows, disabled ones included; none while it is logged out. `GET /api/zones`. */
export const list = (options?: CallOptions): Operation<ManagerZone[]> =>
  json(field("zones", z.array(zoneShape)), {
    operation: "list the Proxy Manager's zones",
    request: "GET /api/zones",
    ...options,
  });

/**
 * Reads the name of the zone that ports use which name none. `GET /api/zones`.
 *
 * @returns `undefined` when there is none, as after a logout
 */
export const defaultName = (options?: CallOptions): Operation<string | undefined> =>
  json(nameShape, {
    operation: "read the Proxy Manager's default zone",
    request: "GET /api/zones",
    ...options,
  });
