import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getZoneRecentIps}. */
export interface GetZoneRecentIpsArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZoneRecentIpsOutput}. */
export type GetZoneRecentIpsOutputArgs = Inputs<GetZoneRecentIpsArgs>;

/** Client addresses that have tried to use a zone. */
export interface GetZoneRecentIpsResult {
  zone: string;
  /** In the order of the service; none when nobody has tried of late, and for a zone that the service passes over. */
  ips: string[];
}

/**
 * Lists the client addresses that have tried to use a zone of late, allowed or not. `GET /zone/recent_ips?zones=`.
 *
 * @throws {NotFoundError} when the service says that there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { ips } = await brightdata.getZoneRecentIps({ zone: "web" });
 */
export async function getZoneRecentIps(
  args: GetZoneRecentIpsArgs,
  options: CallOptions = {},
): Promise<GetZoneRecentIpsResult> {
  const client = remoteClient();
  const { zone } = args;
  const byZone = await ofZone(client, zone, () => client.zones.recentIps([zone], options), options);
  return { zone, ips: byZone[zone] ?? [] };
}

/** {@link getZoneRecentIps} for arguments that are not known yet. */
export const getZoneRecentIpsOutput = (args: GetZoneRecentIpsOutputArgs): pulumi.Output<GetZoneRecentIpsResult> =>
  whenKnown(args, getZoneRecentIps);
