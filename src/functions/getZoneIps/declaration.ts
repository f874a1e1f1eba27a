import { list, map, object, text } from "../../declaration/property";
import { lookup } from "../../program/lookup";
import { ofZone } from "../../program/ofZone";
import { BLANK_NAME, NO_SUCH_ZONE, zone } from "../properties";

export const getZoneIps = lookup("getZoneIps", {
  says: "Lists the proxy IPs that are allocated to a datacenter or ISP zone.",
  brief: "a zone's proxy IPs",
  service: "remote",
  endpoints: ["GET /zone/ips?zone="],
  arguments: { zone: zone() },
  gives: "Proxy IPs of a zone.",
  result: {
    zone: zone(),
    ips: list(
      object(
        {
          ip: text({ says: "The address.", required: true }),
          countries: map(text({}), {
            says: "Where databases locate it, as two letters by the database: `maxmind`, `dbip`, `ip2location`, `google`.",
            required: true,
          }),
        },
        { named: "AllocatedIp", says: "A proxy IP of a zone." },
      ),
      { says: "The IPs, in the order of the service.", required: true },
    ),
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
