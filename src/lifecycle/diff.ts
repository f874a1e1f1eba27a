import type { JsonObject } from "../json";
import { type Declared, type Difference, UNKNOWN } from "./lifecycle";
import { at, leafPaths } from "./paths";

/** How the values of a kind's inputs compare. */
export interface Comparison {
  /** Whether two known values mean the same to the service; `undefined` is "not there". */
  same(path: string, left: unknown, right: unknown): boolean;
  /** Whether a change needs a new one. */
  replaces(path: string): boolean;
}

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
  comparison: Comparison,
): Omit<Difference, "deleteBeforeReplace"> {
  const now = new Set(leafPaths(inputs));
  const changed: string[] = [];
  const replaces = new Set<string>();
  for (const path of new Set([...declared, ...now])) {
    const wanted = at(inputs, path);
    const differs = containsUnknown(wanted) || !comparison.same(path, at(state, path), wanted);
    // An object that is empty now, or was, stands beside the paths of its former parts.
    if (differs || declared.has(path) !== now.has(path)) changed.push(path);
    if (differs && comparison.replaces(path)) replaces.add(path.split(".")[0] as string);
  }
  return { changed, replaces: [...replaces] };
}

/** Whether a value is not known yet, or has a part that is not. */
export function containsUnknown(value: unknown): boolean {
  if (value === UNKNOWN) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some(containsUnknown);
}

/** Whether two values are the same JSON, whatever the order of their keys. */
export const sameJson = (left: unknown, right: unknown): boolean => canonicalJson(left) === canonicalJson(right);

/** A value as JSON, with the keys in order. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
