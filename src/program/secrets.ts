import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../base/json";
import type { Kind } from "../declaration/kind";
import { isOrHasSecret, partsAt, propertiesAlong } from "../declaration/paths";
import type { Property } from "../declaration/property";
import { pathOf } from "../lifecycle/paths";

/** A value that is written out in a program, and not one that is known later. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !pulumi.Output.isInstance(value) && !(value instanceof Promise);

/** A value of a property with the secrets in it as secrets, as far as it is written out. */
export function withSecrets(property: Property, value: unknown): unknown {
  if (value === undefined || !isOrHasSecret(property)) return value;
  if (property.secret) return pulumi.secret(value);
  if (property.is === "list" && Array.isArray(value)) return value.map((item) => withSecrets(property.items, item));
  if (!isPlain(value)) return value;
  const parts = Object.entries(value).map(([name, item]) => {
    const part = partsAt(property, name).find(isOrHasSecret);
    return [name, part === undefined ? item : withSecrets(part, item)];
  });
  return Object.fromEntries(parts);
}

interface Later {
  path: readonly string[];
  value: unknown;
}

/**
 * The paths of arguments that are secrets, or lists with one, and are not declared to be; `undefined` where all are written out, and so
 * none is.
 */
export function secretsGiven({ inputs }: Kind, args: object): Promise<string[]> | undefined {
  const later = laterIn(args, []).filter(({ path }) => !propertiesAlong(inputs, path).some(({ secret }) => secret));
  if (later.length === 0) return undefined;
  return Promise.all(later.map(({ value }) => isSecret(value))).then((are) => [
    ...new Set(later.filter((_, index) => are[index]).map(({ path }) => pathOf(path))),
  ]);
}

/** Whether what is known later is a secret, or has one. That it fails is told where it is registered. */
async function isSecret(later: unknown): Promise<boolean> {
  try {
    if (pulumi.Output.isInstance(later)) return await pulumi.isSecret(later);
    const are = await Promise.all(laterIn(await later, []).map(({ value }) => isSecret(value)));
    return are.includes(true);
  } catch {
    return false;
  }
}

/** The values that are known later, each with its path: of what is in a list, with that of the whole. */
function laterIn(value: unknown, path: readonly string[]): Later[] {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return [{ path, value }];
  if (Array.isArray(value)) return value.flatMap((item) => laterIn(item, path).map((later) => ({ ...later, path })));
  if (!isObject(value) || pulumi.Resource.isInstance(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => laterIn(item, [...path, key]));
}
