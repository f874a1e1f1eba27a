import { snakeCase } from "../base/case";
import { isObject, type JsonObject } from "../base/json";
import { namesOf, partsAt } from "../declaration/paths";
import type { Properties, Property } from "../declaration/property";
import { isSecret } from "../pulumi/values";

/** Words for a person, with names as the language of the person's program spells them. */
export type Spelling = (words: string) => string;

/**
 * @param runtime what runs the program, as its project says
 * @param schema the package's, whose names a language may spell in its own way
 */
export function spellingFor(runtime: string | undefined, schema: () => string): Spelling {
  if (runtime !== "python") return (words) => words;
  let names: ReadonlySet<string> | undefined;
  const spell = (name: string): string => {
    names ??= new Set([...namesIn(JSON.parse(schema())), ...OPTIONS]);
    return names.has(name) ? (RESERVED[name] ?? snakeCase(name)) : name;
  };
  return (words) =>
    words.replace(CODE, (_, path: string, value = "") => `\`${path.replace(NAME, spell)}${set(value)}\``);
}

/**
 * Inputs, as the engine sends them, with names in snake case as they are declared: where a dictionary is of none of a union's types,
 * Pulumi's SDK for Python leaves its keys, and what is wrong with it would not be found. What may have names of its own stays as it is.
 */
export const asDeclared = (declared: Properties, inputs: JsonObject): JsonObject =>
  // A set of thousands of ports takes a tenth of a second for each thousand.
  hasSnakeCase(inputs) ? (respelled(inputs, [{ is: "object", properties: declared }]) as JsonObject) : inputs;

/** @param declared what the value may be, whichever alternatives lead to it */
function respelled(value: unknown, declared: readonly Property[]): unknown {
  if (isSecret(value)) return { ...value, value: respelled(value.value, declared) };
  const [first] = declared;
  if (first === undefined || (first.is === "object" && first.open)) return value;
  const at = (key: PropertyKey) => declared.flatMap((each) => partsAt(each, key));
  if (Array.isArray(value)) return value.map((item, index) => respelled(item, at(index)));
  if (!isObject(value)) return value;
  const names = declared.flatMap(namesOf);
  const entries = Object.entries(value).map(([key, item]) => {
    const name = names.find((one) => snakeCase(one) === key && !Object.hasOwn(value, one)) ?? key;
    return [name, respelled(item, at(name))];
  });
  return Object.fromEntries(entries);
}

/** Whether any key may be in snake case; those that begin with it are the package's own. */
const hasSnakeCase = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([key, item]) => key.indexOf("_", 1) > 1 || hasSnakeCase(item));

/** A path in backticks, as messages have it, with a value or without. */
const CODE = /`([a-z]\w*(?:\.\w+|\[[^\]`]*\])*)(: [^`]+)?`/g;

/** A name in a path, or a key in quotation marks, which is none. */
const NAME = /\["[^"]*"\]|[a-z]\w*/g;

/** Pulumi's options that messages name. */
const OPTIONS = ["retainOnDelete", "deletedWith"];

/** What is a keyword of Python, in the spelling of Pulumi's SDKs. */
const RESERVED: Readonly<Record<string, string>> = { from: "from_" };

const LITERALS: Readonly<Record<string, string>> = { true: "True", false: "False" };

const set = (value: string): string => value && `=${LITERALS[value.slice(2)] ?? value.slice(2)}`;

/** The names in a part of a schema, among them those of all properties and functions. */
const namesIn = (part: unknown): string[] =>
  isObject(part)
    ? Object.entries(part).flatMap(([key, value]) => [key.slice(key.lastIndexOf(":") + 1), ...namesIn(value)])
    : [];
