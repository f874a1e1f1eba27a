import { named, text, type ValueOf } from "../declaration/property";

/** A user of the account who may use the ports. */
export const managerUser = named("ManagerUserDescription", "A user of the Proxy Manager's account.", {
  email: text({ says: "Email address.", required: true }),
  password: text({
    says: "Password with which the user authenticates to the ports. Absent if the manager does not know it.",
    secret: true,
  }),
});

export type User = ValueOf<typeof managerUser>;
