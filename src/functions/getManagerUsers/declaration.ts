import { list, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";

export const getManagerUsers = lookup("getManagerUsers", {
  says: "Lists the users of the Proxy Manager's account, with their passwords as secrets.",
  brief: "the Proxy Manager's users, with their passwords as secrets",
  service: "manager",
  endpoints: ["GET /api/lpm_users"],
  gives: "Users of the Proxy Manager's account.",
  result: {
    users: list(
      object(
        {
          email: text({ says: "Email address.", required: true }),
          password: text({
            says: "Password with which the user authenticates to the ports. Absent if the manager does not know it.",
            secret: true,
          }),
        },
        { named: "ManagerUserDescription", says: "A user of the Proxy Manager's account." },
      ),
      {
        says: "The users; empty while the manager is logged out, and if it cannot reach Bright Data.",
        required: true,
      },
    ),
  },
  example: `const { users } = await brightdata.getManagerUsers();
const password = users.find(({ email }) => email === "ops@example.com")?.password;`,
  outputExample: `const { users } = brightdata.getManagerUsersOutput();
export const password = users.apply((all) => all.find(({ email }) => email === "ops@example.com")?.password);`,
  async ask({ users }, _, options) {
    return { users: await users.list(options) };
  },
});
