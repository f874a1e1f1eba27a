import type { JsonObject } from "../../src/base/json";
import { SIGNATURE, unsealed } from "../protocol.mts";

/** What the engine sends in place of a value that is not known before the update has run. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** A value after its way over the wire, to the other side of the protocol. */
export function wire<T>(value: T, path = "it"): T {
  if (Array.isArray(value)) return value.map((item, index) => wire(item, `${path}[${index}]`)) as T;
  if (value === null || ["string", "boolean"].includes(typeof value)) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "object" || ![Object.prototype, null].includes(Object.getPrototypeOf(value))) {
    throw new TypeError(`Unexpected struct type: ${path} is ${String(value)}.`);
  }
  const entries = Object.entries(value).map(([key, item]) => [key, wire(item, `${path}.${key}`)]);
  return Object.fromEntries(entries) as T;
}

/** All texts that stand in envelopes. */
export function sealedTexts(value: unknown, inside = false): string[] {
  if (typeof value === "string") return inside ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  if (SIGNATURE in value) return sealedTexts((value as { value?: unknown }).value, true);
  return Object.values(value).flatMap((item) => sealedTexts(item, inside));
}

export const plain = (value: JsonObject): JsonObject => unsealed(wire(value));
