import type { JsonObject } from "../base/json";
import type { Kind } from "../declaration/kind";
import { propertiesAlong } from "../declaration/paths";
import { isSame, sameJson } from "../declaration/values";
import { type Declared, type Difference, UNKNOWN } from "./lifecycle";
import { at, keysOf, leafPaths } from "./paths";

/** Whether two known values mean the same; `undefined` where the declaration decides. A path `isNew` that was not declared. */
export type Same = (path: string, left: unknown, right: unknown, isNew: boolean) => boolean | undefined;

/**
 * Compares what was declared, then or now, and nothing else: what the service adds is its own affair.
 *
 * A path that is declared now and was not (or the other way round) counts as changed even where the values agree, so that
 * the state learns what it has to watch; that is never a reason to replace.
 */
export function difference(
  state: JsonObject,
  declared: Declared,
  inputs: JsonObject,
  kind: Kind,
  same: Same = () => undefined,
): Omit<Difference, "deleteBeforeReplace"> {
  const now = new Set(leafPaths(inputs));
  const changed: string[] = [];
  const replaces: string[] = [];
  for (const path of new Set([...declared, ...now])) {
    const [found, wanted] = [at(state, path), at(inputs, path)];
    const along = propertiesAlong(kind.inputs, keysOf(path));
    const agrees = () => same(path, found, wanted, !declared.has(path)) ?? sameAt(path, along, found, wanted);
    const differs = containsUnknown(wanted) || !agrees();
    // An object that is empty now, or was, stands beside the paths of its former parts.
    if (differs || declared.has(path) !== now.has(path)) changed.push(path);
    if (differs && along.some((property) => property.replaces)) replaces.push(path);
  }
  return { changed, replaces };
}

/** The paths of the inputs that a thing that exists differs from, of those that cannot be changed in place. */
export const mismatches = (found: JsonObject, inputs: JsonObject, kind: Kind, same: Same): string[] =>
  difference(found, new Set(), inputs, kind, same).replaces;

function sameAt(path: string, along: ReturnType<typeof propertiesAlong>, left: unknown, right: unknown): boolean {
  const property = along.at(-1);
  return property === undefined || along.length < keysOf(path).length
    ? sameJson(left, right)
    : isSame(property, left, right);
}

export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknown);
}
