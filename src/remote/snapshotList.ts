import { unless } from "../base/cause";
import { NotFoundError, PermissionError } from "../base/errors";
import type { CallOptions } from "../http/call";
import type { SnapshotProgress, SnapshotSummary } from "../model/snapshot";
import type { RemoteClient } from "./client";

/** The most that the service lists at once. */
export const LONGEST_LIST = 5000;

/** The line of a snapshot in the list of its dataset: only that has its date and size. A token may not be allowed to see it. */
export async function lineOf(
  { snapshots }: Pick<RemoteClient, "snapshots">,
  { datasetId, snapshotId }: Pick<SnapshotProgress, "datasetId" | "snapshotId">,
  options: CallOptions,
): Promise<SnapshotSummary | undefined> {
  if (datasetId === undefined) return undefined;
  const listed = snapshots.list({ datasetId, limit: LONGEST_LIST }, options);
  const lines = await listed.catch(unless(NotFoundError, PermissionError));
  return lines?.find((line) => line.snapshotId === snapshotId);
}
