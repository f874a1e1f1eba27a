import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";
import { guarded, nameOf, withinLimit } from "./environment";

const config = new pulumi.Config();
const country = config.require("country");
const ips = withinLimit(config.requireNumber("ips"), "IPs", "maxIps");

const plan: brightdata.ZonePlanArgs =
  ips === 0 ? { type: "static", ipsType: "shared", country } : { type: "static", ipsType: "dedicated", ips, country };

const zone = new brightdata.Zone("web", { name: nameOf("web"), plan }, guarded);

export const zoneName = zone.name;
export const password = zone.password;
export const proxyUrl = brightdata.proxyUrlOutput({
  zone: zone.name,
  password: zone.password,
  host: config.require("proxyHost"),
  port: config.requireNumber("proxyPort"),
});
