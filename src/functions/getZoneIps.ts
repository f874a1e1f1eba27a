import { list } from "../declaration/property";
import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { allocatedIp } from "../model/allocatedIp";
import { zone } from "../model/zone";
import { BLANK_NAME, NO_SUCH_ZONE } from "./failures";

export const getZoneIps = remoteLookup("getZoneIps", {
  says: "Lists the proxy IPs that are allocated to a datacenter or ISP zone.",
  brief: "a zone's proxy IPs",
  endpoints: ["GET /zone/ips?zone="],
  arguments: { zone: zone() },
  gives: "Proxy IPs of a zone.",
  result: {
    zone: zone(),
    ips: list(allocatedIp, { says: "The IPs, in the order of the service.", required: true }),
  },
  fails: [
    [
      "InvalidRequestError",
      "the zone has no IPs of its own, like residential, mobile, Web Unlocker and SERP zones: `Wrong zone plan`",
    ],
    NO_SUCH_ZONE,
    BLANK_NAME,
  ],
  example: `const { ips } = await brightdata.getZoneIps({ zone: "web" });
const addresses = ips.map(({ ip }) => ip);`,
  outputExample: `const { ips } = brightdata.getZoneIpsOutput({ zone: "web" });
export const addresses = ips.apply((all) => all.map(({ ip }) => ip));`,
  async ask(client, { zone }, options) {
    return { zone, ips: await ofZone(client, zone, () => client.ips.list(zone, options), options) };
  },
});
