import { shows } from "../account/hidden";
import {
  COUNTRY_FIELDS,
  hasGips,
  isTrue,
  type PlanInput,
  permissionsOf,
  productOf,
  type ZonePlan,
} from "../account/plan";
import type { ZoneRecord } from "../account/zone";
import { json, type SimulatedResponse, text } from "../service";
import {
  type Call,
  isObject,
  listedZones,
  listsByZone,
  namedZone,
  objectBody,
  queriedZone,
  type Routes,
  zonesToChange,
} from "./call";
import { refuse, refuseJson } from "./refusal";

const PLAN_TYPES = ["static", "resident", "unblocker", "browser_api"];

/** Creates, reads, lists, switches and removes zones. */
export const zoneRoutes: Routes = {
  "POST /zone": create,
  "GET /zone": read,
  "GET /zone/info": read,
  "DELETE /zone": remove,
  "GET /zone/get_active_zones": listActive,
  "GET /zone/get_all_zones": listAll,
  "GET /zone/status": (call) => json({ status: shownZone(call).status }),
  "GET /zone/permissions": (call) => json({ perms: permissionsOf(shownZone(call).plan).split(" ") }),
  "GET /zone/recent_ips": (call) => listsByZone(listedZones(call), (zone) => zone.recentIps),
  "POST /zone/change_disable": switchOff,
  "POST /zone/switch_100uptime": switchFallback,
};

function create(call: Call): SimulatedResponse {
  const { account, behaviour } = call;
  requireFunds(call);
  const body = objectBody(call);
  const name = isObject(body.zone) ? body.zone.name : undefined;
  if (typeof name !== "string" || name === "") throw refuse(400, "Zone name is required");
  const plan = planInput(body.plan);
  if (behaviour.compliance !== "none" && productOf(plan) === "res_rotating") throw notCompliant(behaviour.compliance);
  const known = account.zones.get(name);
  if (known !== undefined && (known.status !== "deleted" || !behaviour.deletedNamesReusable))
    throw refuse(behaviour.duplicateZoneStatus, behaviour.duplicateZoneMessage);
  if (Math.max(Number(plan.ips ?? 0), Number(plan.vips ?? 0)) > behaviour.availableIps)
    throw refuse(400, "no IPs available");
  const zone = account.addZone(name, plan);
  zone.hiddenReads = behaviour.zoneVisibleAfterReads;
  zone.hiddenUntil = new Date(account.clock().getTime() + behaviour.zoneVisibleAfterMs).toISOString();
  return changed(call, name, "Zone added", behaviour.zoneCreatedStatus);
}

function read(call: Call): SimulatedResponse {
  requireFunds(call);
  const zone = shownZone(call);
  return json(zoneInfo(zone, shownPlan(call, zone)));
}

function remove(call: Call): SimulatedResponse {
  const { zone: name } = objectBody(call);
  for (const zone of zonesToChange(call, name, call.behaviour.unknownZoneDeletionStatus))
    call.account.removeZone(zone.name);
  return changed(call, name, "Zone deleted");
}

function listActive({ account }: Call): SimulatedResponse {
  const zones = account.liveZones().filter((zone) => shows(zone, account.clock()) && zone.status === "active");
  return json(zones.map(({ name, plan }) => ({ name, type: plan.product })));
}

function listAll({ account }: Call): SimulatedResponse {
  const zones = [...account.zones.values()].filter((zone) => shows(zone, account.clock()));
  return json(zones.map(({ name, plan, status }) => ({ name, type: plan.product, status })));
}

function switchOff(call: Call): SimulatedResponse {
  const { zone: name, disable } = objectBody(call);
  const zone = namedZone(call, name);
  if (disable !== 0 && disable !== 1) throw refuse(400, "disable should be 0 or 1");
  zone.status = disable === 1 ? "disabled" : "active";
  zone.plan.disabled = disable;
  return json({ plan: shownPlan(call, zone) });
}

