import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { managerClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getAllocatedGips}. */
export interface GetAllocatedGipsArgs {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getAllocatedGipsOutput}. */
export type GetAllocatedGipsOutputArgs = Inputs<GetAllocatedGipsArgs>;

/** Dedicated residential IPs of a zone. */
export interface GetAllocatedGipsResult {
  zone: string;
  /** Names of the gIPs: each stands for a group of peers. */
  gips: string[];
}

/**
 * Lists the dedicated residential IPs (gIPs) of a zone through the Proxy Manager, which asks its vendor; no API token is
 * needed. `GET /api/allocated_vips?zone=`.
 *
 * @throws {NotFoundError} when the manager does not know the zone; logged out it knows none
 * @throws {ArgumentError} when the name is blank, before anything is sent
 * @throws {RequestError} when the manager refuses for another reason, or cannot be reached
 *
 * @example
 * const { gips } = await brightdata.getAllocatedGips({ zone: "homes" });
 */
export async function getAllocatedGips(
  args: GetAllocatedGipsArgs,
  options: CallOptions = {},
): Promise<GetAllocatedGipsResult> {
  const { zone } = args;
  return { zone, gips: await managerClient().ips.allocatedGips(zone, options) };
}

/** {@link getAllocatedGips} for arguments that are not known yet. */
export const getAllocatedGipsOutput = (args: GetAllocatedGipsOutputArgs): pulumi.Output<GetAllocatedGipsResult> =>
  whenKnown(args, getAllocatedGips);
