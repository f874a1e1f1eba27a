import { z } from "zod";
import { camelKeys } from "../base/case";
import type { JsonObject } from "../base/json";
import { optional } from "../http/optional";
import type { CallOptions, Transport } from "../http/transport";
import type { ManagerZone } from "../model/managerZone";

const defaultShape = z.object({ def: optional(z.string()) });
const shape = z.looseObject({
  zones: z.array(z.looseObject({ name: z.string(), plan: z.record(z.string(), z.unknown()).nullish() })),
});

/** Lists the zones that the manager knows, disabled ones included; none while it is logged out. `GET /api/zones`. */
export async function list(transport: Transport, options: CallOptions = {}): Promise<ManagerZone[]> {
  const { zones } = await transport.json(
    { operation: "list the Proxy Manager's zones", method: "GET", path: "/api/zones", ...options },
    shape,
  );
  return zones.map(({ name, plan }) => ({
    name,
    plan: camelKeys(plan ?? {}) as JsonObject,
    disabled: Boolean(plan?.disable),
  }));
}

/**
 * Reads the name of the zone that ports use which name none. `GET /api/zones`.
 *
 * @returns `undefined` when there is none, as after a logout
 */
export async function defaultName(transport: Transport, options: CallOptions = {}): Promise<string | undefined> {
  const { def } = await transport.json(
    { operation: "read the Proxy Manager's default zone", method: "GET", path: "/api/zones", ...options },
    defaultShape,
  );
  return def || undefined;
}
