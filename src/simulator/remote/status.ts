import { json } from "../service";
import type { RemoteContext } from "./call";
import { refuse } from "./refusal";

const NETWORKS = ["all", "res", "dc", "mobile"];

/** The account's status and the networks' status. */
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
}
