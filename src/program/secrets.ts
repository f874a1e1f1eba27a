import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../base/json";
import { hasSecret } from "../declaration/paths";
import type { Property } from "../declaration/property";

/** A value that is written out in a program, and not one that is known later. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !pulumi.Output.isInstance(value) && !(value instanceof Promise);

/** A value of a property with the secrets in it as secrets, as far as it is written out. */
export function withSecrets(property: Property, value: unknown): unknown {
  if (value === undefined || !hasSecret({ property })) return value;
  if (property.secret) return pulumi.secret(value);
  if (!isPlain(value)) return value;
  const partOf = (name: string): Property | undefined => {
    if (property.is === "map") return property.values;
    return property.is === "object" && Object.hasOwn(property.properties, name) ? property.properties[name] : undefined;
  };
  const parts = Object.entries(value).map(([name, item]) => {
    const part = partOf(name);
    return [name, part === undefined ? item : withSecrets(part, item)];
  });
  return Object.fromEntries(parts);
}
