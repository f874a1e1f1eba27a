import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { AllocatedIp } from "../remote/ips";

/** Arguments of {@link getZoneIps}. */
export interface GetZoneIpsArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZoneIpsOutput}. */
export type GetZoneIpsOutputArgs = Inputs<GetZoneIpsArgs>;

/** Proxy IPs of a zone. */
export interface GetZoneIpsResult {
  zone: string;
  /** In the order of the service. */
  ips: AllocatedIp[];
}

/**
 * Lists the proxy IPs that are allocated to a zone of the datacenter or ISP kind. `GET /zone/ips?zone=`.
 *
 * @throws {InvalidRequestError} `Wrong zone plan` for a zone that has no IPs of its own
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { ips } = await brightdata.getZoneIps({ zone: "web" });
 * const addresses = ips.map(({ ip }) => ip);
 */
export async function getZoneIps(args: GetZoneIpsArgs, options: CallOptions = {}): Promise<GetZoneIpsResult> {
  const client = remoteClient();
  const { zone } = args;
  return { zone, ips: await ofZone(client, zone, () => client.ips.list(zone, options), options) };
}

/** {@link getZoneIps} for arguments that are not known yet. */
export const getZoneIpsOutput = (args: GetZoneIpsOutputArgs): pulumi.Output<GetZoneIpsResult> =>
  whenKnown(args, getZoneIps);
