import { kind } from "../../declaration/kind";
import { type Condition, list, text } from "../../declaration/property";
import { alone, atLeastOne } from "../../declaration/rules";
import { zoneName } from "../../model/zone";

const ADDRESS =
  'expected an address, a range "a-b", or a network with a prefix or a netmask, without blanks, such as "203.0.113.7" or "203.0.113.0/24"';

const NOT_EVERYBODY: Condition = {
  not: "everybody",
  expected:
    'expected some addresses, not all: write "any" among the allowed ones to let everybody in, or set `disabled` on the zone to let nobody in.',
};

const ADDRESSES = {
  expected: "expected a list of client addresses.",
  defaultSays: "left alone",
  compares: "clientRanges",
} as const;

const DOMAINS = { expected: "expected a list of domains.", defaultSays: "left alone", compares: "domains" } as const;

const domain = text({
  expected: "expected a domain.",
  must: [
    { pattern: /^[^\s/:,]+$/, expected: 'expected a domain such as "example.com", without scheme, path or blanks.' },
  ],
});

export const zoneAccess = kind("ZoneAccess", {
  says: "Who may use a zone, and for which target domains. A list that is left out is left alone; one that is declared is the whole list.",
  brief: "who may use a zone, and for which target domains",
  service: "remote",
  id: { says: "Name of the zone.", example: "web_scraping" },
  endpoints: [
    "GET /zone/whitelist",
    "POST /zone/whitelist",
    "DELETE /zone/whitelist",
    "GET /zone/blacklist",
    "POST /zone/blacklist",
    "DELETE /zone/blacklist",
    "POST /zone/domain_perm",
    "DELETE /zone/domain_perm",
  ],
  timeouts: 60,
  inputs: {
    zone: zoneName({
      says: "Name of the zone. A change lets go of the lists of the zone before.",
      required: true,
      replaces: true,
    }),
    allowedIps: list(
      text({
        must: [{ pattern: /^any$/, format: "clientRange", expected: `${ADDRESS}, or "any".` }, NOT_EVERYBODY],
      }),
      {
        ...ADDRESSES,
        says: 'Client addresses that may use the zone: single ones, ranges `a-b`, networks with a prefix or a netmask; or `["any"]`, which opens it to everybody. Not empty: say `["any"]` if that is what you want.',
        least: 1,
        tooFew: 'expected at least one entry: an empty list lets everybody in. Write ["any"] if that is what you want.',
        example: ["203.0.113.7", "198.51.100.0/24"],
      },
    ),
    deniedIps: list(text({ must: [{ format: "clientRange", expected: `${ADDRESS}.` }, NOT_EVERYBODY] }), {
      ...ADDRESSES,
      says: "Client addresses that may not use the zone, written as those of `allowedIps`.",
      example: ["203.0.113.20-203.0.113.29"],
    }),
    allowedDomains: list(domain, {
      ...DOMAINS,
      says: "Target domains that the zone may be used for. The service cannot be asked for them: what was sent last is what is known.",
      example: ["example.com"],
    }),
    deniedDomains: list(domain, {
      ...DOMAINS,
      says: "Target domains that the zone may not be used for; otherwise as `allowedDomains`.",
    }),
  },
  outputs: { unsettled: list(text({}), { hidden: true }) },
  adopts:
    "Takes over lists of addresses that have other entries already, instead of failing. Those entries are taken off then.",
  rules: [
    atLeastOne("No list is declared", "allowedIps", "deniedIps", "allowedDomains", "deniedDomains"),
    alone("allowedIps", "any", 'with "any" everybody may use the zone, and the others mean nothing.'),
  ],
  announced: ["zone", "allowedIps", "deniedIps", "allowedDomains", "deniedDomains"],
  fails: "a list has entries that are not declared (see {@link ZoneAccessArgs.adopt})",
  example: `new brightdata.ZoneAccess("web", { zone: zone.name, allowedIps: ["203.0.113.7"] });`,
});
