import * as pulumi from "@pulumi/pulumi";
import type { Properties, Property } from "../declaration/property";
import type { Lookup } from "../functions/lookup";
import type { CallOptions } from "../http/transport";
import { isObject, type JsonObject } from "../json";
import { managerClient, remoteClient } from "./clients";
import { type Inputs, whenKnown } from "./whenKnown";

/** Runs a declared function in the program. */
export async function lookUpNow<Result>(lookup: Lookup, args: object, options: CallOptions): Promise<Result> {
  return withSecrets(lookup.result, (await ask(lookup, args, options)) as JsonObject) as Result;
}

/** Runs a declared function once all arguments are known. With a secret in it, the result is secret as a whole. */
export function lookUpWhenKnown<Result extends object>(lookup: Lookup, args: Inputs<object>): pulumi.Output<Result> {
  const found = whenKnown(args, (known) => ask(lookup, known, {}) as Promise<Result>);
  return (hasSecret(lookup.result) ? pulumi.secret(found) : found) as pulumi.Output<Result>;
}

function ask(lookup: Lookup, args: object, options: CallOptions): Promise<object> {
  const client = lookup.service === "remote" ? remoteClient() : managerClient();
  return lookup.ask(client, args as never, options);
}

/** The values, with each that is secret as a secret output. */
const withSecrets = (properties: Properties, values: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      return [name, property === undefined ? value : guarded(property, value)];
    }),
  );

function guarded(property: Property, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (property.secret) return pulumi.secret(value);
  if (property.is === "object" && isObject(value)) return withSecrets(property.properties, value);
  if (property.is === "list" && Array.isArray(value)) return value.map((item) => guarded(property.items, item));
  return value;
}

export const hasSecret = (properties: Properties): boolean => Object.values(properties).some(isOrHasSecret);

function isOrHasSecret(property: Property): boolean {
  if (property.secret) return true;
  if (property.is === "object") return hasSecret(property.properties);
  return property.is === "list" && isOrHasSecret(property.items);
}
