import { ZoneAccess, type ZoneAccessArgs } from "../../../src";
import type { Sample } from "../sample";
import { addZone } from "./prerequisites";

const LISTS = {
  allowedIps: "allowed",
  deniedIps: "denied",
  allowedDomains: "allowed domains",
  deniedDomains: "denied domains",
};

const listOf = (value: unknown): string => (Array.isArray(value) ? value.map(String).sort().join() : "");

export const samples: Sample[] = [
  {
    make: (name, args, options) => new ZoneAccess(name, args as unknown as ZoneAccessArgs, options),
    prepare(simulator) {
      addZone(simulator, "web");
      addZone(simulator, "shop");
    },
    args: {
      zone: "web",
      allowedIps: ["203.0.113.7", "203.0.113.64/26"],
      deniedIps: ["198.51.100.1"],
      allowedDomains: ["example.com"],
      deniedDomains: ["example.org"],
    },
    changes: {
      zone: { args: { zone: "shop" }, replaces: true },
      "other allowed addresses": { args: { allowedIps: ["203.0.113.8"] } },
      "no denied addresses": { args: { deniedIps: undefined } },
      "other domains": { args: { allowedDomains: ["example.net"], deniedDomains: [] } },
      "domains removed": { args: { allowedDomains: undefined, deniedDomains: undefined } },
      adopt: { args: { adopt: true } },
      timeouts: { args: { timeouts: { update: 300 } } },
    },
    waived: {
      "imported by a file that is out of date":
        "an address that has come on a list since is refused, for nobody agreed that it goes: see zoneAccess.test.ts",
      "its provider leads elsewhere: where there is one like it":
        "all that a move knows it by is what is declared, and another account may have the same",
    },
    touches: ({ zone }) => Object.values(LISTS).map((list) => `${list} ${zone}`),
    holds: (world, outputs) =>
      Object.entries(LISTS).every(([name, list]) => listOf(outputs[name]) === listOf(world[`${list} ${outputs.zone}`])),
    indistinct: [
      {
        request: /^GET \/zone\/blacklist$/,
        faults: /^{} /,
        reason: "an empty object is what the service answers where nothing is denied",
      },
      {
        request: /^DELETE \/zone\/domain_perm$/,
        faults: /^({}|wrong types) before$/,
        reason: "what the service answers when no domain remains is not documented, and the list cannot be read",
      },
    ],
    edit({ account }, { zone }) {
      account.zone(String(zone))?.ips.push("198.51.100.9");
    },
    foreign: {
      place({ account }) {
        const zone = account.zone("web");
        if (zone !== undefined) zone.ips = ["198.51.100.77"];
      },
      adoptable: true,
    },
  },
];
