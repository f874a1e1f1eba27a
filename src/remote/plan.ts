import { camelKeys, snakeCase } from "../http/case";
import type { JsonObject } from "../json";

/** How the values of a plan's field are written and compared. */
export type PlanFieldKind = "text" | "country" | "words" | "flag" | "count";

/** The fields of a plan that can be set, with how their values compare and what the service takes when they are absent. */
export const PLAN_FIELDS = {
  type: { kind: "text" },
  ipsType: { kind: "text" },
  bandwidth: { kind: "text", initial: "bandwidth" },
  unlBwTiers: { kind: "text" },
  poolIpType: { kind: "text", initial: "dc" },
  ipAllocPreset: { kind: "text" },
  ips: { kind: "count", initial: 0 },
  country: { kind: "country", initial: "any" },
  countryCity: { kind: "country", initial: "any" },
  city: { kind: "flag", initial: false },
  asn: { kind: "flag", initial: false },
  mobile: { kind: "flag", initial: false },
  serp: { kind: "flag", initial: false },
  vip: { kind: "flag", initial: false },
  vips: { kind: "count", initial: 0 },
  vipsType: { kind: "text" },
  vipCountry: { kind: "country", initial: "any" },
  vipCountryCity: { kind: "country", initial: "any" },
  domainWhitelist: { kind: "words" },
  ubPremium: { kind: "flag", initial: false },
  solveCaptchaDisable: { kind: "flag", initial: true },
  customHeaders: { kind: "flag", initial: false },
} as const satisfies Record<string, { kind: PlanFieldKind; initial?: unknown }>;

export type PlanField = keyof typeof PLAN_FIELDS;

/** A plan as a program writes it: known fields in camel case, others under `extra` in the service's spelling. */
export type Plan = Partial<Record<PlanField, unknown>> & { extra?: JsonObject };

/** The values of a flag, in every spelling that either side uses. */
export const FLAG_VALUES = new Map<unknown, boolean>([
  [true, true],
  ["true", true],
  [1, true],
  ["1", true],
  [false, false],
  ["false", false],
  [0, false],
  ["0", false],
]);

/** A plan field's value in the one form in which values compare; `undefined` for "as if it were not there". */
export function planValue(field: PlanField, value: unknown): unknown {
  const { kind } = PLAN_FIELDS[field];
  const initial = "initial" in PLAN_FIELDS[field] ? PLAN_FIELDS[field].initial : undefined;
  if (value === undefined || value === null || value === "") return initial;
  switch (kind) {
    case "flag":
      return FLAG_VALUES.get(value) ?? value;
    case "count":
      return typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;
    case "country":
      return typeof value === "string" ? value.toLowerCase() : value;
    case "words":
      return typeof value === "string" ? [...new Set(value.split(/\s+/).filter(Boolean))].sort().join(" ") : value;
    default:
      // Pay per gigabyte is written one way and read back the other.
      return value === "payperusage" ? "bandwidth" : value;
  }
}

/** The plan as the service takes it: its own field names; booleans and integers rather than the strings that also occur. */
export function toServicePlan(plan: Plan): JsonObject {
  const body: JsonObject = {};
  for (const [field, value] of Object.entries(plan)) {
    if (field === "extra" || value === undefined) continue;
    body[snakeCase(field)] = planValue(field as PlanField, value);
  }
  return { ...plan.extra, ...body };
}

/**
 * A plan as the service answers it, in camel case, with `country` where the service moves it to `default_country`. A field
 * that is null is left out: the service says nothing of it, which is not the same as saying that there is none.
 */
export function fromServicePlan(plan: JsonObject): JsonObject {
  const told = Object.entries(plan).filter(([, value]) => value !== null);
  const record = camelKeys(Object.fromEntries(told)) as JsonObject;
  const { defaultCountry, ...rest } = record;
  return defaultCountry === undefined || rest.country !== undefined ? record : { ...rest, country: defaultCountry };
}

/** The service's name of a plan's field. */
export const serviceField = snakeCase;
