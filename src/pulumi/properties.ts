import { type JsonObject, objectOf } from "../base/json";
import { placeIn, spotIn } from "../run/placeText";
import { PLACE_KEY, PROGRAM_KEY, PROTOCOL_KEYS } from "./keys";
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

/** What a resource's class tells of the program. */
export const toldIn = ({ [PROGRAM_KEY]: told }: JsonObject): JsonObject => objectOf(told);

/** The properties of a resource, without the protocol's own keys. */
export function propertiesFromEngine(value: JsonObject): JsonObject {
  const properties = objectFromEngine(value);
  for (const key of PROTOCOL_KEYS) delete properties[key];
  return properties;
}
