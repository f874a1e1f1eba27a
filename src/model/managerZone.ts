import { any, flag, map, object, text, type ValueOf } from "../declaration/property";

/** A zone of the account as the manager knows it, without its password. */
export const managerZone = object(
  {
    name: text({ says: "Name of the zone.", required: true }),
    plan: map(any({}), { says: "The plan as the manager has it, in camel case.", required: true }),
    disabled: flag({ says: "Whether the zone is disabled.", required: true }),
  },
  { named: "ManagerZone", says: "A zone of the account as the manager knows it." },
);

export type ManagerZone = ValueOf<typeof managerZone>;
