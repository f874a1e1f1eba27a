import { isObject, type JsonObject } from "../base/json";
import { type SecretPath, UNKNOWN } from "../lifecycle/lifecycle";

/** What the engine sends in place of any value, of whatever type, that is not known before the update has run. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Values as the engine sends them, as the lifecycles know them. Null is the same as nothing. */
export function fromEngine(value: unknown): unknown {
  if (value === UNKNOWN_VALUE) return UNKNOWN;
  if (Array.isArray(value)) return value.map(fromEngine);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  return objectFromEngine(value);
}

/** The same of an object, without what is nothing. */
export function objectFromEngine(value: object): JsonObject {
  const entries = Object.entries(value).map(([key, item]) => [key, fromEngine(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/**
 * Values as the engine takes them: plain JSON. An `undefined`, a bigint or a date on the wire is an error that nobody
 * understands, or an answer that never comes.
 */
export function toEngine(value: JsonObject): JsonObject {
  const plain = (_key: string, item: unknown) => {
    if (item === UNKNOWN) return UNKNOWN_VALUE;
    return typeof item === "bigint" ? String(item) : item;
  };
  return JSON.parse(JSON.stringify(value, plain));
}

// The wire form of a secret. The engine takes it from any provider, also where nothing in the program or the state has told it
// yet that a value is one: after an import from a file, for instance.
export const SECRET_MARK = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };

/** Whether a value on the wire is a secret, with what it is as its `value`. */
export function isSecret(value: unknown): value is { value: unknown } {
  return isObject(value) && Object.entries(SECRET_MARK).every(([key, mark]) => value[key] === mark);
}

/**
 * Values as the engine takes them, those at the given paths as secrets; `*` stands for every key. What is in a secret is no other
 * one, and a value that is not known yet has nothing to hide.
 */
export function sealed(value: JsonObject, secrets: readonly SecretPath[]): JsonObject {
  const plain = toEngine(value);
  for (const path of [...secrets].sort((a, b) => a.length - b.length)) {
    for (const { holder, name } of placesOf(plain, path)) {
      if (holder[name] !== UNKNOWN_VALUE) holder[name] = { ...SECRET_MARK, value: holder[name] };
    }
  }
  return plain;
}

/** What stands at the given paths. */
export const valuesAt = (value: JsonObject, path: SecretPath): unknown[] =>
  placesOf(value, path).map(({ holder, name }) => holder[name]);

/** The objects that have something at a path, with its name there. */
function placesOf(value: JsonObject, [name = "", ...rest]: SecretPath): { holder: JsonObject; name: string }[] {
  const names = name === "*" ? Object.keys(value) : [name];
  return names.flatMap((each) => {
    const item = Object.hasOwn(value, each) ? value[each] : undefined;
    if (item === undefined || isSecret(item)) return [];
    if (rest.length === 0) return [{ holder: value, name: each }];
    return isObject(item) ? placesOf(item, rest) : [];
  });
}
