import { z } from "zod";
import { ArgumentError } from "../base/errors";
import type { CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { field } from "../http/optional";
import type { AvailabilityPlan, IpPool } from "../model/availability";

/** What the IPs are for: a zone that there is, or a plan. */
export type AvailabilityTarget = { zone: string; plan?: never } | { plan: AvailabilityPlan; zone?: never };

/**
 * Lists the cities of a country in which zones can have static IPs. `GET /zone/static/cities?country=&pool_ip_type=`.
 *
 * @returns the cities as `countryCity` takes them, such as `us-chicago`
 * @throws {ArgumentError} when the country is not two letters
 *
 * @example
 * await client.availability.cities("us", "static_res");
 */
export const cities = (country: string, pool: IpPool = "dc", options?: CallOptions): Operation<string[]> =>
  json(z.array(z.string()), {
    operation: `list the cities of ${JSON.stringify(country)} that have IPs`,
    request: "GET /zone/static/cities",
    query: { country: countryCode(country), pool_ip_type: pool },
    ...options,
  });

/**
 * Counts the static IPs that a zone, or a zone of a plan, could be given. `GET /zone/count_available_ips?zone=&plan=`.
 *
 * @throws {InvalidRequestError} for a zone that can have no IPs of its own
 *
 * @example
 * await client.availability.count({ plan: { ipsType: "dedicated", country: "us" } });
 */
export const count = ({ zone, plan }: AvailabilityTarget, options?: CallOptions): Operation<number> =>
  json(field("count", z.number()), {
    operation: "count the available IPs",
    request: "GET /zone/count_available_ips",
    query: { zone, plan: plan && JSON.stringify(servicePlan(plan)) },
    ...options,
  });

const servicePlan = ({ poolIpType, ipsType, country, countryCity, domainWhitelist, geoDb }: AvailabilityPlan) => ({
  pool_ip_type: poolIpType,
  ips_type: ipsType,
  country: isAny(country) ? undefined : countryCode(country),
  // The service looks at the city only where it is told so.
  ...(isAny(countryCity) ? {} : { country_city: countryCity.toLowerCase(), city: true }),
  domain_whitelist: domainWhitelist,
  geo_db: geoDb === undefined ? undefined : Object.fromEntries(geoDb.map((database) => [database, true])),
});

const isAny = (place: string | undefined): place is undefined => (place ?? "any").toLowerCase() === "any";

function countryCode(country: string): string {
  if (/^[a-z]{2}$/i.test(country)) return country.toLowerCase();
  throw new ArgumentError(`The country is ${JSON.stringify(country)}: expected two letters, such as "us".`);
}
