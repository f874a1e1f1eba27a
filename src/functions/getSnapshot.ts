import type * as pulumi from "@pulumi/pulumi";
import { ArgumentError, NotFoundError, PermissionError } from "../errors";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import { SnapshotEmptyError, SnapshotNotReadyError } from "../remote/snapshotErrors";
import type { SnapshotProgress, SnapshotSummary } from "../remote/snapshots";

/** Arguments of {@link getSnapshot}. */
export interface GetSnapshotArgs {
  /** Id of the snapshot, such as `s_m4x7enmven8djfqak`. */
  snapshotId: string;
  /**
   * The most records to read. They are held in memory, and what the program exports of them stands in the state.
   *
   * @default 0
   */
  maxRecords?: number | undefined;
}

/** Arguments of {@link getSnapshotOutput}. */
export type GetSnapshotOutputArgs = Inputs<GetSnapshotArgs>;

/** A snapshot: what one collection has yielded. What the service does not say is absent. */
export interface GetSnapshotResult extends SnapshotProgress {
  /** ISO 8601. */
  created?: string;
  /** Number of records that there are, not of those that were read. */
  size?: number;
  /** What started the collection: `API`, or `CP` for the control panel. */
  triggerType?: string;
  /** The first records, as the dataset has them; absent when none were asked for, and while the snapshot is not ready. */
  records?: Record<string, unknown>[];
}

// The most that the service lists at once.
const LONGEST_LIST = 5000;

/**
 * Looks up a snapshot and, where that is asked for, its first records. It does not wait for the end of the collection: a
 * snapshot that is not ready, or has failed, is a result without records.
 * `GET /datasets/v3/progress/{snapshot_id}`, `GET /datasets/v3/snapshots` and `GET /datasets/v3/snapshot/{snapshot_id}`.
 *
 * @throws {NotFoundError} when there is no such snapshot
 * @throws {SnapshotExpiredError} when records are asked for that the service no longer has
 * @throws {RecordTooLargeError} when a record has more than 64 MiB
 * @throws {ArgumentError} when `maxRecords` is no whole number from 0 on
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { status, records = [] } = await brightdata.getSnapshot({ snapshotId: "s_m4x7enmven8djfqak", maxRecords: 10 });
 */
export async function getSnapshot(args: GetSnapshotArgs, options: CallOptions = {}): Promise<GetSnapshotResult> {
  const { snapshotId, maxRecords = 0 } = args;
  if (!Number.isInteger(maxRecords) || maxRecords < 0) {
    throw new ArgumentError(`maxRecords is ${maxRecords}: expected a whole number from 0 on.`);
  }
  const progress = await remoteClient().snapshots.progress(snapshotId, options);
  const [summary, records] = await Promise.all([
    listed(progress, options),
    progress.status === "ready" && maxRecords > 0 ? read(snapshotId, maxRecords, options) : undefined,
  ]);
  return { ...summary, ...progress, ...records };
}

/** {@link getSnapshot} for arguments that are not known yet. */
export const getSnapshotOutput = (args: GetSnapshotOutputArgs): pulumi.Output<GetSnapshotResult> =>
  whenKnown(args, getSnapshot);

/** The snapshot's line in the list: only that has its date and size. */
async function listed(progress: SnapshotProgress, options: CallOptions): Promise<SnapshotSummary | undefined> {
  const { datasetId, snapshotId } = progress;
  if (datasetId === undefined) return undefined;
  try {
    const snapshots = await remoteClient().snapshots.list({ datasetId, limit: LONGEST_LIST }, options);
    return snapshots.find((line) => line.snapshotId === snapshotId);
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

/** The first records; or the state that the download tells of, which can lag behind the progress. */
async function read(
  snapshotId: string,
  limit: number,
  options: CallOptions,
): Promise<Pick<GetSnapshotResult, "records"> | Pick<GetSnapshotResult, "status">> {
  try {
    return { records: await remoteClient().snapshots.records(snapshotId, { limit, ...options }) };
  } catch (error) {
    if (error instanceof SnapshotEmptyError) return { records: [] };
    if (error instanceof SnapshotNotReadyError) return { status: "building" };
    throw error;
  }
}
