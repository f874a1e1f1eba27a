import { FLAG_VALUES } from "./flags";
import type { Property } from "./property";

/** A value of a text, a number or a flag in the one form in which it compares; its default where there is none. */
export const canonical = (property: Property, value: unknown): unknown =>
  isBlank(value) ? property.default : scalar(property, value);

/** A value that is there, in the one form in which values of its property compare that are no lists. */
export function scalar(property: Property, value: unknown): unknown {
  switch (property.compares) {
    case "caseless":
      return typeof value === "string" ? value.toLowerCase() : value;
    case "words":
      return typeof value === "string" ? [...new Set(value.split(/\s+/).filter(Boolean))].sort().join(" ") : value;
    default:
      return typed(property, value);
  }
}

/** A value in its property's type, where the service writes it in another. */
export function typed(property: Property, value: unknown): unknown {
  switch (property.is) {
    case "flag":
      return FLAG_VALUES.get(value) ?? value;
    case "number":
      return typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
    case "text":
      return property.synonyms?.[textOf(value)] ?? textOf(value);
    default:
      return value;
  }
}

/** Whether a value says no more than its absence. */
export const isBlank = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (typeof value === "object" && Object.keys(value).length === 0);

export const textOf = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : String(value));
