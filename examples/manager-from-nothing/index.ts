import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const words = (key: string): string[] => config.require(key).split(/\s+/).filter(Boolean);

const zone = new brightdata.Zone("fleet", { plan: { type: "static", ipsType: "shared" } });

// Without the address lists: the resources below manage them, and each list has one owner.
const settings = new brightdata.ManagerSettings("manager", { log: "info", logs: 5000, harLimit: 4096 });

for (const ip of words("offices")) new brightdata.WhitelistIp(`office-${ip}`, { ip });
for (const ip of words("workers")) new brightdata.WhitelistIp(`worker-${ip}`, { ip, list: "ports" });

const ports = words("countries").map(
  (country) =>
    new brightdata.ProxyPort(
      `shop-${country}`,
      { zone: zone.name, country, internalName: `shop-${country}`, rotateSession: true },
      { dependsOn: settings },
    ),
);

for (const ip of words("blocked")) {
  new brightdata.BannedIp(`blocked-${ip}`, {
    ip,
    domain: config.require("shop"),
    ports: ports.map(({ port }) => port),
  });
}

export const zoneName = zone.name;
export const urls = pulumi
  .all(ports.map(({ country, listenPort }) => pulumi.all([country, listenPort])))
  .apply((all) => Object.fromEntries(all.map(([country, port]) => [country, `http://127.0.0.1:${port}`])));
