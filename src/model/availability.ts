import { type Facts, list, named, type Sent, text, type ValueOf } from "../declaration/property";

/** A network in which zones can have IPs of their own. */
export const ipPool = <const F extends Facts>(facts: F) => text({ ...facts, oneOf: ["dc", "static_res"] });

/** The plan of a zone with static IPs, as far as it says which IPs the zone could have. */
export const availabilityPlan = named(
  "AvailabilityPlan",
  "Plan of a possible zone. `{}` stands for any datacenter IP.",
  {
    poolIpType: ipPool({ says: "The network: datacenter or ISP.", default: "dc" }),
    ipsType: text({ says: "Who shares the IPs.", oneOf: ["shared", "dedicated", "selective"] }),
    country: text({ says: "Two letters.", defaultSays: "any", example: "us" }),
    countryCity: text({
      says: "A city, as `getStaticCities` lists them.",
      defaultSays: "any",
      example: "us-chicago",
    }),
    domainWhitelist: text({
      says: "Target domains, separated by spaces, if `ipsType` is `selective`.",
      example: "example.com example.org",
    }),
    geoDb: list(text({ oneOf: ["maxmind", "dbip", "google", "ip2location", "ipcn"] }), {
      says: "Databases that must all locate the IP in that country.",
    }),
  },
);

export type AvailabilityPlan = Sent<ValueOf<typeof availabilityPlan>>;

export type IpPool = ValueOf<ReturnType<typeof ipPool>>;
