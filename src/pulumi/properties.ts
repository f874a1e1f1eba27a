import type { JsonObject } from "../base/json";
import { PLACE_KEY, PROTOCOL_KEYS } from "./keys";
import { objectFromEngine } from "./values";

export function textIn(props: JsonObject, key: string): string | undefined {
  const text = props[key];
  return typeof text === "string" ? text : undefined;
}

export const placeOf = (props: JsonObject): string | undefined => textIn(props, PLACE_KEY);

/** The properties of a resource, without the protocol's own keys. */
export function propertiesFromEngine(value: JsonObject): JsonObject {
  const properties = objectFromEngine(value);
  for (const key of PROTOCOL_KEYS) delete properties[key];
  return properties;
}
