import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { RecentStats } from "../manager/logs";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** Numbers of requests through the Proxy Manager's ports, and their bytes. */
export type GetRecentStatsResult = RecentStats;

/**
 * Looks up how many requests went through the Proxy Manager's ports of late, and how many bytes, by port, status, host and
 * protocol. `GET /api/recent_stats`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { total, success } = await brightdata.getRecentStats();
 */
export async function getRecentStats(options: CallOptions = {}): Promise<GetRecentStatsResult> {
  return managerClient().logs.stats(options);
}

/** {@link getRecentStats} as an output. */
export const getRecentStatsOutput = (): pulumi.Output<GetRecentStatsResult> => whenKnown({}, () => getRecentStats());
