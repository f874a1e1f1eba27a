import { json, type SimulatedResponse } from "../service";
import type { Call, Routes } from "./call";
import { refuse } from "./refusal";

const NETWORKS = ["all", "res", "dc", "mobile"];

/** The account's status and the networks' status. */
export const statusRoutes: Routes = {
  "GET /status": accountStatus,
  "GET /network_status/:network": networkStatus,
};

function accountStatus({ account, query, remoteAddress }: Call): SimulatedResponse {
  const name = query.get("zone");
  const usable = name !== null && account.zone(name)?.status === "active";
  return json({
    status: account.status,
    customer: account.customer,
    can_make_requests: usable,
    // Concerns the proxy, not the key: a good key without a zone says this too.
    ...(usable ? {} : { auth_fail_reason: "zone_not_found" }),
    ip: remoteAddress,
  });
}

function networkStatus({ params }: Call): SimulatedResponse {
  if (!NETWORKS.includes(params.network ?? "")) throw refuse(400, "Unknown network");
  return json({ status: true });
}
