import { isObject, type JsonObject } from "../base/json";

/**
 * The paths of an object's leaves, such as `plan.country`; arrays are leaves, and so is an empty object. A dot in a key is
 * written `\.`.
 */
export function leafPaths(value: JsonObject, prefix = ""): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    if (item === undefined) return [];
    const path = `${prefix}${escaped(key)}`;
    return isObject(item) && Object.keys(item).length > 0 ? leafPaths(item, `${path}.`) : [path];
  });
}

const escaped = (key: string): string => key.replace(/[\\.]/g, "\\$&");

/** The path that keys make, from the outermost on. */
export const pathOf = (keys: readonly string[]): string => keys.map(escaped).join(".");

/** The keys of a path, from the outermost on. */
export const keysOf = (path: string): string[] =>
  path.includes("\\")
    ? [...path.matchAll(/(?:\\.|[^.\\])+/g)].map(([key]) => key.replace(/\\(.)/g, "$1"))
    : path.split(".");

/** The value at a path, `undefined` where there is none. */
export function at(value: unknown, path: string | readonly PropertyKey[]): unknown {
  const keys = typeof path === "string" ? keysOf(path) : path;
  return keys.reduce<unknown>((item, key) => {
    if (typeof item !== "object" || item === null) return undefined;
    return Object.hasOwn(item, key) ? (item as Record<PropertyKey, unknown>)[key] : undefined;
  }, value);
}

/** The part of an object that stands at the given paths. */
export function pick(value: JsonObject, paths: Iterable<string>): JsonObject {
  const picked: JsonObject = {};
  for (const path of paths) {
    const item = at(value, path);
    if (item === undefined) continue;
    const keys = keysOf(path);
    const last = keys.pop() as string;
    let target = picked;
    for (const key of keys) {
      if (!isObject(target[key])) target[key] = {};
      target = target[key] as JsonObject;
    }
    target[last] = item;
  }
  return picked;
}
