import { isObject } from "../base/json";
import { canonicalAddress } from "./address";
import { clientRange } from "./clientRange";
import type { Property } from "./property";
import { isBlank, scalar, textOf } from "./scalars";
import { asService } from "./spelling";

/** Whether two values of a property mean the same to the service; `undefined` is "not there". */
export function isSame(property: Property, left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const [found, wanted] = [comparable(property, left), comparable(property, right)];
  // The service adds parts of its own.
  if (property.compares === "parts" && isObject(found) && isObject(wanted))
    return Object.keys(wanted).every((key) => sameJson(found[key], wanted[key]));
  return property.compares === "rules" ? sameRules(found, wanted) : sameJson(found, wanted);
}

/** A value in the one form in which values of its property compare; `undefined` for "as if it were not there". */
export function comparable(property: Property, value: unknown): unknown {
  if (property.compares === undefined) return value;
  const plain = plainly(property, value);
  return plain === undefined || sameJson(plain, plainly(property, property.default)) ? undefined : plain;
}

function plainly(property: Property, value: unknown): unknown {
  if (isBlank(value)) return undefined;
  switch (property.compares) {
    case "set":
      return Array.isArray(value) ? [...new Set(value.map(textOf))].sort() : value;
    case "address":
      return addressOf(value);
    case "addresses":
      return Array.isArray(value) ? [...addressSet(value)].sort() : undefined;
    case "clientRanges":
      return Array.isArray(value) ? [...new Set(value.map(rangeOf))].sort() : value;
    case "domains":
      return Array.isArray(value) ? [...new Set(value.map((domain) => textOf(domain).toLowerCase()))].sort() : value;
    case "names":
      // Names of users come back in lower case.
      return Array.isArray(value) ? value.map((name) => textOf(name).toLowerCase()) : undefined;
    case "rules":
      return asService(property, value);
    default:
      return property.is === "choice" && typeof value !== "object" ? String(value) : scalar(property, value);
  }
}

/** Addresses in the one form in which they compare; what is none stays as it is. */
export const addressSet = (addresses: readonly unknown[]): Set<string> => new Set(addresses.map(addressOf));

const addressOf = (address: unknown): string => canonicalAddress(textOf(address)) ?? textOf(address);

const rangeOf = (entry: unknown): string => clientRange(textOf(entry)) ?? textOf(entry);

/** Where a rule has expressions, which are sent so that they stay texts. */
export const EXPRESSIONS: ReadonlySet<string> = new Set(["status", "body", "url"]);

/** An update makes a number or a flag of every other text in rules that begins with a number, or is "true" or "false". */
function sameRules(left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right !== "string") return updated(left) === right;
  if (typeof left !== "string" && typeof right === "string") return sameRules(right, left);
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => sameRules(item, right[index]));
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => {
    const [some, other] = [left[key], right[key]];
    return EXPRESSIONS.has(key) ? sameRules(withMeaning(some), withMeaning(other)) : sameRules(some, other);
  });
}

/** What an update makes of a text in rules. */
export function updated(text: string): unknown {
  const number = Number.parseInt(text, 10);
  if (!Number.isNaN(number)) return number;
  return text === "true" || text === "false" ? text === "true" : text;
}

/**
 * An expression as it keeps its meaning: `5`, which an update makes of `5..`, matches all that has a 5 in it, and one that is `0`
 * or a flag is none. Plain digits stay.
 */
export const withMeaning = (expression: unknown): unknown =>
  typeof expression !== "string" || updated(expression) === expression || /^[1-9]\d{0,14}$/.test(expression)
    ? expression
    : `(?:${expression})`;

/** Whether two values are the same JSON, whatever the order of their keys. */
export const sameJson = (left: unknown, right: unknown): boolean =>
  left === right || canonicalJson(left) === canonicalJson(right);

/** A value as JSON, with the keys in order. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, sorted(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
