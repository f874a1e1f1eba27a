import { isObject, type JsonObject } from "../base/json";
import { containsUnknown } from "../lifecycle/diff";
import { type SecretPath, UNKNOWN } from "../lifecycle/lifecycle";

/** What the engine sends in place of any value, of whatever type, that is not known before the update has run. */
const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The constant text that a resource's provider consists of; the engine's side of the protocol owns the key. */
export const PROVIDER_KEY = "__provider";

/**
 * Paths of the declared inputs, kept with the outputs: `diff`, `read` and `delete` get to see outputs alone. One text, for it is
 * in the state of every resource; until version 0.1.0 it was a list.
 */
export const DECLARED_KEY = "__declared";

/** Paths as one text: a comma in a path is written `\,`. */
export const joinedPaths = (paths: readonly string[]): string =>
  paths.map((path) => path.replaceAll(",", "\\,")).join(",");

/** The paths that {@link joinedPaths} has joined. */
export const splitPaths = (text: string): string[] =>
  [...text.matchAll(/(?:\\.|[^\\,])+/gs)].map(([path]) => path.replaceAll("\\,", ","));

/** Marks, under {@link DECLARED_KEY}, what was looked up by its id and is not managed. */
export const LOOKED_UP = "looked up";

/** Stands for a resource's place in its program, the same in every run: its class puts it among the inputs. */
export const PLACE_KEY = "__key";

/** The resource option `replaceOnChanges`, which the engine cannot apply to a dynamic resource: its class puts it there. */
export const REPLACE_KEY = "__replaceOnChanges";

/**
 * Marks the inputs of a preview where the settings ask it to read from the services: the provider cannot tell it from an update. No
 * check answers it, so no state has it.
 */
export const PREVIEW_KEY = "__preview";

/** In the outputs: the name of the explicit provider that the resource is with; of the default one, nothing. */
export const HOME_KEY = "__with";

/**
 * In the outputs: a hash of the account, or of where the Proxy Manager is, unless what that has bears a mark. By it, a move to
 * another provider, or another account's token, is known to lead elsewhere.
 */
export const AT_KEY = "__at";

/** In the outputs: the resource's mark, which says who it is wherever it stands in its program. */
export const MARK_KEY = "__mark";

/** Among the inputs that a class registers: the resource's logical name, for messages. It does not get into the state. */
export const NAME_KEY = "__called";

/**
 * Among the inputs that a class registers, where the program announces anything: the file in which it does, how many take-overs there
 * are, and why some could not be written. By it, the provider's process finds what is announced. It does not get into the state.
 */
export const RUN_KEY = "__run";

export function textIn(props: JsonObject, key: string): string | undefined {
  const text = props[key];
  return typeof text === "string" ? text : undefined;
}

export const placeOf = (props: JsonObject): string | undefined => textIn(props, PLACE_KEY);

/** Values as the engine sends them, as the lifecycles know them. Null is the same as nothing. */
export function fromEngine(value: unknown): unknown {
  if (value === UNKNOWN_VALUE) return UNKNOWN;
  if (Array.isArray(value)) return value.map(fromEngine);
  if (typeof value !== "object" || value === null) return value ?? undefined;
  return objectFromEngine(value);
}

function objectFromEngine(value: object): JsonObject {
  const entries = Object.entries(value).map(([key, item]) => [key, fromEngine(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

/** The properties of a resource, without the protocol's own keys. */
export function propertiesFromEngine(value: JsonObject): JsonObject {
  const properties = objectFromEngine(value);
  for (const key of PROTOCOL_KEYS) delete properties[key];
  return properties;
}

const PROTOCOL_KEYS = [
  PROVIDER_KEY,
  DECLARED_KEY,
  PLACE_KEY,
  REPLACE_KEY,
  HOME_KEY,
  AT_KEY,
  MARK_KEY,
  NAME_KEY,
  PREVIEW_KEY,
  RUN_KEY,
];

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

/**
 * Values as the engine takes them, those at the given paths as secrets; `*` stands for every key. What is not known yet has nothing
 * to hide.
 */
export function sealed(value: JsonObject, secrets: readonly SecretPath[]): JsonObject {
  const plain = toEngine(value);
  for (const path of secrets) {
    for (const { holder, name } of placesOf(plain, path)) {
      if (!containsUnknown(fromEngine(holder[name]))) holder[name] = { ...SECRET_MARK, value: holder[name] };
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
    if (item === undefined) return [];
    if (rest.length === 0) return [{ holder: value, name: each }];
    return isObject(item) ? placesOf(item, rest) : [];
  });
}
