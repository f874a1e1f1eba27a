import { json, parsed, type SimulatedResponse } from "../service";
import { type Call, isObject, namedZone, type Routes } from "./call";
import { refuse } from "./refusal";

const COUNTRY_CODES = ["au", "br", "ca", "de", "es", "fr", "gb", "in", "it", "jp", "nl", "us"];
const ZONE_TYPES = ["DC", "ISP"].flatMap((network) =>
  ["shared", "dedicated_ip", "dedicated_host"].map((type) => `${network}_${type}`),
);
const CITIES = ["de-berlin", "de-frankfurt", "gb-london", "us-chicago", "us-denver", "us-newyork"];

/** Where there are IPs for zones of the datacenter and ISP kinds, and how many. */
export const availabilityRoutes: Routes = {
  "GET /countrieslist": () =>
    json({ zone_type: Object.fromEntries(ZONE_TYPES.map((type) => [type, { country_codes: COUNTRY_CODES }])) }),
  "GET /zone/static/cities": listCities,
  "GET /zone/count_available_ips": countIps,
};

function listCities({ query }: Call): SimulatedResponse {
  const country = query.get("country");
  if (!country) throw refuse(400, "country is required");
  if (!["dc", "static_res"].includes(query.get("pool_ip_type") ?? "dc"))
    throw refuse(400, "pool_ip_type should be dc or static_res");
  return json(CITIES.filter((city) => city.startsWith(`${country}-`)));
}

function countIps(call: Call): SimulatedResponse {
  const zone = call.query.get("zone");
  const plan = zone === null ? planOf(call.query.get("plan")) : namedZone(call, zone).plan;
  if (zone !== null && plan.type !== "static") throw refuse(400, "Wrong zone plan");
  return json({ count: isServed(plan) ? call.behaviour.availableIps : 0 });
}

function planOf(written: string | null): Record<string, unknown> {
  if (written === null) throw refuse(400, "zone or plan is required");
  const plan = parsed(written);
  if (!isObject(plan)) throw refuse(400, "Invalid plan");
  return plan;
}

/** A city counts only where the plan says `city` as well. */
const isServed = ({ country, city, country_city: countryCity }: Record<string, unknown>): boolean =>
  (country === undefined || COUNTRY_CODES.includes(String(country))) &&
  (city !== true || CITIES.includes(String(countryCity)));
