import { camelKeys, snakeCase } from "../case";
import { canonical } from "../declaration/scalars";
import type { JsonObject } from "../json";
import { type FoundPlan, isPlanField, PLAN_FIELDS, type Plan } from "../kinds/zone/plan";

/** The plan as the service takes it: its own field names; booleans and integers rather than the strings that also occur. */
export function toServicePlan({ extra, ...fields }: Plan): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const body = given.map(([name, value]) => [
    snakeCase(name),
    isPlanField(name) ? canonical(PLAN_FIELDS[name], value) : value,
  ]);
  return { ...extra, ...Object.fromEntries(body) };
}

/**
 * A plan as the service answers it, in camel case, with `country` where the service moves it to `default_country`. A field
 * that is null is left out: the service says nothing of it, which is not the same as saying that there is none.
 */
export function fromServicePlan(plan: JsonObject): FoundPlan {
  const told = Object.entries(plan).filter(([, value]) => value !== null);
  const { defaultCountry, ...record } = camelKeys(Object.fromEntries(told)) as FoundPlan & { defaultCountry?: string };
  if (defaultCountry === undefined) return record;
  return { ...record, ...(record.country === undefined ? { country: defaultCountry } : { defaultCountry }) };
}
