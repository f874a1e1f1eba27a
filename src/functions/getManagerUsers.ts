import { list } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { managerUser } from "../model/managerUser";

export const getManagerUsers = managerLookup("getManagerUsers", {
  says: "Lists the users of the Proxy Manager's account, with their passwords as secrets.",
  brief: "the Proxy Manager's users, with their passwords as secrets",
  endpoints: ["GET /api/lpm_users"],
  gives: "Users of the Proxy Manager's account.",
  result: {
    users: list(managerUser, {
      says: "The users; empty while the manager is logged out, and if it cannot reach Bright Data.",
      required: true,
    }),
  },
  example: `const { users } = await brightdata.getManagerUsers();
const password = users.find(({ email }) => email === "ops@example.com")?.password;`,
  outputExample: `const { users } = brightdata.getManagerUsersOutput();
export const password = users.apply((all) => all.find(({ email }) => email === "ops@example.com")?.password);`,
  async ask({ users }, _, options) {
    return { users: await users.list(options) };
  },
});
