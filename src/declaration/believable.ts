import { isObject } from "../base/json";
import { FLAG_VALUES } from "./flags";
import type { Property } from "./property";
import { typed } from "./scalars";

/** Whether a service can have a value for a property: one of its type, in any spelling. An empty text is none of all types. */
export function isBelievable(property: Property, value: unknown): boolean {
  if (value === "") return true;
  switch (property.is) {
    case "text":
      return typeof value === "string";
    case "number":
      return typeof typed(property, value) === "number";
    case "flag":
      return FLAG_VALUES.has(value);
    case "list":
      return Array.isArray(value) && value.every((item) => isBelievable(property.items, item));
    case "choice":
      return property.of.some((one) => isBelievable(one, value));
    case "any":
      return true;
    default:
      return isObject(value);
  }
}
