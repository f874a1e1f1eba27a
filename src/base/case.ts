import { isObject, type JsonObject } from "./json";

/** `whitelist_ips` → `whitelistIps`. */
export const camelCase = (name: string): string =>
  name.replace(/[_-]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());

/** `whitelistIps` → `whitelist_ips`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The object with its keys, and those of the objects in it, in camel case. */
export const camelKeys = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [camelCase(key), inCamelCase(value)]));

function inCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inCamelCase);
  return isObject(value) ? camelKeys(value) : value;
}
