import { ownIn } from "../base/json";
import { list, text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { zone } from "../model/zone";
import { BLANK_NAME } from "./failures";

export const getZoneRecentIps = remoteLookup("getZoneRecentIps", {
  says: "Lists the client addresses that have recently tried to use a zone, whether or not they were allowed.",
  brief: "the client addresses that recently tried to use a zone",
  endpoints: ["GET /zone/recent_ips?zones="],
  arguments: { zone: zone() },
  gives: "Client addresses that have tried to use a zone.",
  result: {
    zone: zone(),
    ips: list(text({}), {
      says: "The addresses, in the order of the service; empty for a zone that nobody has tried to use.",
      required: true,
    }),
  },
  fails: [["NotFoundError", "the service says that there is no such zone, which it does not always do"], BLANK_NAME],
  example: `const { ips } = await brightdata.getZoneRecentIps({ zone: "web" });`,
  outputExample: `const { ips } = brightdata.getZoneRecentIpsOutput({ zone: "web" });
export const strangers = ips.apply((all) => all.filter((ip) => !ip.startsWith("203.0.113.")));`,
  notes: "The list may also be empty for a zone that does not exist.",
  async ask(client, { zone }, options) {
    const found = await ofZone(client, zone, () => client.zones.recentIps([zone], options), options);
    const ips: string[] = ownIn(found, zone) ?? [];
    return { zone, ips };
  },
});
