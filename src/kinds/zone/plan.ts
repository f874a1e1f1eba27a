import { camelCase, camelKeys, snakeKeys } from "../../base/case";
import type { JsonObject } from "../../base/json";
import { FLAG_VALUES } from "../../declaration/flags";
import { isBlank } from "../../declaration/scalars";
import { comparable, isSame, sameJson } from "../../declaration/values";
import { containsUnknown, type Same } from "../../lifecycle/diff";
import { at, keysOf } from "../../lifecycle/paths";
import {
  type FoundPlan,
  foundPlan,
  isPlanField,
  PLAN_FIELDS,
  type Plan,
  type PlanField,
  zonePlan,
} from "../../model/plan";

/**
 * How many IPs and gIPs a zone is created with. They come and go later, by hand and with a ZoneIps, and that is no reason for a
 * new zone: what was declared stays in the state, whatever the zone has. Only another number in the program makes one.
 */
export const COUNTS = ["ips", "vips"] as const satisfies readonly PlanField[];

const isCount = (path: string): boolean => COUNTS.some((field) => path === `plan.${field}`);

export const same: Same = (path, found, wanted, isNew) => {
  if (path.startsWith("plan.extra")) return sameLoosely(found, wanted);
  // A number that is declared for the first time: those beyond it have come since the zone was made.
  return isNew && isCount(path) && Number(found ?? 0) >= Number(wanted) ? true : undefined;
};

// Fields that this package does not know: 1, "1", true and "true" are one value, and so are 0, "", false and nothing.
function sameLoosely(left: unknown, right: unknown): boolean {
  const plain = (value: unknown) => (isBlank(value) ? false : (FLAG_VALUES.get(value) ?? value));
  const isBothParts = isParts(left) && isParts(right);
  return sameJson(plain(left), plain(right)) || (!isBothParts && String(left) === String(right));
}

const isParts = (value: unknown): boolean => typeof value === "object" && value !== null;

/**
 * The fields of a plan that a program has to write down: those that go with its type, and are not the default. What this package does
 * not know decides over what is bought, too.
 */
export function smallest({ type, ...fields }: FoundPlan): JsonObject {
  const own = Object.entries(zonePlan.of).find(([name]) => name === type)?.[1].properties ?? {};
  const told = Object.entries(fields).filter(
    ([name, value]) =>
      name in own &&
      isPlanField(name) &&
      comparable(PLAN_FIELDS[name], value) !== undefined &&
      !(name === "ipAllocPreset" && isSamePreset(fields, { ...fields, ipAllocPreset: undefined })),
  );
  const further = Object.entries(fields).filter(
    ([name, value]) => !Object.hasOwn(foundPlan.properties, name) && !sameLoosely(value, false),
  );
  const extra = further.length === 0 ? {} : { extra: snakeKeys(Object.fromEntries(further)) };
  return { type, ...Object.fromEntries(told), ...extra };
}

/** Whether two plans allocate IPs alike, as far as the preset says it. */
export const isSamePreset = (some: JsonObject, others: JsonObject): boolean => presetOf(some) === presetOf(others);

/** The service allocates shared IPs by a preset without being told. */
function presetOf({ ipsType, ipAllocPreset, poolIpType }: JsonObject): unknown {
  const given = comparable(PLAN_FIELDS.ipAllocPreset, ipAllocPreset);
  if (given !== undefined || ipsType !== "shared") return given;
  return poolIpType === "static_res" ? "shared_res_block" : "shared_block";
}

/** A plan in which a value that means the same as the one declared is in the program's spelling: only real changes show. */
export function planIn(declared: Plan | undefined, live: FoundPlan): FoundPlan {
  const { extra, ...fields } = declared ?? {};
  const kept = Object.entries(fields).filter(([field, value]) => {
    const found = at(live, field);
    const means = () => (isPlanField(field) ? isSame(PLAN_FIELDS[field], found, value) : found === value);
    return found === undefined || isCount(`plan.${field}`) || means();
  });
  const further = extra === undefined ? {} : { extra: extraIn(extra, live) };
  return { ...live, ...Object.fromEntries(kept), ...further };
}

const extraIn = (declared: JsonObject, live: FoundPlan): JsonObject =>
  Object.fromEntries(
    Object.entries(declared).map(([key, value]) => {
      const found = at(live, camelCase(key));
      return [key, found === undefined || isExtra(found, value) ? value : snakeKeys({ found }).found];
    }),
  );

/** Whether a further field of a zone's plan is what a program writes, in whose parts the service's spelling stands. */
const isExtra = (found: unknown, written: unknown): boolean =>
  sameLoosely(found, camelKeys({ written }).written) && !containsUnknown(written);

/** Whether a path leads to a further field that a zone has as it is declared, whether or not it was declared before. */
export function isExtraThere(path: string, state: JsonObject | undefined, plan: JsonObject | undefined): boolean {
  const [, part, key] = keysOf(path);
  const found = part === "extra" && key !== undefined ? at(state, camelCase(key)) : undefined;
  return found !== undefined && isExtra(found, at(plan, `extra.${key}`));
}
