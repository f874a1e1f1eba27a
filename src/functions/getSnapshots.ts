import { unless } from "../base/cause";
import { list } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { dataset, type SnapshotSummary, snapshotFilter, snapshotSummary } from "../model/snapshot";
import { SnapshotNotFoundError } from "../remote/snapshotErrors";

export const getSnapshots = remoteLookup("getSnapshots", {
  says: "Lists the snapshots of a dataset, which are the results of its collections. Snapshots of the dataset marketplace, whose ids begin with `snap_`, are not included.",
  brief: "a dataset's snapshots",
  endpoints: ["GET /datasets/v3/snapshots?dataset_id="],
  arguments: snapshotFilter,
  gives: "Snapshots of a dataset.",
  result: {
    datasetId: dataset({ required: true }),
    snapshots: list(snapshotSummary, { says: "The snapshots, in the order of the service.", required: true }),
  },
  fails: [["InvalidRequestError", "the service rejects the filter"]],
  example: `const { snapshots } = await brightdata.getSnapshots({ datasetId: "gd_l1vikfnt1wgvvqz95w", status: "ready", limit: 10 });`,
  outputExample: `const { snapshots } = brightdata.getSnapshotsOutput({ datasetId: "gd_l1vikfnt1wgvvqz95w", status: "ready", limit: 10 });
export const sizes = snapshots.apply((all) => all.map(({ snapshotId, size }) => ({ snapshotId, size })));`,
  async ask({ snapshots }, filter, options) {
    // The service's way of saying that there are none.
    const none = unless(SnapshotNotFoundError);
    const listed: SnapshotSummary[] = (await snapshots.list(filter, options).catch(none)) ?? [];
    return { datasetId: filter.datasetId, snapshots: listed };
  },
});
