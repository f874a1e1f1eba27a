import { flag, list, text } from "../../declaration/property";
import { foundPlan } from "../../model/plan";
import { lookup } from "../../program/lookup";
import { ofZone } from "../../program/ofZone";
import { lineOf, withStatus } from "../../remote/zoneList";
import { BLANK_NAME, NO_SUCH_ZONE, zone, zoneStatus } from "../properties";

export const getZone = lookup("getZone", {
  says: "Looks up a zone: its plan, who may use it, and whether it is active. Its passwords are not included; `getZonePasswords` looks them up.",
  brief: "a zone, without its passwords",
  service: "remote",
  endpoints: ["GET /zone?zone=", "GET /zone/get_all_zones"],
  arguments: { name: zone() },
  gives: "A zone, without its passwords.",
  result: {
    name: zone(),
    created: text({ says: "When the zone was created, ISO 8601." }),
    ips: list(text({}), { says: "Client addresses that may use the zone; `any` for all.", required: true }),
    perm: text({ says: "What requests may name, separated by spaces, such as `country city`." }),
    description: text({ says: "Description of the zone." }),
    plan: { ...foundPlan, required: true },
    disabled: flag({ says: "Whether the zone is disabled.", required: true }),
    status: zoneStatus(),
  },
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
