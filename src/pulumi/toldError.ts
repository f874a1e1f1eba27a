import type { JsonObject } from "../base/json";

/**
 * An error of a function as the plugin tells it to the package's own classes, where a failure has a property: the name of its class, and
 * what it has besides a message. No parenthesis is in it, for the SDK puts it in some.
 */
export function toldError(name: string, fields: JsonObject): string {
  if (Object.keys(fields).length === 0) return name;
  return `${name} ${JSON.stringify(fields).replaceAll("(", "\\u0028").replaceAll(")", "\\u0029")}`;
}

/** What the SDK makes of it, behind the words. */
const TOLD = /^Invoke of '\S+' failed: (.*) \((\w+)(?: (\{[^()]*\}))?\)$/s;

/** An error as it was told; `undefined` where it was not. */
export function errorTold(message: string): { words: string; name: string; fields: JsonObject } | undefined {
  const [, words = "", name, fields = "{}"] = TOLD.exec(message) ?? [];
  return name === undefined ? undefined : { words, name, fields: JSON.parse(fields) };
}
