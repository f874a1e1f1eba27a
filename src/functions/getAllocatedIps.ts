import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { managerClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getAllocatedIps}. */
export interface GetAllocatedIpsArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getAllocatedIpsOutput}. */
export type GetAllocatedIpsOutputArgs = Inputs<GetAllocatedIpsArgs>;

/** Proxy IPs of a zone. */
export interface GetAllocatedIpsResult {
  zone: string;
  ips: string[];
}

/**
 * Lists the proxy IPs of a zone through the Proxy Manager, which asks its vendor; no API token is needed.
 * `GET /api/allocated_ips?zone=`.
 *
 * @throws {NotFoundError} when the manager does not know the zone; logged out it knows none
 * @throws {ArgumentError} when the name is blank, before anything is sent
 * @throws {RequestError} when the manager refuses for another reason, or cannot be reached
 *
 * @example
 * const { ips } = await brightdata.getAllocatedIps({ zone: "web" });
 */
export async function getAllocatedIps(
  args: GetAllocatedIpsArgs,
  options: CallOptions = {},
): Promise<GetAllocatedIpsResult> {
  const { zone } = args;
  return { zone, ips: await managerClient().ips.allocated(zone, options) };
}

/** {@link getAllocatedIps} for arguments that are not known yet. */
export const getAllocatedIpsOutput = (args: GetAllocatedIpsOutputArgs): pulumi.Output<GetAllocatedIpsResult> =>
  whenKnown(args, getAllocatedIps);
