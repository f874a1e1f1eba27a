import { list } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { ban } from "../model/ban";
import { port } from "../model/port";
import { NO_PORT_NUMBER, NOT_LISTENING } from "./failures";

export const getBannedIps = managerLookup("getBannedIps", {
  says: "Lists the proxy IPs that are banned on a port of the Proxy Manager.",
  brief: "the IPs that are banned on a port",
  endpoints: ["GET /api/banlist/{PORT}?full=true"],
  arguments: { port: port() },
  gives: "The IPs that a port does not use.",
  result: {
    port: port(),
    bans: list(ban, { says: "The bans.", required: true }),
  },
  fails: [NOT_LISTENING, NO_PORT_NUMBER],
  example: `const { bans } = await brightdata.getBannedIps({ port: 24000 });
const untilRestart = bans.filter(({ until }) => until === undefined);`,
  outputExample: `const { bans } = brightdata.getBannedIpsOutput({ port: 24000 });
export const untilRestart = bans.apply((all) => all.filter(({ until }) => until === undefined).map(({ ip }) => ip));`,
  async ask({ bans }, { port }, options) {
    return { port, bans: await bans.list(port, options) };
  },
});
