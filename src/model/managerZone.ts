import { any, flag, map, named, text, type ValueOf } from "../declaration/property";

/** A zone of the account as the manager knows it, without its password. */
export const managerZone = named("ManagerZone", "A zone of the account as the manager knows it.", {
  name: text({ says: "Name of the zone.", required: true }),
  plan: map(any({}), { says: "The plan as the manager has it, in camel case.", required: true }),
  disabled: flag({ says: "Whether the zone is disabled.", required: true }),
});

export type ManagerZone = ValueOf<typeof managerZone>;
