import { count, type Facts, text } from "../declaration/property";

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
