import { map, named, text, type ValueOf } from "../declaration/property";

/** A proxy IP of a zone. */
export const allocatedIp = named("AllocatedIp", "A proxy IP of a zone.", {
  ip: text({ says: "The address.", required: true }),
  countries: map(text({}), {
    says: "Where databases locate it, as two letters by the database: `maxmind`, `dbip`, `ip2location`, `google`.",
    required: true,
  }),
});

export type AllocatedIp = ValueOf<typeof allocatedIp>;
