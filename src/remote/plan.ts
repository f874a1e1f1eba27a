import { camelKeys, snakeCase } from "../base/case";
import type { JsonObject } from "../base/json";
import { isBelievable } from "../declaration/believable";
import type { Properties, Property } from "../declaration/property";
import { canonical, typed } from "../declaration/scalars";
import { type FoundPlan, foundPlan, isPlanField, PLAN_FIELDS, type Plan } from "../model/plan";

/** The plan as the service takes it: its own field names; booleans and integers rather than the strings that also occur. */
export function toServicePlan({ extra, ...fields }: Plan): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  const body = given.map(([name, value]) => [
    snakeCase(name),
    isPlanField(name) ? canonical(PLAN_FIELDS[name], value) : value,
  ]);
  return { ...extra, ...Object.fromEntries(body) };
}

/** The fields of a plan that the service may answer, and the one that it moves a country to. */
const ANSWERED: Properties = { ...foundPlan.properties, defaultCountry: PLAN_FIELDS.country };

/**
 * A plan as the service answers it, in camel case, with `country` where the service moves it to `default_country`. A field
 * that is null, or not of its type, is left out: the service says nothing of it, which is not the same as saying that there is
 * none.
 */
export function fromServicePlan(plan: JsonObject): FoundPlan {
  const told = Object.entries(camelKeys(plan)).flatMap(([name, value]) => {
    const known = toldOf(Object.hasOwn(ANSWERED, name) ? ANSWERED[name] : undefined, value);
    return known === undefined ? [] : [[name, known]];
  });
  const { defaultCountry, ...record } = Object.fromEntries(told) as FoundPlan & { defaultCountry?: string };
  if (defaultCountry === undefined) return record;
  return { ...record, ...(record.country === undefined ? { country: defaultCountry } : { defaultCountry }) };
}

function toldOf(property: Property | undefined, value: unknown): unknown {
  if (property === undefined) return value ?? undefined;
  const isNothing = value === null || (value === "" && !/^(text|any)$/.test(property.is));
  return isNothing || !isBelievable(property, value) ? undefined : typed(property, value);
}
