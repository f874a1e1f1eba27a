import { count, flag, list, named, text, type ValuesOf } from "../declaration/property";

/** Number of a port. */
export const port = () => count({ says: "Number of the port.", required: true, least: 1, most: 65535, example: 24000 });

/** Whether requests pass through a port. */
export const portStatus = {
  ok: flag({ says: "Whether requests pass through.", required: true }),
  status: text({ says: "`ok`, `Disabled zone`, or what was wrong in the manager's words.", required: true }),
  details: list(
    named("PortProblem", "Something that the manager finds wrong with the settings of a port.", {
      message: text({ says: "The manager's words.", required: true }),
      field: text({ says: "Name of the field that it is about." }),
    }),
    { says: "What the manager finds wrong with the settings of the port.", required: true },
  ),
} as const;

export type PortStatus = ValuesOf<typeof portStatus>;
