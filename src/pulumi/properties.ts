import { isObject, type JsonObject } from "../base/json";
import { placeIn, spotIn } from "../run/placeText";
import { NAME_KEY, PLACE_KEY, PROTOCOL_KEYS } from "./keys";
import { objectFromEngine } from "./values";

export function textIn(props: JsonObject, key: string): string | undefined {
  const text = props[key];
  return typeof text === "string" ? text : undefined;
}

export function placeOf(props: JsonObject): string | undefined {
  const text = textIn(props, PLACE_KEY);
  return text === undefined ? undefined : placeIn(text);
}

/** What stands for the place in a stack of any name, where the state says it. */
export const spotOf = (props: JsonObject): string | undefined => spotIn(textIn(props, PLACE_KEY) ?? "");

/** The name of a resource as its class registers it, and the paths of secrets where it has any. */
export function calledIn(props: JsonObject): { name: string | undefined; secrets: string | undefined } {
  const { [NAME_KEY]: called } = props;
  const told = isObject(called) ? called : { name: called };
  return { name: textIn(told, "name"), secrets: textIn(told, "secrets") };
}

/** The properties of a resource, without the protocol's own keys. */
export function propertiesFromEngine(value: JsonObject): JsonObject {
  const properties = objectFromEngine(value);
  for (const key of PROTOCOL_KEYS) delete properties[key];
  return properties;
}
