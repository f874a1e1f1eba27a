import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { plainZone, zone, zoneStatus } from "../model/zone";
import { lineOf, withStatus } from "../remote/zoneList";
import { BLANK_NAME, NO_SUCH_ZONE } from "./failures";

export const getZone = remoteLookup("getZone", {
  says: "Looks up a zone: its plan, who may use it, and whether it is active. Its passwords are not included; `getZonePasswords` looks them up.",
  brief: "a zone, without its passwords",
  endpoints: ["GET /zone?zone=", "GET /zone/get_all_zones"],
  arguments: { name: zone() },
  gives: "A zone, without its passwords.",
  result: { ...plainZone, status: zoneStatus() },
  fails: [NO_SUCH_ZONE, BLANK_NAME],
  example: `const { plan, status } = await brightdata.getZone({ name: "web" });`,
  outputExample: `const zone = brightdata.getZoneOutput({ name: "web" });
export const product = zone.plan.apply(({ product }) => product);
export const status = zone.status;`,
  notes: "If the token may not list the zones, `status` follows from `disabled`.",
  async ask(client, { name }, options) {
    const zone = await ofZone(client, name, () => client.zones.get(name, options), options);
    const { passwords: _, ...known } = withStatus(zone, await lineOf(name, client.zones.listAll(options)));
    return known;
  },
});
