import { json, type SimulatedResponse, text } from "../service";
import { isObject, listedZones, namedZone, objectBody, type RemoteContext, zonesToChange } from "./call";
import { shows } from "./hidden";
import { COUNTRY_FIELDS, isTrue, type PlanInput, permissionsOf, productOf, type ZonePlan } from "./plan";
import { refuse, refuseJson } from "./refusal";
import type { ZoneRecord } from "./zone";

const PLAN_TYPES = ["static", "resident", "unblocker", "browser_api"];

/** Creates, reads, lists, switches and removes zones. */
export function addZoneRoutes(context: RemoteContext): void {
  const { account, behaviour, route } = context;

  const requireFunds = (): void => {
    if (account.status !== "active") throw refuse(422, "Customer has invalid status");
  };

  const read = (name: string | null, status?: number): ZoneRecord => {
    const zone = namedZone(context, name, status);
    if (!shows(zone, account.clock())) throw refuse(status ?? behaviour.unknownZoneStatus, "Zone not found");
    return zone;
  };

  route("POST", "/zone", (request) => {
    requireFunds();
    const body = objectBody(request);
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
    return changed(name, "Zone added", behaviour.zoneCreatedStatus);
  });

  for (const path of ["/zone", "/zone/info"]) {
    route("GET", path, (request) => {
      requireFunds();
      const zone = read(request.query.get("zone"));
      return json(zoneInfo(zone, shownPlan(zone.plan)));
    });
  }

  route("DELETE", "/zone", (request) => {
    const { zone: name } = objectBody(request);
    const zones = zonesToChange(context, request, name, behaviour.unknownZoneDeletionStatus);
    for (const zone of zones) account.removeZone(zone.name);
    return changed(name, "Zone deleted");
  });

  route("GET", "/zone/get_active_zones", () =>
    json(
      account
        .liveZones()
        .filter((zone) => shows(zone, account.clock()) && zone.status === "active")
        .map((zone) => ({ name: zone.name, type: zone.plan.product })),
    ),
  );

  route("GET", "/zone/get_all_zones", () =>
    json(
      [...account.zones.values()]
        .filter((zone) => shows(zone, account.clock()))
        .map((zone) => ({ name: zone.name, type: zone.plan.product, status: zone.status })),
    ),
  );

  route("GET", "/zone/status", (request) => json({ status: read(request.query.get("zone")).status }));

  route("GET", "/zone/permissions", (request) =>
    json({ perms: permissionsOf(read(request.query.get("zone")).plan).split(" ") }),
  );

  route("GET", "/zone/recent_ips", (request) =>
    json(
      Object.fromEntries(
        listedZones(context, request)
          .filter((zone) => zone.recentIps.length > 0)
          .map((zone) => [zone.name, zone.recentIps]),
      ),
    ),
  );

  route("POST", "/zone/change_disable", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone);
    if (body.disable !== 0 && body.disable !== 1) throw refuse(400, "disable should be 0 or 1");
    zone.status = body.disable === 1 ? "disabled" : "active";
    zone.plan.disabled = body.disable;
    return json({ plan: shownPlan(zone.plan) });
  });

  route("POST", "/zone/switch_100uptime", (request) => {
    const body = objectBody(request);
    const zone = namedZone(context, body.zone);
    if (zone.plan.type !== "static") throw refuse(400, "Wrong zone plan");
    if (body.active !== 0 && body.active !== 1) throw refuse(400, "active should be 0 or 1");
    zone.plan.ip_fallback = body.active;
    return text("OK");
  });

  function changed(zone: unknown, words: string, status = 200): SimulatedResponse {
    if (behaviour.zoneAnswer === "json") return json({ zone }, status);
    return text(behaviour.zoneAnswer === "text" ? words : "", status);
  }

  function shownPlan(plan: ZonePlan): ZonePlan {
    if (behaviour.planCountries === "sent") return plan;
    const capitals = COUNTRY_FIELDS.filter((field) => plan[field] !== undefined).map((field) => [
      field,
      String(plan[field]).toUpperCase(),
    ]);
    return { ...plan, ...Object.fromEntries(capitals) };
  }
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
  if (
    COUNTRY_FIELDS.some(
      (field) => plan[field] !== undefined && String(plan[field]) !== String(plan[field]).toLowerCase(),
    )
  )
    throw refuse(400, "no IPs available");
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
