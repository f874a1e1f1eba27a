import { isObject, type JsonObject } from "../../base/json";
import { FLAG_VALUES } from "../../declaration/flags";
import type { Kind } from "../../declaration/kind";
import type { Properties, Property } from "../../declaration/property";

/** How lists compare whose order means nothing. */
const UNORDERED: ReadonlySet<string> = new Set(["set", "addresses", "clientRanges", "domains"]);

/** The inputs of a kind in the order of its declaration, whatever that of the service's answers. */
export const inOrder = ({ inputs }: Kind, values: JsonObject): JsonObject => objectInOrder(inputs, values);

function objectInOrder(properties: Properties, values: JsonObject): JsonObject {
  const known = Object.keys(properties).filter((name) => Object.hasOwn(values, name));
  const others = Object.keys(values).filter((name) => !Object.hasOwn(properties, name));
  const entries = [...known, ...others.sort()].map((name) => [name, ordered(properties[name], values[name])] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function ordered(property: Property | undefined, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => ordered(property?.is === "list" ? property.items : undefined, item));
    return UNORDERED.has(property?.compares ?? "") ? items.sort(byText) : items;
  }
  if (property?.is === "flag") return FLAG_VALUES.get(value) ?? value;
  if (!isObject(value)) return value;
  if (property?.is === "object") return objectInOrder(property.properties, value);
  if (property?.is === "variants") {
    const { properties = {} } = property.of[String(value[property.by])] ?? {};
    return objectInOrder({ [property.by]: { is: "any" }, ...properties }, value);
  }
  if (property?.is !== "map") return objectInOrder({}, value);
  const { values } = property;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, ordered(values, item)]));
}

const byText = (left: unknown, right: unknown): number => {
  if (typeof left === "number" && typeof right === "number") return left - right;
  const [one, other] = [String(left), String(right)];
  return Number(one > other) - Number(one < other);
};
