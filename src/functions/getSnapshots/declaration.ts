import { count, list, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";
import { dataset, snapshot, snapshotFacts, snapshotStatus } from "../properties";

export const getSnapshots = lookup("getSnapshots", {
  says: "Lists the snapshots of a dataset, which are the results of its collections. Snapshots of the dataset marketplace, whose ids begin with `snap_`, are not included.",
  brief: "a dataset's snapshots",
  service: "remote",
  endpoints: ["GET /datasets/v3/snapshots?dataset_id="],
  arguments: {
    datasetId: dataset({ required: true }),
    status: text({ says: "Only snapshots in this state.", oneOf: ["starting", "running", "ready", "failed"] }),
    skip: count({ says: "How many to leave out at the beginning.", least: 0, default: 0 }),
    limit: count({ says: "The most to list, from 1 to 5000.", least: 1, most: 5000, default: 1000 }),
    fromDate: text({ says: "Earliest day of creation, `YYYY-MM-DD`." }),
    toDate: text({ says: "Latest day of creation, `YYYY-MM-DD`." }),
    triggerType: text({
      says: "Only those that were started in the control panel (`CP`), or through the API.",
      oneOf: ["ALL", "CP", "API"],
      default: "ALL",
    }),
  },
  gives: "Snapshots of a dataset.",
  result: {
    datasetId: dataset({ required: true }),
    snapshots: list(
      object(
        { snapshotId: snapshot(), datasetId: dataset({}), status: snapshotStatus(), ...snapshotFacts },
        { named: "SnapshotSummary", says: "A line of the list of snapshots." },
      ),
      { says: "The snapshots, in the order of the service.", required: true },
    ),
  },
  fails: [["InvalidRequestError", "the service rejects the filter"]],
  example: `const { snapshots } = await brightdata.getSnapshots({ datasetId: "gd_l1vikfnt1wgvvqz95w", status: "ready", limit: 10 });`,
  outputExample: `const { snapshots } = brightdata.getSnapshotsOutput({ datasetId: "gd_l1vikfnt1wgvvqz95w", status: "ready", limit: 10 });
export const sizes = snapshots.apply((all) => all.map(({ snapshotId, size }) => ({ snapshotId, size })));`,
  async ask({ snapshots }, filter, options) {
    return { datasetId: filter.datasetId, snapshots: await snapshots.list(filter, options) };
  },
});
