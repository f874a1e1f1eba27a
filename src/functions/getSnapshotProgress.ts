import { remoteLookup } from "../lookups/lookup";
import { progress, snapshot } from "../model/snapshot";
import { BLANK_ID, NO_SUCH_SNAPSHOT } from "./failures";

export const getSnapshotProgress = remoteLookup("getSnapshotProgress", {
  says: "Looks up the progress of a snapshot. It reads the progress once and does not wait for the end. A failed collection is a result, not an error.",
  brief: "the progress of a snapshot",
  endpoints: ["GET /datasets/v3/progress/{snapshot_id}"],
  arguments: { snapshotId: snapshot() },
  gives: "Progress of a snapshot.",
  result: progress,
  fails: [NO_SUCH_SNAPSHOT, BLANK_ID],
  example: `const { status, errorMessage } = await brightdata.getSnapshotProgress({ snapshotId: "s_m4x7enmven8djfqak" });`,
  outputExample: `const progress = brightdata.getSnapshotProgressOutput({ snapshotId: "s_m4x7enmven8djfqak" });
export const state = progress.apply(({ status, errorMessage }) => errorMessage ?? status);`,
  ask: ({ snapshots }, { snapshotId }, options) => snapshots.progress(snapshotId, options),
});
