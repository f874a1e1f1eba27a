import { json } from "../service";
import type { RemoteContext } from "./context";
import { refuse } from "./refusal";

const NETWORKS = ["all", "res", "dc", "mobile"];
const COUNTRY_CODES = ["au", "br", "ca", "de", "es", "fr", "gb", "in", "it", "jp", "nl", "us"];
const COUNTRY_ZONE_TYPES = [
  "DC_shared",
  "DC_dedicated_ip",
  "DC_dedicated_host",
  "ISP_shared",
  "ISP_dedicated_ip",
  "ISP_dedicated_host",
];

/** The account's status, the networks' status and the countries that have IPs. */
export function addStatusRoutes({ account, route }: RemoteContext): void {
  route("GET", "/status", (request) => {
    const name = request.query.get("zone");
    const usable = name !== null && account.zone(name)?.status === "active";
    return json({
      status: account.status,
      customer: account.customer,
      can_make_requests: usable,
      // Concerns the proxy, not the key: a good key without a zone says this too.
      ...(usable ? {} : { auth_fail_reason: "zone_not_found" }),
      ip: request.remoteAddress,
    });
  });

  route("GET", "/network_status/:network", (request) => {
    if (!NETWORKS.includes(request.params.network ?? "")) throw refuse(400, "Unknown network");
    return json({ status: true });
  });

  route("GET", "/countrieslist", () =>
    json({
      zone_type: Object.fromEntries(COUNTRY_ZONE_TYPES.map((type) => [type, { country_codes: COUNTRY_CODES }])),
    }),
  );
}
