import { any, count, list, map } from "../declaration/property";
import type { CallOptions } from "../http/call";
import { remoteLookup } from "../lookups/lookup";
import { progress, type SnapshotSummary, snapshot, snapshotFacts } from "../model/snapshot";
import { malformed, shortfall } from "../remote/badSnapshot";
import type { RemoteClient } from "../remote/client";
import { SnapshotEmptyError, SnapshotNotReadyError } from "../remote/snapshotErrors";
import { lineOf } from "../remote/snapshotList";
import { NO_SUCH_SNAPSHOT } from "./failures";

export const getSnapshot = remoteLookup("getSnapshot", {
  says: "Looks up a snapshot and, on request, its first records. It does not wait for the end of the collection: a snapshot that is not ready, or has failed, is a result without records.",
  brief: "a snapshot and, on request, its first records",
  endpoints: [
    "GET /datasets/v3/progress/{snapshot_id}",
    "GET /datasets/v3/snapshots",
    "GET /datasets/v3/snapshot/{snapshot_id}?format=ndjson",
  ],
  arguments: {
    snapshotId: snapshot(),
    maxRecords: count({
      says: "The most records to read. They are held in memory, and what the program exports of them is saved in the state.",
      least: 0,
      default: 0,
    }),
  },
  gives: "A snapshot: the result of one collection. What the service does not say is absent.",
  result: {
    ...progress,
    ...snapshotFacts,
    size: count({ says: "Number of records that there are, not of those that were read." }),
    records: list(map(any({}), {}), {
      says: "The first records, integers over 2^53 as text; `[]` for an empty snapshot. Absent if none were requested, and while the snapshot is not ready.",
    }),
  },
  fails: [
    ["SnapshotExpiredError", "records are requested that the service no longer has"],
    ["RecordTooLargeError", "a record has more than 64 MiB; `downloadSnapshot` can be set to accept larger ones"],
    NO_SUCH_SNAPSHOT,
    ["ArgumentError", "the id is blank, or `maxRecords` is not a whole number of at least 0"],
  ],
  example: `const { status, records = [] } = await brightdata.getSnapshot({ snapshotId: "s_m4x7enmven8djfqak", maxRecords: 10 });`,
  outputExample: `const snapshot = brightdata.getSnapshotOutput({ snapshotId: "s_m4x7enmven8djfqak", maxRecords: 10 });
export const titles = snapshot.apply(({ records = [] }) => records.map(({ title }) => title));`,
  notes:
    "`created`, `size` and `triggerType` come from the list of the dataset's snapshots, of at most 5000. They are absent if the snapshot is not in it, or if the token may not read it. After the service has reported `ready`, it can still be preparing the download: the status is then `building`, without records. An answer that breaks off is an error, not a shorter list.",
  async ask(client, { snapshotId, maxRecords = 0 }, options) {
    const progress = await client.snapshots.progress(snapshotId, options);
    const line = lineOf(client, progress, options);
    const isRead = progress.status === "ready" && maxRecords > 0;
    const [summary, records] = await Promise.all([
      line,
      isRead ? read(client, snapshotId, maxRecords, line, options) : undefined,
    ]);
    return { ...summary, ...progress, ...records };
  },
});

/** The first records; or the state that the download tells of, which can lag behind the progress. */
async function read(
  { snapshots }: RemoteClient,
  snapshotId: string,
  limit: number,
  line: Promise<SnapshotSummary | undefined>,
  options: CallOptions,
): Promise<{ records: Record<string, unknown>[] } | { status: string }> {
  try {
    const records = await snapshots.records(snapshotId, { limit, ...options });
    const short = shortfall(records.length, (await line)?.size, limit);
    if (short !== undefined) throw malformed(snapshotId, short);
    return { records };
  } catch (error) {
    if (error instanceof SnapshotEmptyError) return { records: [] };
    if (error instanceof SnapshotNotReadyError) return { status: "building" };
    throw error;
  }
}