function switchFallback(call: Call): SimulatedResponse {
  const { zone: name, active } = objectBody(call);
  const zone = namedZone(call, name);
  if (zone.plan.type !== "static") throw refuse(400, "Wrong zone plan");
  if (active !== 0 && active !== 1) throw refuse(400, "active should be 0 or 1");
  zone.plan.ip_fallback = active;
  return text("OK");
}

function requireFunds({ account }: Call): void {
  if (account.status !== "active") throw refuse(422, "Customer has invalid status");
}

function shownZone(call: Call): ZoneRecord {
  const zone = queriedZone(call);
  if (!shows(zone, call.account.clock())) throw refuse(call.behaviour.unknownZoneStatus, "Zone not found");
  return zone;
}

function changed({ behaviour }: Call, zone: unknown, words: string, status = 200): SimulatedResponse {
  if (behaviour.zoneAnswer === "json") return json({ zone }, status);
  return text(behaviour.zoneAnswer === "text" ? words : "", status);
}

/** The plan with the number of IPs and gIPs that the zone has, and whether it is on, also where these were edited. */
function shownPlan({ behaviour }: Call, { plan, status, allocatedIps, allocatedGips }: ZoneRecord): ZonePlan {
  const shown = { ...plan };
  if (status === "disabled") shown.disabled = 1;
  else if (plan.disabled !== undefined) shown.disabled = 0;
  if (plan.type === "static") shown.ips = allocatedIps.length;
  if (hasGips(plan)) shown.vips = allocatedGips.length;
  if (behaviour.planCountries === "capitals")
    for (const field of COUNTRY_FIELDS) if (plan[field] !== undefined) shown[field] = String(plan[field]).toUpperCase();
  return shown;
}

/** The record that `GET /zone` answers: it has neither the zone's name nor its status. */
const zoneInfo = (zone: ZoneRecord, plan: ZonePlan) => ({
  created: zone.created,
  password: zone.password,
  ips: zone.ips,
  plan,
  description: zone.description,
  perm: permissionsOf(zone.plan),
  ...(zone.usageLimit === undefined ? {} : { usage_limit: zone.usageLimit }),
});

function planInput(plan: unknown): PlanInput {
  if (!isObject(plan)) throw refuse(400, "Plan is required");
  const { type } = plan;
  if (typeof type !== "string" || !PLAN_TYPES.includes(type)) throw refuse(400, "Plan type is not valid");
  for (const field of ["ips", "vips"]) {
    const count = Number(plan[field] ?? 0);
    if (!Number.isInteger(count) || count < 0) throw refuse(400, `${field} should be an integer`);
  }
  // The real message for a country in capitals is as misleading as this.
  const countries = COUNTRY_FIELDS.map((field) => String(plan[field] ?? ""));
  if (countries.some((country) => country !== country.toLowerCase())) throw refuse(400, "no IPs available");
  if (type === "resident" && !isTrue(plan.mobile)) requireGipTarget(plan);
  return { ...plan, type };
}

function requireGipTarget(plan: Record<string, unknown>): void {
  const failed = "Can't allocate required amount of gIPs.";
  if (Number(plan.vips ?? 0) > 0 && plan.vips_type === undefined)
    throw refuse(
      400,
      `${failed} Dedicated gIPs are only supported with "vips_type": "domain" together with a "domain_whitelist"`,
    );
  if (plan.vips_type === "domain" && !plan.domain_whitelist)
    throw refuse(400, `${failed} Target domains ("domain_whitelist") are required to allocate dedicated gIPs`);
}

const notCompliant = (code: "kyc_required" | "business_account_required") =>
  refuseJson(403, {
    error: {
      code,
      message: "Residential zones are open to verified customers only.",
      action: "Complete the verification in the control panel.",
      alternatives: [{ product: "Web Unlocker", plan: { type: "unblocker" } }],
      docs: "https://docs.brightdata.com/",
    },
  });
