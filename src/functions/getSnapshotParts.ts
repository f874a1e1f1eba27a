import { count } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { snapshot, snapshotForm } from "../model/snapshot";
import { BLANK_ID, NO_SUCH_SNAPSHOT } from "./failures";

export const getSnapshotParts = remoteLookup("getSnapshotParts", {
  says: "Looks up the number of parts that a snapshot is downloaded or delivered in.",
  brief: "the number of parts that a snapshot is delivered in",
  endpoints: ["GET /datasets/v3/snapshot/{snapshot_id}/parts", "GET /datasets/v3/progress/{snapshot_id}"],
  arguments: { snapshotId: snapshot(), ...snapshotForm },
  gives: "The number of parts of a snapshot.",
  result: {
    snapshotId: snapshot(),
    parts: count({ says: "Number of parts, if they are then requested in the same format.", required: true }),
  },
  fails: [
    ["SnapshotNotReadyError", "the snapshot is not ready; try again after `retryAfter` seconds"],
    ["CollectionFailedError", "it never will be"],
    ["ValidationError", "the service rejects the format"],
    ["BatchTooSmallError", "the service rejects the batch size"],
    NO_SUCH_SNAPSHOT,
    BLANK_ID,
  ],
  example: `const { parts } = await brightdata.getSnapshotParts({ snapshotId: "s_m4x7enmven8djfqak", batchSize: 1000 });`,
  outputExample: `export const parts = brightdata.getSnapshotPartsOutput({
  snapshotId: "s_m4x7enmven8djfqak",
  format: "ndjson",
  batchSize: 10_000,
}).parts;`,
  async ask({ snapshots }, { snapshotId, ...form }, options) {
    return { snapshotId, parts: await snapshots.parts(snapshotId, form, options) };
  },
});
