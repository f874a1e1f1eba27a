import { count } from "../declaration/property";

/** Number of a port. */
export const port = () => count({ says: "Number of the port.", required: true, least: 1, most: 65535, example: 24000 });
