import * as pulumi from "@pulumi/pulumi";
import { ofThing } from "../base/memory";
import type { Kind } from "../declaration/kind";

const nothing = (): { value?: unknown } => ({});

/** Remembers the name that a program gives to a resource itself by the output that says it: it is known before the engine answers. */
export function rememberName(resource: pulumi.CustomResource, { namedBy = "" }: Kind, args: pulumi.Inputs): void {
  const [given, output]: unknown[] = [args[namedBy], Reflect.get(resource, namedBy)];
  const isWritten = typeof given === "string" || typeof given === "number";
  if (isWritten && pulumi.Output.isInstance(output)) ofThing(output, nothing).value = given;
}

/** A value with the names that the program has given in the place of outputs that are these. */
export function withNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNames);
  return pulumi.Output.isInstance(value) ? (ofThing(value, nothing).value ?? value) : value;
}
