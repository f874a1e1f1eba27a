import type { JsonObject } from "../../src/base/json.ts";

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Values as the engine keeps and sends them: the envelopes of secrets are opened for such a provider. */
export const received = (values: JsonObject): JsonObject => opened(values) as JsonObject;

function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened);
  if (value === undefined) throw new TypeError("Unexpected struct type: undefined.");
  if (typeof value !== "object" || value === null) return value;
  if (SIGNATURE in value) return opened((value as { value?: unknown }).value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, opened(item)]));
}
