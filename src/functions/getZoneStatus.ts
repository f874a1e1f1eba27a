import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { zone, zoneStatus } from "../model/zone";
import { BLANK_NAME, NO_SUCH_ZONE } from "./failures";

export const getZoneStatus = remoteLookup("getZoneStatus", {
  says: "Looks up whether a zone is active.",
  brief: "whether a zone is active",
  endpoints: ["GET /zone/status?zone="],
  arguments: { zone: zone() },
  gives: "Whether a zone can be used.",
  result: { zone: zone(), status: zoneStatus() },
  fails: [NO_SUCH_ZONE, BLANK_NAME],
  example: `const { status } = await brightdata.getZoneStatus({ zone: "web" });`,
  outputExample: `export const status = brightdata.getZoneStatusOutput({ zone: "web" }).status;`,
  notes: "The service does not document this request. [getZone](#getzone) takes the status from the list of zones.",
  async ask(client, { zone }, options) {
    return { zone, status: await ofZone(client, zone, () => client.zones.status(zone, options), options) };
  },
});
