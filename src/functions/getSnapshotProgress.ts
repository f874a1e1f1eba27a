import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { SnapshotProgress } from "../remote/snapshots";

/** Arguments of {@link getSnapshotProgress}. */
export interface GetSnapshotProgressArgs {
  /** Id of the snapshot, such as `s_m4x7enmven8djfqak`. */
  snapshotId: string;
}

/** Arguments of {@link getSnapshotProgressOutput}. */
export type GetSnapshotProgressOutputArgs = Inputs<GetSnapshotProgressArgs>;

/** How far a snapshot has come. */
export type GetSnapshotProgressResult = SnapshotProgress;

/**
 * Looks up how far a snapshot has come, once: it does not wait for the end. A collection that failed is a result, not an
 * error. `GET /datasets/v3/progress/{snapshot_id}`.
 *
 * @throws {NotFoundError} when there is no such snapshot
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { status, errorMessage } = await brightdata.getSnapshotProgress({ snapshotId: "s_m4x7enmven8djfqak" });
 */
export async function getSnapshotProgress(
  args: GetSnapshotProgressArgs,
  options: CallOptions = {},
): Promise<GetSnapshotProgressResult> {
  return remoteClient().snapshots.progress(args.snapshotId, options);
}

/** {@link getSnapshotProgress} for arguments that are not known yet. */
export const getSnapshotProgressOutput = (
  args: GetSnapshotProgressOutputArgs,
): pulumi.Output<GetSnapshotProgressResult> => whenKnown(args, getSnapshotProgress);
