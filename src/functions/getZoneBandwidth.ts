import { remoteLookup } from "../lookups/lookup";
import { ofZone } from "../lookups/ofZone";
import { period, zoneBandwidth } from "../model/usage";
import { zone } from "../model/zone";
import { NO_SUCH_ZONE } from "./failures";

export const getZoneBandwidth = remoteLookup("getZoneBandwidth", {
  says: "Looks up a zone's traffic in bytes and its number of requests.",
  brief: "a zone's traffic, in bytes",
  endpoints: ["GET /zone/bw?zone=&from=&to="],
  arguments: { zone: zone(), ...period },
  gives: "Bandwidth of a zone, by metric: `bw…` are bytes, `…Req` are numbers of requests.",
  result: zoneBandwidth,
  fails: [NO_SUCH_ZONE, ["ArgumentError", "the name is blank, a date is invalid, or `to` is not later than `from`"]],
  example: `const { sums } = await brightdata.getZoneBandwidth({ zone: "web" });
const bytesThisMonth = sums.backM0?.bwSum ?? 0;`,
  outputExample: `const zone = new brightdata.Zone("web", { plan: { type: "static", ipsType: "shared" } }, { protect: true });
const bandwidth = brightdata.getZoneBandwidthOutput({ zone: zone.name });
export const bytesThisMonth = bandwidth.apply(({ sums }) => sums.backM0?.bwSum ?? 0);`,
  notes:
    "Bytes: `bwSum` (all traffic), `bwUp` and `bwDn` (sent and received), `bwSumDc`, `bwSumRes` and `bwApi` (parts of it, as the service counts them). Numbers of requests: `httpDirectReq`, `httpsDirectReq` and `httpsSvcReq`. Which metrics there are depends on the plan. A missing metric means that nothing was used.",
  ask: (client, { zone, ...period }, options) =>
    ofZone(client, zone, () => client.usage.bandwidth(zone, period, options), options),
});
