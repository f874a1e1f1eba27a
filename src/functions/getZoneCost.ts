import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { period, zoneCost } from "../model/usage";
import { zone } from "../model/zone";
import { NO_SUCH_ZONE } from "./failures";

export const getZoneCost = remoteLookup("getZoneCost", {
  says: "Looks up what a zone has cost, in US dollars. Parts of days count as whole ones.",
  brief: "a zone's cost, in US dollars",
  endpoints: ["GET /zone/cost?zone=&from=&to="],
  arguments: { zone: zone(), ...period },
  gives: "Cost of a zone in US dollars, with its bandwidth in bytes, by period.",
  result: zoneCost,
  fails: [NO_SUCH_ZONE, ["ArgumentError", "the name is blank, a date is invalid, or `to` is not later than `from`"]],
  example: `const { periods } = await brightdata.getZoneCost({ zone: "web", from: "2026-05-01", to: "2026-06-01" });
const dollarsInMay = periods.custom?.cost ?? 0;`,
  outputExample: `const cost = brightdata.getZoneCostOutput({ zone: "web", from: "2026-05-01", to: "2026-06-01" });
export const dollarsInMay = cost.apply(({ periods }) => periods.custom?.cost ?? 0);`,
  ask: (client, { zone, ...period }, options) =>
    ofZone(client, zone, () => client.usage.cost(zone, period, options), options),
});
