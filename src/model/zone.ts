import { type Facts, flag, list, named, text, type ValueOf, type ValuesOf } from "../declaration/property";
import type { Rule } from "../declaration/rules";
import { foundPlan } from "./plan";

/** Name of a zone. */
export const zone = () => text({ says: "Name of the zone.", required: true, example: "web_scraping" });

/** Whether a zone can be used. */
export const zoneStatus = () => text({ says: "`active`, `disabled` or `deleted`.", required: true });

/** The service documents no rule. Commas separate names in requests, slashes parts of ids, and an asterisk means all zones. */
export const EXISTING_ZONE_NAME = /^[^\s,/*\p{C}](?:[^,/*\p{C}]*[^\s,/*\p{C}])?$/u;

/** Name of the zone that something belongs to. Existing zones may have names that a new one could not get. */
export const zoneName = <const F extends Facts>(facts: F) =>
  text({
    expected: "expected the name of a zone.",
    must: [
      {
        pattern: EXISTING_ZONE_NAME,
        expected: "expected the name of one zone, without commas, slashes and asterisks.",
      },
    ],
    ...facts,
  });

/** Country of new proxy IPs; for them the service understands lower case only. */
export const ipCountry = <const F extends Facts>(facts: F) =>
  text({
    expected: 'expected a two-letter country code, such as "us".',
    must: [{ pattern: /^[a-z]{2}$/, expected: 'expected a two-letter country code in lower case, such as "us".' }],
    example: "us",
    ...facts,
  });

/** City of new proxy IPs; its name begins with that of its country. */
export const ipCity = <const F extends Facts>(facts: F) =>
  text({
    must: [{ pattern: /^[a-z]{2}-\S+$/, expected: 'expected a city as the service writes it, such as "us-chicago".' }],
    example: "us-chicago",
    ...facts,
  });

/** New IPs are told by where they are: of those of a city in another country, none would be, and others bought in their place. */
export const cityOfCountry: Rule = {
  reads: ["country", "countryCity"],
  failure({ country, countryCity }) {
    const [, found] = /^([a-z]{2})-/.exec(String(countryCity)) ?? [];
    return found === undefined || country === undefined || String(country).toLowerCase() === found
      ? undefined
      : `\`countryCity\` is ${JSON.stringify(countryCity)}, and \`country\` is ${JSON.stringify(country)}: a city's name begins with that of its country. Change one of them.`;
  },
};

/** A line of the list of zones. */
export const zoneSummary = named("ZoneSummary", "A line of the list of zones.", {
  name: text({ says: "Name of the zone.", required: true }),
  type: text({
    says: "The product, such as `dc`, `res_rotating`, `unblocker`; absent where the service omits it.",
  }),
  status: text({ says: "`active`, `disabled` or `deleted`: a deleted zone stays in the list." }),
});

export type ZoneSummary = ValueOf<typeof zoneSummary>;

/** A zone without its passwords. */
export const plainZone = {
  name: zone(),
  created: text({ says: "When the zone was created, ISO 8601." }),
  ips: list(text({}), { says: "Client addresses that may use the zone; `any` for all.", required: true }),
  perm: text({ says: "What requests may name, separated by spaces, such as `country city`." }),
  description: text({ says: "Description of the zone." }),
  plan: { ...foundPlan, required: true },
  disabled: flag({ says: "Whether the zone is disabled.", required: true }),
} as const;

export type PlainZone = ValuesOf<typeof plainZone>;
