import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const words = (key: string): string[] => config.require(key).split(/\s+/).filter(Boolean);
const portsPerCountry = config.requireNumber("portsPerCountry");

const plan: brightdata.ZonePlanArgs = { type: "static", ipsType: "shared" };
const web = new brightdata.Zone("web", { plan });
const shop = new brightdata.Zone("shop", { plan, account: "shop" });

/** The same ports for every machine: from 24000 on for the first country, from 24100 on for the second, … */
const ports: Record<string, brightdata.PortSettingsArgs> = {};
for (const [block, country] of words("countries").entries()) {
  const range = { from: 24_000 + 100 * block, count: portsPerCountry, prefix: `${country}-` };
  Object.assign(ports, brightdata.portRange(range, { country }));
}

const portsOf = (name: string, zone: brightdata.Zone, options?: pulumi.CustomResourceOptions, manager?: string) =>
  new brightdata.ProxyPorts(name, { manager, ports, defaults: { zone: zone.name, rotateSession: true } }, options);

const fleet = [
  ...words("machines").map((manager) => portsOf(manager, web, {}, manager)),
  ...words("shopMachines").map((manager) => portsOf(manager, shop, {}, manager)),
];

// The address of a machine that the program makes itself would be an output of that machine.
const spareUrl = config.require("spareUrl");
if (spareUrl !== "") {
  const spare = new brightdata.Provider("spare", { proxyManagerUrl: spareUrl });
  fleet.push(portsOf("spare", web, { provider: spare }));
}

/** What the stack's own zones have cost this month. */
export const dollarsThisMonth = pulumi
  .all([
    brightdata.getZoneCostOutput({ zone: web.name }),
    brightdata.getZoneCostOutput({ zone: shop.name, account: "shop" }),
  ])
  .apply((costs) => costs.reduce((sum, { periods }) => sum + (periods.backM0?.cost ?? 0), 0));

export const zones = { web: web.name, shop: shop.name };
export const numbers = fleet.map((set) => pulumi.output(set.ports).apply((all) => Object.keys(all).length));
