import type * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "../errors";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { AvailabilityPlan } from "../remote/availability";

/** Arguments of {@link getAvailableIpCount}: one of the two. */
export interface GetAvailableIpCountArgs {
  /** Name of a zone that there is. */
  zone?: string | undefined;
  /** Plan of a zone that there may be. `{}` stands for any datacenter IP. */
  plan?: AvailabilityPlan | undefined;
}

/** Arguments of {@link getAvailableIpCountOutput}. */
export type GetAvailableIpCountOutputArgs = Inputs<GetAvailableIpCountArgs>;

/** How many IPs can be bought. */
export interface GetAvailableIpCountResult {
  count: number;
}

/**
 * Counts the IPs that a zone of the datacenter or ISP kind could be given: what can be bought, before it is bought.
 * `GET /zone/count_available_ips?zone=&plan=`.
 *
 * @throws {ArgumentError} for both of `zone` and `plan`, for neither, and for a country that is not two letters, before
 *   anything is sent
 * @throws {InvalidRequestError} for a zone that can have no IPs of its own
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { count } = await brightdata.getAvailableIpCount({ plan: { ipsType: "dedicated", country: "us" } });
 */
export async function getAvailableIpCount(
  args: GetAvailableIpCountArgs,
  options: CallOptions = {},
): Promise<GetAvailableIpCountResult> {
  const { zone, plan } = args;
  const client = remoteClient();
  if (zone !== undefined && plan === undefined)
    return { count: await ofZone(client, zone, () => client.availability.count({ zone }, options), options) };
  if (plan !== undefined && zone === undefined) return { count: await client.availability.count({ plan }, options) };
  throw new ArgumentError("Say what the IPs are for: one of `zone` and `plan`. Nothing was sent.");
}

/** {@link getAvailableIpCount} for arguments that are not known yet. */
export const getAvailableIpCountOutput = (
  args: GetAvailableIpCountOutputArgs,
): pulumi.Output<GetAvailableIpCountResult> => whenKnown(args, getAvailableIpCount);
