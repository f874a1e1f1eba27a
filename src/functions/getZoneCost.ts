import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { ofZone } from "../program/ofZone";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { Period } from "../remote/period";
import type { ZoneCost } from "../remote/usage";

/** Arguments of {@link getZoneCost}. Without dates it is about the service's own periods; with dates, whole days count. */
export interface GetZoneCostArgs extends Period {
  /** Name of the zone. */
  zone: string;
}

/** Arguments of {@link getZoneCostOutput}. */
export type GetZoneCostOutputArgs = Inputs<GetZoneCostArgs>;

/** Cost of a zone in US dollars, with its bandwidth in bytes, by period. */
export type GetZoneCostResult = ZoneCost;

/**
 * Looks up what a zone has cost, in US dollars. `GET /zone/cost?zone=&from=&to=`.
 *
 * @throws {ArgumentError} for a bad date, before anything is sent
 * @throws {NotFoundError} when there is no such zone, with the names that are most like it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { periods } = await brightdata.getZoneCost({ zone: "web", from: "2026-05-01", to: "2026-06-01" });
 * const dollarsInMay = periods.custom?.cost ?? 0;
 */
export async function getZoneCost(args: GetZoneCostArgs, options: CallOptions = {}): Promise<GetZoneCostResult> {
  const client = remoteClient();
  const { zone, ...period } = args;
  return ofZone(client, zone, () => client.usage.cost(zone, period, options), options);
}

/**
 * {@link getZoneCost} for arguments that are not known yet, such as the name of a zone that the same program makes.
 *
 * @example
 * const cost = brightdata.getZoneCostOutput({ zone: zone.name });
 * export const dollarsThisMonth = cost.apply(({ periods }) => periods.backM0?.cost ?? 0);
 */
export const getZoneCostOutput = (args: GetZoneCostOutputArgs): pulumi.Output<GetZoneCostResult> =>
  whenKnown(args, getZoneCost);
