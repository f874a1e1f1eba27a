import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getSnapshotInput}. */
export interface GetSnapshotInputArgs {
  /** Id of the snapshot, such as `s_m4x7enmven8djfqak`. */
  snapshotId: string;
}

/** Arguments of {@link getSnapshotInputOutput}. */
export type GetSnapshotInputOutputArgs = Inputs<GetSnapshotInputArgs>;

/** What a collection was started with. */
export interface GetSnapshotInputResult {
  snapshotId: string;
  /** CSV with a header line. */
  csv: string;
}

/**
 * Looks up what a collection was started with. The whole file is held in memory.
 * `GET /datasets/v3/snapshot/{snapshot_id}/input`.
 *
 * @throws {SnapshotInputMissingError} when the service has not kept it
 * @throws {NotFoundError} when there is no such snapshot
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { csv } = await brightdata.getSnapshotInput({ snapshotId: "s_m4x7enmven8djfqak" });
 */
export async function getSnapshotInput(
  args: GetSnapshotInputArgs,
  options: CallOptions = {},
): Promise<GetSnapshotInputResult> {
  const { snapshotId } = args;
  return { snapshotId, csv: await remoteClient().snapshots.input(snapshotId, options) };
}

/** {@link getSnapshotInput} for arguments that are not known yet. */
export const getSnapshotInputOutput = (args: GetSnapshotInputOutputArgs): pulumi.Output<GetSnapshotInputResult> =>
  whenKnown(args, getSnapshotInput);
