import { kind } from "../../declaration/kind";
import { text } from "../../declaration/property";

export const managerUser = kind("ManagerUser", {
  says: "A user of the account who may use the ports of its Proxy Managers, with a password of their own. **Destroying the resource leaves the user**, because the manager cannot remove users.",
  brief: "a user of the ports, with a password of their own",
  service: "manager",
  id: { says: "The user's email address.", example: "ops@example.com" },
  endpoints: ["POST /api/lpm_user", "GET /api/lpm_users"],
  timeouts: 60,
  inputs: {
    email: text({
      says: "Email address of the user, in upper or lower case.",
      expected: "expected an email address.",
      must: [
        {
          // In an id, what stands before a slash is the name of a Proxy Manager.
          pattern: /^[^\s,@/]+@[^\s,@/]+$/,
          expected: 'expected one email address without a slash, such as "ops@example.com".',
        },
      ],
      required: true,
      replaces: true,
      compares: "caseless",
      example: "ops@example.com",
    }),
  },
  outputs: {
    password: text({
      says: "Password with which the user authenticates to the ports. The service generates it.",
      secret: true,
      required: true,
    }),
  },
  adopts: "Takes over a user who already exists, instead of failing.",
  announced: ["email"],
  namedBy: "always",
  fails: "the user already exists (see {@link ManagerUserArgs.adopt}), or the manager is not logged in",
  example: `const user = new brightdata.ManagerUser("ops", { email: "ops@example.com" });
new brightdata.ProxyPort("ops", { zone: "web", user: user.email, userPassword: user.password });`,
});
