import { isObject, type JsonObject } from "./json";

/** `whitelist_ips` → `whitelistIps`. */
export const camelCase = (name: string): string =>
  name.replace(/[_-]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());

/** `whitelistIps` → `whitelist_ips`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The object with its keys, and those of the objects in it, in camel case. */
export const camelKeys = (object: JsonObject): JsonObject => withKeys(object, camelCase);

/** The same in snake case. */
export const snakeKeys = (object: JsonObject): JsonObject => withKeys(object, snakeCase);

const withKeys = (object: JsonObject, rename: (key: string) => string): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), inside(value, rename)]));

function inside(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => inside(item, rename));
  return isObject(value) ? withKeys(value, rename) : value;
}
