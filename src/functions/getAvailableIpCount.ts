import { ArgumentError } from "../base/errors";
import { count, text } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { availabilityPlan } from "../model/availability";
import { NO_SUCH_ZONE } from "./failures";

export const getAvailableIpCount = remoteLookup("getAvailableIpCount", {
  says: "Counts the IPs that are available for a datacenter or ISP zone: what can be bought, before you buy it. Exactly one of `zone` and `plan` is required.",
  brief: "how many IPs can be bought for a zone or a plan",
  endpoints: ["GET /zone/count_available_ips?zone=&plan="],
  arguments: {
    zone: text({ says: "Name of an existing zone: counts the IPs for its plan.", example: "web_scraping" }),
    plan: availabilityPlan,
  },
  gives: "How many IPs can be bought.",
  result: { count: count({ says: "How many IPs could be given to the zone now.", required: true }) },
  fails: [
    [
      "ArgumentError",
      "both `zone` and `plan` are given, or neither; the name is blank, or the country is not two letters",
    ],
    ["InvalidRequestError", "the zone can have no IPs of its own: `Wrong zone plan`"],
    NO_SUCH_ZONE,
  ],
  example: `const { count } = await brightdata.getAvailableIpCount({ plan: { ipsType: "dedicated", country: "us" } });`,
  outputExample: `const plan = { ipsType: "dedicated", country: "us", countryCity: "us-chicago" } as const;
const { count } = brightdata.getAvailableIpCountOutput({ plan });
export const enough = count.apply((available) => available >= 10);`,
  async ask(client, { zone, plan }, options) {
    const { availability } = client;
    if (zone !== undefined && plan === undefined)
      return { count: await ofZone(client, zone, () => availability.count({ zone }, options), options) };
    if (plan !== undefined && zone === undefined) return { count: await availability.count({ plan }, options) };
    throw new ArgumentError("Say what the IPs are for: one of `zone` and `plan`. Nothing was sent.");
  },
});
