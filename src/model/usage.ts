import { text } from "../declaration/property";

/** The ends of a period, either of which may be left to the service. */
export const period = {
  from: text({ says: "First day, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm:ss`, UTC." }),
  to: text({ says: "Day after the last, in the same forms: it is not part of the period." }),
} as const;
