import { named, text, type ValueOf } from "../declaration/property";

/** The manager counts with a timer, and one that is set for longer runs out at once. */
export const LONGEST_BAN_MS = 2 ** 31 - 1;

/** A banned IP of a port. */
export const ban = named("Ban", "A banned IP of a port.", {
  ip: text({ says: "The IP, or the 33 characters by which Bright Data hides one.", required: true }),
  domain: text({ says: "The target host that it is not used for. Absent if it is not used for any." }),
  until: text({
    says: "When the ban ends, ISO 8601. Absent if it ends with the manager's next restart.",
  }),
});

export type Ban = ValueOf<typeof ban>;
