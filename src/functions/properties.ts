import { count, type Facts, text } from "../declaration/property";
import type { Failure } from "../program/lookup";

/** Name of a zone. */
export const zone = () => text({ says: "Name of the zone.", required: true, example: "web_scraping" });

/** Whether a zone can be used. */
export const zoneStatus = () => text({ says: "`active`, `disabled` or `deleted`.", required: true });

/** Number of a port. */
export const port = () => count({ says: "Number of the port.", required: true, least: 1, most: 65535, example: 24000 });

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

/** A network in which zones can have IPs of their own. */
export const ipPool = <const F extends Facts>(facts: F) => text({ ...facts, oneOf: ["dc", "static_res"] });

/** The ends of a period, either of which may be left to the service. */
export const period = {
  from: text({ says: "First day, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss`, UTC." }),
  to: text({ says: "Day after the last, in the same forms: it is not part of the period." }),
} as const;

export const NO_SUCH_ZONE: Failure = [
  "NotFoundError",
  "there is no such zone; the message suggests similar names if the token may list the zones",
];

export const NO_SUCH_SNAPSHOT: Failure = [
  "NotFoundError",
  "there is no such snapshot (`SnapshotNotFoundError`); the service deletes snapshots after some weeks",
];

export const BLANK_ID: Failure = ["ArgumentError", "the id is blank"];

export const BLANK_NAME: Failure = ["ArgumentError", "the name is blank"];

export const NO_ZONE_OF_THE_MANAGER: Failure = [
  "NotFoundError",
  "the manager does not know the zone; while logged out, it knows none",
];

export const NOT_LISTENING: Failure = ["NotFoundError", "no port listens on that number"];

export const NO_PORT_NUMBER: Failure = ["ArgumentError", "the number is not a whole number from 1 to 65535"];
