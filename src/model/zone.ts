import { text } from "../declaration/property";

/** Name of a zone. */
export const zone = () => text({ says: "Name of the zone.", required: true, example: "web_scraping" });

/** Whether a zone can be used. */
export const zoneStatus = () => text({ says: "`active`, `disabled` or `deleted`.", required: true });
