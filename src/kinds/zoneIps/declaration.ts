import { kind } from "../../declaration/kind";
import { count, list, object, text } from "../../declaration/property";
import type { Rule } from "../../declaration/rules";
import { cityOfCountry, ipCity, ipCountry, zoneName } from "../../model/zone";

/** gIPs cannot be added, so where new ones should be means nothing to them. */
const onlyForNewIps = (name: string): Rule => ({
  reads: ["kind", name],
  failure: (inputs) =>
    inputs.kind === "gips" && inputs[name] !== undefined
      ? `\`${name}\` says where new IPs should be, and gIPs cannot be added. Take it away.`
      : undefined,
});

export const zoneIps = kind("ZoneIps", {
  says: "Proxy IPs of a zone, beyond those that the zone is created with. The resource owns the IPs that it has added, and no others.",
  brief: "additional IPs or gIPs of a zone. Billed",
  service: "remote",
  id: { says: "Zone and kind, separated by a slash.", example: "web_scraping/ips", pattern: /^[^/]+\/(ips|gips)$/ },
  endpoints: [
    "GET /zone/ips",
    "POST /zone/ips",
    "DELETE /zone/ips",
    "GET /zone/route_vips",
    "DELETE /zone/vips",
    "GET /zone",
  ],
  timeouts: { create: 120, read: 60, update: 120, delete: 120 },
  inputs: {
    zone: zoneName({ says: "Name of the zone.", required: true, replaces: true }),
    count: count({
      says: "How many IPs, from 0 on, beyond those that the zone is created with. Each costs money. In an update, IPs are added, or the surplus is given back, the newest first.",
      least: 0,
      expected: "expected a whole number from 0 on.",
      required: true,
      outputSays: "How many of its IPs the zone has.",
    }),
    kind: text({
      says: "`ips` (proxy IPs of a zone with a `static` plan) or `gips` (gIPs of a residential one, which can be taken over and given back but not added: only with `adopt`).",
      oneOf: ["ips", "gips"],
      default: "ips",
      compares: "lenient",
      replaces: true,
    }),
    country: ipCountry({
      says: "Country of the IPs, two letters in lower case.",
      defaultSays: "that of the zone",
      replaces: true,
    }),
    countryCity: ipCity({
      says: "City of the IPs, as the service writes it.",
      defaultSays: "that of the zone",
      replaces: true,
    }),
  },
  outputs: {
    ips: list(text({}), {
      says: "The IPs that the resource owns, or the names of the gIPs.",
      required: true,
      isVolatile: true,
      isIdentity: true,
    }),
    others: list(text({}), { hidden: true }),
    countries: list(text({}), { hidden: true }),
    supposed: list(text({}), { hidden: true }),
    unclaimed: list(text({}), { hidden: true }),
    missing: count({ hidden: true }),
    brought: list(text({}), { hidden: true }),
    awaited: object({ since: text({ required: true }), ips: list(text({}), { required: true }) }, { hidden: true }),
    adding: object(
      {
        began: text({ required: true }),
        until: text({}),
        facts: object(
          {
            zone: text({}),
            where: object({ country: text({}), countryCity: text({}) }, {}),
            before: list(text({}), { required: true }),
            own: list(text({}), { required: true }),
            count: count({ required: true }),
          },
          { required: true },
        ),
      },
      { hidden: true },
    ),
  },
  adopts:
    "Takes over IPs that the zone has already, where `country` and `countryCity` allow, before any is added. They are given back with the resource. For at most one `ZoneIps` of a zone.",
  rules: [
    {
      reads: ["kind", "adopt"],
      failure: ({ kind, adopt }) =>
        kind === "gips" && adopt !== true
          ? '`kind` is "gips" without `adopt: true`: the service has no call that adds gIPs, so these can only be some that the zone has already (as many as the `vips` of its plan).'
          : undefined,
    },
    onlyForNewIps("country"),
    onlyForNewIps("countryCity"),
    cityOfCountry,
  ],
  announced: ["zone"],
  isDeletedApart: true,
  fails: "the zone can have no IPs of its own, or the service has not so many",
  example: `const more = new brightdata.ZoneIps("more", { zone: zone.name, count: 5, country: "us" });
export const ips = more.ips;`,
});
