import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getZoneStatus}. */
export interface GetZoneStatusArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZoneStatusOutput}. */
export type GetZoneStatusOutputArgs = Inputs<GetZoneStatusArgs>;

/** Whether a zone can be used. */
export interface GetZoneStatusResult {
  zone: string;
  /** `active`, `disabled` or `deleted`. */
  status: string;
}

/**
 * Looks up whether a zone is switched on. `GET /zone/status?zone=`.
 *
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { status } = await brightdata.getZoneStatus({ zone: "web" });
 */
export async function getZoneStatus(args: GetZoneStatusArgs, options: CallOptions = {}): Promise<GetZoneStatusResult> {
  const client = remoteClient();
  const { zone } = args;
  return { zone, status: await ofZone(client, zone, () => client.zones.status(zone, options), options) };
}

/** {@link getZoneStatus} for arguments that are not known yet. */
export const getZoneStatusOutput = (args: GetZoneStatusOutputArgs): pulumi.Output<GetZoneStatusResult> =>
  whenKnown(args, getZoneStatus);
