/** A zone's plan in the service's own field names, as `GET /zone` shows it. */
export interface ZonePlan {
  start: string;
  type: string;
  product: string;
  [field: string]: unknown;
}

/** A plan as the caller of `POST /zone` writes it. */
export type PlanInput = { type: string } & Record<string, unknown>;

/** The fields of a plan that hold a country. */
export const COUNTRY_FIELDS = ["country", "default_country", "vip_country"] as const;

const BOOLEANS = ["mobile", "serp", "city", "asn", "vip", "ub_premium", "solve_captcha_disable", "dualip"];
const INTEGERS = ["ips", "vips"];

/**
 * What the service keeps of a plan. It is not what was sent: booleans become `0` and `1`, the country of a residential
 * plan moves to `default_country`, `bandwidth` says `payperusage`, and unlimited bandwidth without a tier is dropped.
 */
export function storedPlan(input: PlanInput, start: Date): ZonePlan {
  const plan: ZonePlan = { start: start.toISOString(), type: input.type, product: productOf(input) };
  for (const [field, value] of Object.entries(input)) {
    if (field === "type" || value === undefined || value === null || value === "") continue;
    if (BOOLEANS.includes(field)) plan[field] = isTrue(value) ? 1 : 0;
    else if (INTEGERS.includes(field)) plan[field] = Number(value);
    else plan[field] = value;
  }
  if (input.type === "static") completeStatic(plan);
  if (input.type === "resident") completeResidential(plan);
  return plan;
}

function completeStatic(plan: ZonePlan): void {
  plan.ips_type ??= "shared";
  plan.ips ??= 0;
  plan.ip_fallback ??= 0;
  if (plan.ips_type === "shared") plan.ip_alloc_preset ??= "shared_block";
  const unlimited = plan.bandwidth === "unlimited" && plan.unl_bw_tiers !== undefined;
  plan.bandwidth = unlimited ? "unlimited" : "payperusage";
  if (!unlimited) delete plan.unl_bw_tiers;
  delete plan.vips_type;
}

function completeResidential(plan: ZonePlan): void {
  if (plan.country !== undefined) plan.default_country = plan.country;
  delete plan.country;
  delete plan.ips_type;
}

/** The product a plan buys. The plan decides, not the `zone.type` sent beside it. */
export function productOf(plan: Record<string, unknown>): string {
  if (plan.type === "static") return plan.pool_ip_type === "static_res" ? "res_static" : "dc";
  if ((plan.type === "resident" || plan.type === "unblocker") && isTrue(plan.serp)) return "serp";
  if (plan.type === "resident") return isTrue(plan.mobile) ? "mobile" : "res_rotating";
  return String(plan.type);
}

/** The permission words of a plan, separated by spaces. */
export function permissionsOf(plan: Record<string, unknown>): string {
  const words = ["country"];
  if (isTrue(plan.city)) words.push("city");
  if (isTrue(plan.asn)) words.push("asn");
  if (plan.type === "static" && Number(plan.ips ?? 0) > 0) words.push("ip", "route_all", "route_dedicated");
  if (isTrue(plan.vip) || plan.vips_type === "domain") words.push("vip");
  return words.join(" ");
}

/** Whether the plan has dedicated residential IPs, which the service calls gIPs. */
export const hasGips = (plan: Record<string, unknown>): boolean =>
  plan.type === "resident" && plan.vips_type === "domain";

/** The service takes a flag as a boolean, a number or a string. */
export const isTrue = (flag: unknown): boolean => flag === true || flag === 1 || flag === "1" || flag === "true";
