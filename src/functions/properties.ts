import type { Failure } from "../declaration/function";
import { text } from "../declaration/property";

/** Name of a zone. */
export const zone = () => text({ says: "Name of the zone.", required: true, example: "web_scraping" });

/** Whether a zone can be used. */
export const zoneStatus = () => text({ says: "`active`, `disabled` or `deleted`.", required: true });

/** The ends of a period, either of which may be left to the service. */
export const period = {
  from: text({ says: "First day, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss`, UTC." }),
  to: text({ says: "Day after the last, in the same forms: it is not part of the period." }),
} as const;

export const NO_SUCH_ZONE: Failure = ["NotFoundError", "there is no such zone, with the names that are most like it"];

export const BLANK_NAME: Failure = ["ArgumentError", "the name is blank"];
