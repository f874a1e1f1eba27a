import { ownIn } from "../base/json";
import type { Properties, Property } from "./property";

/** The properties that a path leads through, from the outermost on, as far as they are declared. */
export const propertiesAlong = (properties: Properties, path: readonly PropertyKey[]): Property[] =>
  along({ is: "object", properties }, path);

function along(property: Property, [key, ...rest]: readonly PropertyKey[]): Property[] {
  if (key === undefined) return [];
  const ways = partsAt(property, key).map((part) => [part, ...along(part, rest)]);
  return ways.reduce((longest, way) => (way.length > longest.length ? way : longest), []);
}

/** The names that an object at a path may have as its properties, whichever of several objects leads there. */
export function namesAt(properties: Properties, path: readonly PropertyKey[]): string[] {
  const whole: Property = { is: "object", properties };
  const found = path.reduce<Property[]>((those, key) => those.flatMap((each) => partsAt(each, key)), [whole]);
  return [...new Set(found.flatMap(namesOf))];
}

/** What a key leads to; of alternatives, in each of them. */
export function partsAt(property: Property, key: PropertyKey): readonly Property[] {
  if (property.is === "object") {
    const part = typeof key === "string" ? ownIn(property.properties, key) : undefined;
    return part === undefined ? [] : [part];
  }
  return hasAlternatives(property) ? within(property).flatMap((one) => partsAt(one, key)) : within(property);
}

/** The names that an object may have as its properties. */
export function namesOf(property: Property): string[] {
  if (property.is === "object") return Object.keys(property.properties);
  if (!hasAlternatives(property)) return [];
  return [...(property.is === "variants" ? [property.by] : []), ...within(property).flatMap(namesOf)];
}

const hasAlternatives = ({ is }: Property): boolean => is === "variants" || is === "choice";

/** What a property consists of: its parts, or its alternatives. */
function within(property: Property): readonly Property[] {
  switch (property.is) {
    case "list":
      return [property.items];
    case "map":
      return [property.values];
    case "object":
      return Object.values(property.properties);
    case "choice":
      return property.of;
    case "variants":
      return Object.values(property.of);
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

export const isOrHasSecret = (property: Property): boolean =>
  property.secret === true || within(property).some(isOrHasSecret);
