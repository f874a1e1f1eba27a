import { list } from "../declaration/property";
import { managerLookup } from "../lookups/lookup";
import { managerZone } from "../model/managerZone";

export const getManagerZones = managerLookup("getManagerZones", {
  says: "Lists the zones that the Proxy Manager knows, including disabled ones, without their passwords.",
  brief: "the zones that the Proxy Manager knows",
  endpoints: ["GET /api/zones"],
  gives: "The account's zones as the Proxy Manager knows them.",
  result: {
    zones: list(managerZone, { says: "The zones; empty while the manager is logged out.", required: true }),
  },
  example: `const { zones } = await brightdata.getManagerZones();
const enabled = zones.filter(({ disabled }) => !disabled);`,
  outputExample: `const { zones } = brightdata.getManagerZonesOutput();
export const enabled = zones.apply((all) => all.filter(({ disabled }) => !disabled).map(({ name }) => name));`,
  notes: "A new zone may be missing for a moment: the manager learns of it from Bright Data.",
  async ask({ zones }, _, options) {
    return { zones: await zones.list(options) };
  },
});
