import { flag } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";

export const getManagerSession = managerLookup("getManagerSession", {
  says: "Looks up whether the Proxy Manager is logged in to an account.",
  brief: "whether the Proxy Manager is logged in",
  endpoints: ["GET /api/mode"],
  gives: "The Proxy Manager's session with Bright Data.",
  result: {
    loggedIn: flag({
      says: "Whether the manager is logged in. While logged out, it knows no zones, and refuses changes of ports that name one.",
      required: true,
    }),
  },
  example: "const { loggedIn } = await brightdata.getManagerSession();",
  outputExample: `export const loggedIn = brightdata.getManagerSessionOutput().loggedIn;`,
  notes: "A person logs the manager in, on its web page.",
  async ask({ session }, _, options) {
    return { loggedIn: await session.isLoggedIn(options) };
  },
});
