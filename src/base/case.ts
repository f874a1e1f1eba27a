import { isObject } from "./json";

/** `whitelist_ips` → `whitelistIps`. */
export const camelCase = (name: string): string =>
  name.replace(/[_-]([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());

/** `whitelistIps` → `whitelist_ips`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The value with the keys of its objects in camel case, at every depth. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [camelCase(key), camelKeys(item)]));
}
