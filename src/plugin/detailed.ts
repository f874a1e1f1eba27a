import { isObject, type JsonObject } from "../base/json";
import type { Properties } from "../declaration/property";
import { sameJson } from "../declaration/values";
import { containsUnknown } from "../lifecycle/diff";
import { type Lifecycle, UNKNOWN } from "../lifecycle/lifecycle";
import { at, keysOf, pathOf } from "../lifecycle/paths";

export interface PathChange {
  kind: "ADD" | "DELETE" | "UPDATE";
  isReplacing: boolean;
  /** Whether the engine has to compare the inputs with those that were: otherwise it compares them with the outputs. */
  inputDiff: boolean;
}

interface Compared {
  state: JsonObject;
  /** The inputs that the engine's state has. */
  before: JsonObject | undefined;
  inputs: JsonObject;
}

/** What becomes of each path that has changed, by property paths. Pure. */
export function detailed(
  { set, declaration }: Lifecycle,
  changed: readonly string[],
  replaces: readonly string[],
  { state, before, inputs }: Compared,
): Record<string, PathChange> {
  // The outputs of a set's members have what all share, too, so that they say little of what a program has changed.
  const old = set && before;
  const isIn = (path: string | string[]) => [old, inputs].some((values) => at(values, path) !== undefined);
  const isSharedAlone = (path: string) => !isIn(path) && isIn(sharedPath(declaration.inputs, keysOf(path)) ?? path);
  const shown = old === undefined ? changed : lowest(changed, inputs).filter((path) => !isSharedAlone(path));
  return Object.fromEntries(
    shown.flatMap((path) => {
      const is = at(inputs, path);
      const differs = (from: unknown) => containsUnknown(is) || !sameJson(from, is);
      const inputDiff = old !== undefined && differs(at(old, path));
      const was = at(inputDiff ? old : state, path);
      const isReplacing = replaces.includes(path);
      // What the program says anew of a thing that has it already.
      if (!isReplacing && !differs(was)) return [];
      const all = { keys: keysOf(path), was, is };
      const items = Array.isArray(was) && Array.isArray(is) ? within(all) : [];
      return (items.length > 0 ? items : [all]).map(({ keys, ...change }) => {
        const kind = change.was === undefined ? "ADD" : change.is === undefined ? "DELETE" : "UPDATE";
        return [enginePath(keys), { kind, isReplacing, inputDiff }] as const;
      });
    }),
  );
}

interface DifferingPart {
  keys: readonly PropertyKey[];
  was: unknown;
  is: unknown;
}

/** What differs within a list: the engine finds no item that an option names by a path to the whole. */
function within({ keys, was, is }: DifferingPart): DifferingPart[] {
  if (sameJson(was, is) && !containsUnknown(is)) return [];
  const areLists = Array.isArray(was) && Array.isArray(is);
  if (!areLists && !(isObject(was) && isObject(is))) return [{ keys, was, is }];
  const names: PropertyKey[] = areLists
    ? [...(was.length > is.length ? was : is).keys()]
    : [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return names.flatMap((name) => within({ keys: [...keys, name], was: at(was, [name]), is: at(is, [name]) }));
}

/**
 * A path as the engine reads it, which fails the update for one that it cannot read: in a key, only a quotation mark is escaped. So a
 * key with a backslash before a mark, or at its end, cannot be written, and the path ends before it.
 */
function enginePath(keys: readonly PropertyKey[]): string {
  const end = keys.findIndex((key) => /\\(?:"|$)/.test(String(key)));
  const [first, ...others] = end < 0 ? keys : keys.slice(0, end);
  return [first, ...others.map(engineStep)].join("");
}

function engineStep(key: PropertyKey): string {
  if (typeof key === "number") return `[${key}]`;
  const name = String(key);
  return /^[a-z_]\w*$/i.test(name) ? `.${name}` : `["${name.replaceAll('"', '\\"')}"]`;
}

/** The paths that no other goes on from, and that lead through nothing unknown. */
function lowest(paths: readonly string[], inputs: JsonObject): string[] {
  const above = (path: string) => {
    const keys = keysOf(path);
    return keys.slice(1).map((_, depth) => pathOf(keys.slice(0, depth + 1)));
  };
  const known = paths.filter((path) => above(path).every((each) => at(inputs, each) !== UNKNOWN));
  const passed = new Set(known.flatMap(above));
  return known.filter((path) => !passed.has(path));
}

/** Where the members of a map share what one of them has at a path. */
function sharedPath(inputs: Properties, [name = "", member, ...rest]: readonly string[]): string[] | undefined {
  const output = inputs[name]?.output;
  const isMembers = output?.is === "map" && output.shared !== undefined && member !== undefined && rest.length > 0;
  return isMembers ? [output.shared as string, ...rest] : undefined;
}
