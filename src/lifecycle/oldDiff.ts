import type { JsonObject } from "../json";
import { containsUnknown } from "./diff";
import type { Declared, Difference } from "./lifecycle";
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
