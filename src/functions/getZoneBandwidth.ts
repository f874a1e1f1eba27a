import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { Period } from "../remote/period";
import type { ZoneBandwidth } from "../remote/usage";

/** Arguments of {@link getZoneBandwidth}. Without dates it is about the service's own periods. */
export interface GetZoneBandwidthArgs extends Period {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZoneBandwidthOutput}. */
export type GetZoneBandwidthOutputArgs = Inputs<GetZoneBandwidthArgs>;

/** Bandwidth of a zone: `bw…` are bytes, `…Req` are numbers of requests. */
export type GetZoneBandwidthResult = ZoneBandwidth;

/**
 * Looks up what a zone has transferred, in bytes, and how many requests it has carried. `GET /zone/bw?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date, before anything is sent
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { sums } = await brightdata.getZoneBandwidth({ zone: "web" });
 * const bytesThisMonth = sums.backM0?.bwSum ?? 0;
 */
export async function getZoneBandwidth(
  args: GetZoneBandwidthArgs,
  options: CallOptions = {},
): Promise<GetZoneBandwidthResult> {
  const client = remoteClient();
  const { zone, ...period } = args;
  return ofZone(client, zone, () => client.usage.bandwidth(zone, period, options), options);
}

/**
 * {@link getZoneBandwidth} for arguments that are not known yet, such as the name of a zone that the same program makes.
 *
 * @example
 * const usage = brightdata.getZoneBandwidthOutput({ zone: zone.name });
 * export const bytesThisMonth = usage.apply(({ sums }) => sums.backM0?.bwSum ?? 0);
 */
export const getZoneBandwidthOutput = (args: GetZoneBandwidthOutputArgs): pulumi.Output<GetZoneBandwidthResult> =>
  whenKnown(args, getZoneBandwidth);
