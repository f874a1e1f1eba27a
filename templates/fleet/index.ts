import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";
import { guarded, nameOf, withinLimit } from "./environment";

const config = new pulumi.Config();
const listOf = (key: string): string[] => config.requireObject<string[]>(key);
const countries = listOf("countries");
const managers = listOf("managers");
const machines = listOf("machines");
const portsPerCountry = config.requireNumber("portsPerCountry");
const ips = withinLimit(config.requireNumber("ips") * countries.length, "IPs", "maxIps") / countries.length;

const planOf = (country: string): brightdata.ZonePlanArgs =>
  ips === 0 ? { type: "static", ipsType: "shared", country } : { type: "static", ipsType: "dedicated", ips, country };

const zones = countries.map((country) => {
  const zone = new brightdata.Zone(country, { name: nameOf(`web_${country}`), plan: planOf(country) }, guarded);
  if (machines.length > 0) new brightdata.ZoneAccess(country, { zone: zone.name, allowedIps: machines });
  return { country, zone };
});

/** The same ports for every manager. Their numbers are the manager's choice, so environments can share one. */
const ports: Record<string, brightdata.PortSettingsArgs> = {};
for (const { country, zone } of zones)
  for (let number = 1; number <= portsPerCountry; number++) ports[`${country}-${number}`] = { zone: zone.name };

const settings = brightdata.readSettings((key) => pulumi.runtime.getConfig(key));

/** The URLs of the ports of one manager, by their keys. */
function portsOn(manager: string | undefined): pulumi.Output<Record<string, string>> {
  const { hostname } = new URL(brightdata.connected(settings, { manager }).proxyManagerUrl);
  const set = new brightdata.ProxyPorts(manager ?? "ports", {
    manager,
    ports,
    defaults: { whitelistIps: listOf("clients"), rotateSession: true },
  });
  return pulumi
    .output(set.ports)
    .apply((all) =>
      Object.fromEntries(Object.entries(all).map(([key, { port }]) => [key, `http://${hostname}:${port}`])),
    );
}

const fleet = pulumi.all(managers.length === 0 ? [portsOn(undefined)] : managers.map(portsOn));

export const zoneNames = zones.map(({ zone }) => zone.name);

/** The URLs of all proxies, by country. */
export const proxies = fleet.apply((machines) =>
  Object.fromEntries(
    countries.map((country) => {
      const urls = machines.flatMap((all) => Object.entries(all).filter(([key]) => key.startsWith(`${country}-`)));
      return [country, urls.map(([, url]) => url)];
    }),
  ),
);
