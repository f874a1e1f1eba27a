import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { SnapshotFilter, SnapshotSummary } from "../remote/snapshots";

/** Arguments of {@link getSnapshots}. */
export type GetSnapshotsArgs = SnapshotFilter;

/** Arguments of {@link getSnapshotsOutput}. */
export type GetSnapshotsOutputArgs = Inputs<GetSnapshotsArgs>;

/** Snapshots of a dataset. */
export interface GetSnapshotsResult {
  datasetId: string;
  /** In the order of the service. */
  snapshots: SnapshotSummary[];
}

/**
 * Lists the snapshots of a dataset: the results of its collections. `GET /datasets/v3/snapshots?dataset_id=`.
 *
 * @throws {InvalidRequestError} for a filter that the service does not take
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { snapshots } = await brightdata.getSnapshots({ datasetId: "gd_l1vikfnt1wgvvqz95w", status: "ready", limit: 10 });
 */
export async function getSnapshots(args: GetSnapshotsArgs, options: CallOptions = {}): Promise<GetSnapshotsResult> {
  return { datasetId: args.datasetId, snapshots: await remoteClient().snapshots.list(args, options) };
}

/** {@link getSnapshots} for arguments that are not known yet. */
export const getSnapshotsOutput = (args: GetSnapshotsOutputArgs): pulumi.Output<GetSnapshotsResult> =>
  whenKnown(args, getSnapshots);
