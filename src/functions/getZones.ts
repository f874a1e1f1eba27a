import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { ZoneSummary } from "../remote/zones";

/** Arguments of {@link getZones}. */
export interface GetZonesArgs {
  /**
   * Only the zones that are switched on. The service leaves their `status` out then.
   *
   * @default false
   */
  active?: boolean | undefined;
}

/** Arguments of {@link getZonesOutput}. */
export type GetZonesOutputArgs = Inputs<GetZonesArgs>;

/** Zones of the account. */
export interface GetZonesResult {
  /** In the order of the service. */
  zones: ZoneSummary[];
}

/**
 * Lists the account's zones: all of them, disabled and deleted ones included, or those that are switched on.
 * `GET /zone/get_all_zones` or `GET /zone/get_active_zones`.
 *
 * @throws {RequestError} when the service refuses, or cannot be reached
 *
 * @example
 * const { zones } = await brightdata.getZones();
 * const forgotten = zones.filter(({ status }) => status === "disabled");
 */
export async function getZones(args: GetZonesArgs = {}, options: CallOptions = {}): Promise<GetZonesResult> {
  const { zones } = remoteClient();
  return { zones: await (args.active === true ? zones.listActive(options) : zones.listAll(options)) };
}

/** {@link getZones} for arguments that are not known yet. */
export const getZonesOutput = (args: GetZonesOutputArgs = {}): pulumi.Output<GetZonesResult> =>
  whenKnown(args, getZones);
