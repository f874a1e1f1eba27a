import { map, object, text, type ValueOf } from "../declaration/property";

/** A proxy IP of a zone. */
export const allocatedIp = object(
  {
    ip: text({ says: "The address.", required: true }),
    countries: map(text({}), {
      says: "Where databases locate it, as two letters by the database: `maxmind`, `dbip`, `ip2location`, `google`.",
      required: true,
    }),
  },
  { named: "AllocatedIp", says: "A proxy IP of a zone." },
);

export type AllocatedIp = ValueOf<typeof allocatedIp>;
