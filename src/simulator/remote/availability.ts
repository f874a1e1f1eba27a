import { json } from "../service";
import { isObject, namedZone, type RemoteContext } from "./call";
import { refuse } from "./refusal";

const COUNTRY_CODES = ["au", "br", "ca", "de", "es", "fr", "gb", "in", "it", "jp", "nl", "us"];
const COUNTRY_ZONE_TYPES = [
  "DC_shared",
  "DC_dedicated_ip",
  "DC_dedicated_host",
  "ISP_shared",
  "ISP_dedicated_ip",
  "ISP_dedicated_host",
];
const CITIES = ["de-berlin", "de-frankfurt", "gb-london", "us-chicago", "us-denver", "us-newyork"];

/** Tells where there are IPs for zones of the datacenter and ISP kinds, and how many. */
export function addAvailabilityRoutes(context: RemoteContext): void {
  const { behaviour, route } = context;

  route("GET", "/countrieslist", () =>
    json({
      zone_type: Object.fromEntries(COUNTRY_ZONE_TYPES.map((type) => [type, { country_codes: COUNTRY_CODES }])),
    }),
  );

  route("GET", "/zone/static/cities", ({ query }) => {
    const country = query.get("country");
    if (country === null || country === "") throw refuse(400, "country is required");
    if (!["dc", "static_res"].includes(query.get("pool_ip_type") ?? "dc"))
      throw refuse(400, "pool_ip_type should be dc or static_res");
    return json(CITIES.filter((city) => city.startsWith(`${country}-`)));
  });

  route("GET", "/zone/count_available_ips", ({ query }) => {
    const zone = query.get("zone");
    const plan = zone === null ? planOf(query.get("plan")) : namedZone(context, zone).plan;
    if (zone !== null && plan.type !== "static") throw refuse(400, "Wrong zone plan");
    return json({ count: isServed(plan) ? behaviour.availableIps : 0 });
  });
}

function planOf(written: string | null): Record<string, unknown> {
  if (written === null) throw refuse(400, "zone or plan is required");
  try {
    const plan: unknown = JSON.parse(written);
    if (isObject(plan)) return plan;
  } catch {}
  throw refuse(400, "Invalid plan");
}

/** A city counts only where the plan says `city` as well. */
const isServed = ({ country, city, country_city: countryCity }: Record<string, unknown>): boolean =>
  (country === undefined || COUNTRY_CODES.includes(String(country))) &&
  (city !== true || CITIES.includes(String(countryCity)));
