import { count, type Facts, flag, named, text, type ValueOf, type ValuesOf } from "../declaration/property";

/** Id of a dataset. */
export const dataset = <const F extends Facts>(facts: F) =>
  text({ ...facts, says: "Id of the dataset.", example: "gd_l1vikfnt1wgvvqz95w" });

/** Id of a snapshot. */
export const snapshot = () => text({ says: "Id of the snapshot.", required: true, example: "s_m4x7enmven8djfqak" });

/** State of a snapshot. */
export const snapshotStatus = () =>
  text({
    says: "State of the snapshot: `ready`; `failed`, `error`, `canceled` or `cancelled`; any other, such as `running`, means that the collection is in progress.",
    required: true,
  });

/** The states in which a collection has ended without a snapshot. */
export const ENDED_BADLY = ["failed", "error", "canceled", "cancelled"];

/** How far a snapshot has come. */
export const progress = {
  snapshotId: snapshot(),
  datasetId: text({
    says: "Id of the dataset. The service leaves it out when the collection has failed.",
    example: "gd_l1vikfnt1wgvvqz95w",
  }),
  status: snapshotStatus(),
  errorMessage: text({ says: "Why the collection has failed." }),
} as const;

/** What only the list of snapshots tells of one. */
export const snapshotFacts = {
  created: text({ says: "When the collection was started, ISO 8601." }),
  size: count({ says: "Number of records." }),
  triggerType: text({ says: "What started the collection: `API`, or `CP` for the control panel." }),
} as const;

export type SnapshotProgress = ValuesOf<typeof progress>;

/** A line of the list of snapshots. */
export const snapshotSummary = named("SnapshotSummary", "A line of the list of snapshots.", {
  snapshotId: snapshot(),
  datasetId: dataset({}),
  status: snapshotStatus(),
  ...snapshotFacts,
});

export type SnapshotSummary = ValueOf<typeof snapshotSummary>;

const day = { pattern: /^\d{4}-\d{2}-\d{2}$/, expected: 'expected a day, such as "2026-05-01".' } as const;

/** Which snapshots to list. */
export const snapshotFilter = {
  datasetId: dataset({ required: true }),
  status: text({ says: "Only snapshots in this state.", oneOf: ["starting", "running", "ready", "failed"] }),
  skip: count({ says: "How many to leave out at the beginning.", least: 0, default: 0 }),
  limit: count({ says: "The most to list, from 1 to 5000.", least: 1, most: 5000, default: 1000 }),
  fromDate: text({ says: "Earliest day of creation, `YYYY-MM-DD`.", must: [day] }),
  toDate: text({ says: "Latest day of creation, `YYYY-MM-DD`.", must: [day] }),
  triggerType: text({
    says: "Only those that were started in the control panel (`CP`), or through the API.",
    oneOf: ["ALL", "CP", "API"],
    default: "ALL",
  }),
} as const;

export type SnapshotFilter = ValuesOf<typeof snapshotFilter>;

/** How a snapshot is written when it is downloaded or counted; the parts of one snapshot must all be asked for in the same way. */
export const snapshotForm = {
  format: text({
    says: "Format of the records; `ndjson` and `jsonl` are the same, with one record per line.",
    oneOf: ["json", "ndjson", "jsonl", "csv"],
    default: "json",
  }),
  compress: flag({ says: "Whether they are compressed with gzip.", default: false }),
  batchSize: count({
    says: "Number of records in each part, from 1000 on.",
    least: 1000,
    defaultSays: "the whole snapshot is one part",
    example: 1000,
  }),
} as const;

export type SnapshotForm = ValuesOf<typeof snapshotForm>;

export type SnapshotFormat = NonNullable<SnapshotForm["format"]>;
