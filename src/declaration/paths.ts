import type { Properties, Property } from "./property";

/** The properties that a path leads through, from the outermost on, as far as they are declared. */
export function propertiesAlong(properties: Properties, path: readonly PropertyKey[]): Property[] {
  const [key, ...rest] = path;
  if (typeof key !== "string" || !Object.hasOwn(properties, key)) return [];
  const property = properties[key] as Property;
  return [property, ...within(property, rest)];
}

function within(property: Property, path: readonly PropertyKey[]): Property[] {
  const [key, ...rest] = path;
  if (key === undefined) return [];
  switch (property.is) {
    case "list":
      return [property.items, ...within(property.items, rest)];
    case "map":
      return [property.values, ...within(property.values, rest)];
    case "object":
      return propertiesAlong(property.properties, path);
    case "variants":
    case "choice":
      return alternatives(property)
        .map((one) => within(one, path))
        .reduce((longest, found) => (found.length > longest.length ? found : longest), []);
    default:
      return [];
  }
}

const alternatives = (property: Extract<Property, { is: "variants" | "choice" }>): readonly Property[] =>
  property.is === "choice" ? property.of : Object.values(property.of);

/** The names that an object at a path may have as its properties, whichever of several objects leads there. */
export function namesAt(properties: Properties, path: readonly PropertyKey[]): string[] {
  const [key, ...rest] = path;
  if (key === undefined) return Object.keys(properties);
  if (typeof key !== "string" || !Object.hasOwn(properties, key)) return [];
  return [...new Set(namesWithin(properties[key] as Property, rest))];
}

function namesWithin(property: Property, path: readonly PropertyKey[]): string[] {
  const [key, ...rest] = path;
  switch (property.is) {
    case "list":
      return key === undefined ? [] : namesWithin(property.items, rest);
    case "map":
      return key === undefined ? [] : namesWithin(property.values, rest);
    case "object":
      return namesAt(property.properties, path);
    case "variants":
    case "choice": {
      const names = alternatives(property).flatMap((one) => namesWithin(one, path));
      return property.is === "variants" && key === undefined ? [property.by, ...names] : names;
    }
    default:
      return [];
  }
}

/** Names of the properties that are, or have, secrets. */
export const secretsAmong = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([name, property]) => (isOrHasSecret(property) ? [name] : []));

/**
 * Paths of the secrets, from the outermost name on; `*` stands for every key of a map. Of what has a secret in some other shape,
 * all is one.
 */
export const secretPaths = (properties: Properties): string[][] =>
  Object.entries(properties).flatMap(([name, property]) => pathsWithin(property).map((path) => [name, ...path]));

function pathsWithin(property: Property): string[][] {
  if (!isOrHasSecret(property)) return [];
  if (property.secret === true) return [[]];
  if (property.is === "object") return secretPaths(property.properties);
  return property.is === "map" ? pathsWithin(property.values).map((path) => ["*", ...path]) : [[]];
}

/** Where the outputs show once more what stands at a path of the inputs: what the members of a map share, each of them has. */
export const shownAgain = (inputs: Properties, [first = "", ...rest]: readonly string[]): string[][] =>
  Object.entries(inputs).flatMap(([name, { output }]) =>
    output?.is === "map" && output.shared === first ? [[name, "*", ...rest]] : [],
  );

/** Whether any of the properties is, or has, a secret. */
export const hasSecret = (properties: Properties): boolean => Object.values(properties).some(isOrHasSecret);

function isOrHasSecret(property: Property): boolean {
  if (property.secret === true) return true;
  switch (property.is) {
    case "list":
      return isOrHasSecret(property.items);
    case "map":
      return isOrHasSecret(property.values);
    case "object":
      return hasSecret(property.properties);
    case "variants":
    case "choice":
      return alternatives(property).some(isOrHasSecret);
    default:
      return false;
  }
}
