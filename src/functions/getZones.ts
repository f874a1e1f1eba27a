import { flag, list } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { zoneSummary } from "../model/zone";

export const getZones = remoteLookup("getZones", {
  says: "Lists the account's zones: all of them, including disabled and deleted ones, or only the active ones.",
  brief: "the account's zones, or only the active ones",
  endpoints: ["GET /zone/get_all_zones", "GET /zone/get_active_zones"],
  arguments: {
    active: flag({
      says: "Whether to list only the active zones. The service then omits their `status`.",
      default: false,
    }),
  },
  gives: "Zones of the account.",
  result: {
    zones: list(zoneSummary, { says: "In the order of the service.", required: true }),
  },
  example: `const { zones } = await brightdata.getZones();
const forgotten = zones.filter(({ status }) => status === "disabled");`,
  outputExample: `const { zones } = brightdata.getZonesOutput();
export const switchedOff = zones.apply((all) => all.filter(({ status }) => status === "disabled").map(({ name }) => name));`,
  notes: "A new zone may take some seconds to appear in either list.",
  async ask({ zones }, { active }, options) {
    return { zones: await (active === true ? zones.listActive(options) : zones.listAll(options)) };
  },
});
