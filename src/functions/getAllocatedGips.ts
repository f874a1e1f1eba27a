import { list, text } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { zone } from "../model/zone";
import { BLANK_NAME, NO_ZONE_OF_THE_MANAGER } from "./failures";

export const getAllocatedGips = managerLookup("getAllocatedGips", {
  says: "Lists the dedicated residential IPs (gIPs) of a zone through the Proxy Manager, which asks Bright Data. It needs no API token.",
  brief: "a zone's gIPs, through the Proxy Manager",
  endpoints: ["GET /api/allocated_vips?zone="],
  arguments: { zone: zone() },
  gives: "Dedicated residential IPs of a zone.",
  result: {
    zone: zone(),
    gips: list(text({}), {
      says: "Names of the gIPs: each stands for a group of peers.",
      required: true,
    }),
  },
  fails: [NO_ZONE_OF_THE_MANAGER, BLANK_NAME],
  example: `const { gips } = await brightdata.getAllocatedGips({ zone: "homes" });`,
  outputExample: `export const names = brightdata.getAllocatedGipsOutput({ zone: "homes" }).gips;`,
  async ask({ ips }, { zone }, options) {
    return { zone, gips: await ips.allocatedGips(zone, options) };
  },
});
