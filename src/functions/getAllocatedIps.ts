import { list, text } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { zone } from "../model/zone";
import { BLANK_NAME, NO_ZONE_OF_THE_MANAGER } from "./failures";

export const getAllocatedIps = managerLookup("getAllocatedIps", {
  says: "Lists the proxy IPs of a zone through the Proxy Manager, which asks Bright Data. It needs no API token.",
  brief: "a zone's IPs, through the Proxy Manager",
  endpoints: ["GET /api/allocated_ips?zone="],
  arguments: { zone: zone() },
  gives: "Proxy IPs of a zone.",
  result: {
    zone: zone(),
    ips: list(text({}), { says: "The addresses.", required: true }),
  },
  fails: [NO_ZONE_OF_THE_MANAGER, BLANK_NAME],
  example: `const { ips } = await brightdata.getAllocatedIps({ zone: "web" });`,
  outputExample: `export const addresses = brightdata.getAllocatedIpsOutput({ zone: "web" }).ips;`,
  notes: "With a token, [getZoneIps](zones.md#getzoneips) asks Bright Data directly, and also tells where the IPs are.",
  async ask({ ips }, { zone }, options) {
    return { zone, ips: await ips.allocated(zone, options) };
  },
});
