import { camelCase, snakeCase } from "../base/case";
import { isObject } from "../base/json";
import type { ObjectShape, Property } from "./property";

/** A value as the service spells the names in it. What is not declared stays as it is. */
export const asService = (property: Property, value: unknown): unknown =>
  respelled(property, value, ({ properties }, key) => {
    const name = declaredName(properties, key);
    return name === undefined ? key : snakeCase(name);
  });

/**
 * A value of the service as programs spell the names in it. What is not declared stays as it is; what has a name of programs
 * alone means nothing to the service, and is left out.
 */
export const asProgram = (property: Property, value: unknown): unknown =>
  respelled(property, value, ({ properties }, key) => {
    const name = declaredName(properties, key);
    return name === key && snakeCase(name) !== key ? undefined : (name ?? key);
  });

/** The name that is declared of a key, in either spelling; `undefined` where none is. */
const declaredName = (properties: ObjectShape["properties"], key: string): string | undefined =>
  [key, camelCase(key)].find((name) => Object.hasOwn(properties, name) && [name, snakeCase(name)].includes(key));

function respelled(
  property: Property,
  value: unknown,
  rename: (shape: ObjectShape, key: string) => string | undefined,
): unknown {
  if (property.is === "list" && Array.isArray(value))
    return value.map((item) => respelled(property.items, item, rename));
  if (property.is !== "object" || property.respelled !== true || !isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const name = rename(property, key);
    const declared = property.properties[declaredName(property.properties, key) ?? ""];
    return name === undefined ? [] : [[name, declared === undefined ? item : respelled(declared, item, rename)]];
  });
  return Object.fromEntries(entries);
}
