import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();

const zone = new brightdata.Zone("web", {
  plan: { type: "static", ipsType: "shared", country: config.get("country") ?? "us" },
  disabled: config.getBoolean("paused") ?? false,
});

const ports = ["search", "shop", "news"].map(
  (topic) =>
    new brightdata.ProxyPort(topic, {
      zone: zone.name,
      internalName: topic,
      rotateSession: config.getBoolean("rotate") ?? false,
    }),
);

new brightdata.WhitelistIp("office", { ip: config.get("office") ?? "203.0.113.7", list: "ports" });

const cost = brightdata.getZoneCostOutput({ zone: zone.name });
const bandwidth = brightdata.getZoneBandwidthOutput({ zone: zone.name });

export const zoneName = zone.name;
export const password = zone.password;
export const urls = ports.map((port) => pulumi.interpolate`http://127.0.0.1:${port.listenPort}`);
export const dollarsThisMonth = cost.apply(({ periods }) => periods.backM0?.cost ?? 0);
export const bytesThisMonth = bandwidth.apply(({ sums }) => sums.backM0?.bwSum ?? 0);
