import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { SnapshotForm } from "../remote/snapshots";

/** Arguments of {@link getSnapshotParts}: the snapshot, and the form it is to be downloaded or delivered in. */
export interface GetSnapshotPartsArgs extends SnapshotForm {
  /** Id of the snapshot, such as `s_m4x7enmven8djfqak`. */
  snapshotId: string;
}

/** Arguments of {@link getSnapshotPartsOutput}. */
export type GetSnapshotPartsOutputArgs = Inputs<GetSnapshotPartsArgs>;

/** In how many parts a snapshot comes. */
export interface GetSnapshotPartsResult {
  snapshotId: string;
  parts: number;
}

/**
 * Looks up in how many parts a snapshot comes. `GET /datasets/v3/snapshot/{snapshot_id}/parts`.
 *
 * @throws {SnapshotNotReadyError} while the snapshot is being made
 * @throws {ValidationError} {@link BatchTooSmallError} for a form that the service does not take
 * @throws {NotFoundError} when there is no such snapshot
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { parts } = await brightdata.getSnapshotParts({ snapshotId: "s_m4x7enmven8djfqak", batchSize: 1000 });
 */
export async function getSnapshotParts(
  args: GetSnapshotPartsArgs,
  options: CallOptions = {},
): Promise<GetSnapshotPartsResult> {
  const { snapshotId, ...form } = args;
  return { snapshotId, parts: await remoteClient().snapshots.parts(snapshotId, form, options) };
}

/** {@link getSnapshotParts} for arguments that are not known yet. */
export const getSnapshotPartsOutput = (args: GetSnapshotPartsOutputArgs): pulumi.Output<GetSnapshotPartsResult> =>
  whenKnown(args, getSnapshotParts);
