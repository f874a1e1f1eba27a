import { kind, triggers } from "../../declaration/kind";
import { flag, list, text } from "../../declaration/property";
import { cityOfCountry, ipCity, ipCountry, zoneName } from "../../model/zone";

const TARGETS = ["ips", "vips", "all"] as const;

/** The IPs of a program come from outputs that change with every refresh: by them it would refresh again, and pay, for ever. */
const MANNER = { onChange: "used by the next refresh" } as const;

export const zoneIpRefresh = kind("ZoneIpRefresh", {
  says: "Replaces IPs of a zone by new ones: once when the resource is created, and again when a trigger or the zone changes. It costs money for each IP, each time. Exactly one of `ips`, `vips` and `all` says what is refreshed.",
  brief: "replaces IPs of a zone. Billed per IP",
  service: "remote",
  isAction: true,
  id: { says: "Name of the zone and random digits.", example: "web_scraping/1f2e3d4c", pattern: /^[^/]+\/[\da-f]{8}$/ },
  endpoints: ["GET /zone/ips", "GET /zone/route_vips", "GET /zone", "POST /zone/ips/refresh"],
  timeouts: { create: 120, read: 60, update: 60, delete: 60 },
  inputs: {
    zone: zoneName({ says: "Name of the zone.", required: true }),
    ips: list(text({ expected: "expected an IP of the zone." }), {
      ...MANNER,
      says: "Proxy IPs of the zone, which has a `static` plan.",
      expected: "expected a list of IPs.",
      least: 1,
      tooFew: "expected at least one IP; for all of them say `all: true`.",
      example: ["198.51.100.7"],
    }),
    vips: list(text({ expected: "expected a gIP's name." }), {
      ...MANNER,
      says: "gIPs of the zone, which has a residential plan, by name.",
      expected: 'expected a list of gIPs, such as "tr_9121_07_antalya_10".',
      least: 1,
      tooFew: "expected at least one gIP; for all of them say `all: true`.",
      example: ["tr_9121_07_antalya_10"],
    }),
    all: flag({
      ...MANNER,
      says: "All that the zone has. The service takes a missing list for that; the package wants it said.",
      only: true,
      expected: "expected true, or to be left out.",
    }),
    country: ipCountry({
      ...MANNER,
      says: "Country of the new IPs, two letters in lower case.",
      defaultSays: "that of the old ones",
    }),
    countryCity: ipCity({
      ...MANNER,
      says: "City of the new IPs, as the service writes it.",
      defaultSays: "that of the old ones",
    }),
    triggers: triggers(),
  },
  outputs: {
    kind: text({
      says: "Whether the service has refreshed proxy IPs (`ips`) or gIPs (`gips`).",
      oneOf: ["ips", "gips"],
      required: true,
    }),
    previousIps: list(text({}), {
      says: "The IPs of the zone, or its gIPs, before the refresh; not set where the service does not list them.",
    }),
    currentIps: list(text({}), { says: "The IPs of the zone, or its gIPs, after the refresh.", required: true }),
    newIps: list(text({}), { says: "Those of `currentIps` that are new.", required: true }),
    earlierIps: list(text({}), { hidden: true }),
    stale: list(text({}), { hidden: true }),
    outcome: text({ oneOf: ["unknown"], hidden: true }),
  },
  rules: [
    cityOfCountry,
    {
      reads: [],
      failure(inputs) {
        const given = TARGETS.filter((name) => inputs[name] !== undefined);
        if (given.length === 1) return undefined;
        const mistake =
          given.length === 0
            ? "It is not said what to refresh"
            : `${given.map((name) => `\`${name}\``).join(" and ")} are given`;
        return `${mistake}: give one of \`ips\`, \`vips\` and \`all: true\`. Each IP that is refreshed costs money.`;
      },
    },
  ],
  fails: "the zone does not have such an IP, or when it cannot be found out whether the refresh was done",
  example: `new brightdata.ZoneIpRefresh("monthly", { zone: zone.name, all: true, triggers: ["2026-01"] });`,
});
