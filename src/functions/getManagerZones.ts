import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { ManagerZone } from "../manager/zones";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** The account's zones as the Proxy Manager knows them. */
export interface GetManagerZonesResult {
  /** None while the manager is logged out. */
  zones: ManagerZone[];
}

/**
 * Lists the zones that the Proxy Manager knows, disabled ones included. Their passwords are left out.
 * `GET /api/zones`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { zones } = await brightdata.getManagerZones();
 * const enabled = zones.filter(({ disabled }) => !disabled);
 */
export async function getManagerZones(options: CallOptions = {}): Promise<GetManagerZonesResult> {
  return { zones: await managerClient().zones.list(options) };
}

/** {@link getManagerZones} as an output. */
export const getManagerZonesOutput = (): pulumi.Output<GetManagerZonesResult> => whenKnown({}, () => getManagerZones());
