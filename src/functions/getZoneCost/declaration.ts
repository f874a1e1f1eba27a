import { any, map, number, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";
import { ofZone } from "../../program/ofZone";
import { NO_SUCH_ZONE, period, zone } from "../properties";

export const getZoneCost = lookup("getZoneCost", {
  says: "Looks up what a zone has cost, in US dollars. Only whole days count.",
  brief: "a zone's cost, in US dollars",
  service: "remote",
  endpoints: ["GET /zone/cost?zone=&from=&to="],
  arguments: { zone: zone(), ...period },
  gives: "Cost of a zone in US dollars, with its bandwidth in bytes, by period.",
  result: {
    zone: zone(),
    customerId: text({ says: "Id of the account." }),
    periods: map(
      object(
        {
          cost: number({ says: "What the zone has cost.", unit: "US dollars", required: true }),
          bw: number({
            says: "What it has transferred; `0` where the service gives a cost only.",
            unit: "bytes",
            required: true,
          }),
          details: map(any({}), {
            says: "Further figures of the plan, such as `gbs` (gigabytes of 10⁹ bytes), `ips`, `vips`, `reqsSerp` (numbers), `range`.",
            required: true,
          }),
        },
        { named: "CostEntry", says: "Cost and bandwidth of a zone in one period." },
      ),
      {
        says: "By period. Without dates: `backM2`, `backM1` and `backM0` (the calendar month before the last, the last, this one), `backD2`, `backD1` and `backD0` (the day before yesterday, yesterday, today). With dates: `custom`. The periods overlap: do not add them up.",
        required: true,
      },
    ),
  },
  fails: [NO_SUCH_ZONE, ["ArgumentError", "the name is blank, a date is invalid, or `to` is not later than `from`"]],
  example: `const { periods } = await brightdata.getZoneCost({ zone: "web", from: "2026-05-01", to: "2026-06-01" });
const dollarsInMay = periods.custom?.cost ?? 0;`,
  outputExample: `const cost = brightdata.getZoneCostOutput({ zone: "web", from: "2026-05-01", to: "2026-06-01" });
export const dollarsInMay = cost.apply(({ periods }) => periods.custom?.cost ?? 0);`,
  ask: (client, { zone, ...period }, options) =>
    ofZone(client, zone, () => client.usage.cost(zone, period, options), options),
});
