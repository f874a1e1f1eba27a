import { object, text, type ValueOf } from "../declaration/property";

/** A banned IP of a port. */
export const ban = object(
  {
    ip: text({ says: "The IP, or the 33 characters by which Bright Data hides one.", required: true }),
    domain: text({ says: "The target host that it is not used for. Absent if it is not used for any." }),
    until: text({
      says: "When the ban ends, ISO 8601. Absent if it ends with the manager's next restart.",
    }),
  },
  { named: "Ban", says: "A banned IP of a port." },
);

export type Ban = ValueOf<typeof ban>;
