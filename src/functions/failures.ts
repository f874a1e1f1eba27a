import type { Failure } from "../lookups/lookup";

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
