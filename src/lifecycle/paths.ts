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
