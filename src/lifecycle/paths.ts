import { isObject, type JsonObject } from "../base/json";

/** The paths of leaves, such as `plan.country`; arrays and empty objects are leaves. A dot in a key is written `\.`. */
export function leafPaths(value: JsonObject, prefix = ""): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    if (item === undefined) return [];
    const path = `${prefix}${escaped(key)}`;
    return isObject(item) && Object.keys(item).length > 0 ? leafPaths(item, `${path}.`) : [path];
  });
}

const escaped = (key: string): string => key.replace(/[\\.]/g, "\\$&");

export const pathOf = (keys: readonly string[]): string => keys.map(escaped).join(".");

export function keysOf(path: string): [string, ...string[]] {
  const [first = "", ...others] = path.includes("\\")
    ? [...path.matchAll(/(?:\\.|[^.\\])+/g)].map(([key]) => key.replace(/\\(.)/g, "$1"))
    : path.split(".");
  return [first, ...others];
}

/** A path as Pulumi writes it, such as `plan.country`, `headers["x.y"]` and `rules[0].action`. */
export const propertyPath = (keys: readonly PropertyKey[]): string =>
  keys
    .map((key, depth) => {
      if (typeof key === "number" || !/^[A-Za-z_$][\w$]*$/.test(String(key))) return `[${JSON.stringify(key)}]`;
      return depth === 0 ? String(key) : `.${String(key)}`;
    })
    .join("");

export function at(value: unknown, path: string | readonly PropertyKey[]): unknown {
  const keys = typeof path === "string" ? keysOf(path) : path;
  return keys.reduce<unknown>((item, key) => {
    if (typeof item !== "object" || item === null) return undefined;
    return Object.hasOwn(item, key) ? Reflect.get(item, key) : undefined;
  }, value);
}

export function pick(value: JsonObject, paths: Iterable<string>): JsonObject {
  const picked: JsonObject = {};
  for (const path of paths) {
    const item = at(value, path);
    if (item === undefined) continue;
    const keys = keysOf(path);
    let target = picked;
    for (const key of keys.slice(0, -1)) {
      const { [key]: known } = target;
      const inner = isObject(known) ? known : {};
      target[key] = inner;
      target = inner;
    }
    target[keys.at(-1) ?? ""] = item;
  }
  return picked;
}

/** The values at paths with `*` for every key, as far as they are to be taken. */
export function pickEach(
  value: JsonObject,
  paths: readonly (readonly string[])[],
  isTaken: (leaf: unknown) => boolean = () => true,
): JsonObject {
  const parts = Object.entries(value).flatMap(([name, item]) => {
    const rests = paths.flatMap(([first, ...rest]) => (first === name || first === "*" ? [rest] : []));
    if (isObject(item) && rests.some(({ length }) => length > 0))
      return [[name, pickEach(item, rests, isTaken)] as const];
    return rests.some(({ length }) => length === 0) && isTaken(item) ? [[name, item] as const] : [];
  });
  return Object.fromEntries(parts);
}

/** Whether two paths, with `*` for every key, may lead to the same, or one to a part of the other. */
export const overlap = (path: readonly string[], other: readonly string[]): boolean =>
  path.every((key, depth) => [key, "*", undefined].includes(other[depth]) || key === "*");
