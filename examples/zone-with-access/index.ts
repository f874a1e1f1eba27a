import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const config = new pulumi.Config();
const country = config.require("country");

const zone = new brightdata.Zone("scraping", {
  plan: { type: "static", ipsType: "dedicated", ips: 1, country },
});

const more = new brightdata.ZoneIps("more", { zone: zone.name, count: config.requireNumber("ips"), country });

new brightdata.ZoneAccess("access", {
  zone: zone.name,
  allowedIps: config.require("clients").split(/\s+/).filter(Boolean),
  deniedDomains: ["login.example.com"],
});

const password = new brightdata.ZonePassword("scraper", {
  zone: zone.name,
  triggers: [config.require("passwordEdition")],
});

export const zoneName = zone.name;
export const ips = more.ips;
export const scraperPassword = password.password;
