import { isObject } from "./remote/call";
import { refuse } from "./remote/refusal";

export type Fields = Record<string, unknown>;

/**
 * Puts the changes into a record, all or none; its fields keep their kind of value. The fields that are `open` hold an
 * object of any fields, where `null` takes one away.
 */
export function merge<T extends object>(record: T, changes: Fields, open: string[] = []): T {
  const known = new Map<string, unknown>(Object.entries(record));
  const merged = Object.entries(changes).map(([field, value]) => {
    const present = known.get(field);
    if (open.includes(field)) {
      const fields = { ...(isObject(present) ? present : {}), ...objectFrom(field, value) };
      return [field, Object.fromEntries(Object.entries(fields).filter(([, kept]) => kept !== null))];
    }
    if (present === undefined || kindOf(present) !== kindOf(value)) throw refuse(400, `there is no such ${field}`);
    return [field, value];
  });
  return Object.assign(record, Object.fromEntries(merged));
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : value === null ? "null" : typeof value);

/** Refuses fields that there are not. */
export function requireOnly(body: Fields, known: readonly string[]): void {
  const other = Object.keys(body).find((field) => !known.includes(field));
  if (other !== undefined) throw refuse(400, `there is no such ${other}`);
}

export function textFrom(field: string, value: unknown): string {
  if (typeof value !== "string" || value === "") throw refuse(400, `${field} is required`);
  return value;
}

export function objectFrom(field: string, value: unknown): Fields {
  if (!isObject(value)) throw refuse(400, `${field} should be an object`);
  return value;
}

/** What is said of named things, each with its thing. */
export const named = <Thing>(
  field: string,
  said: unknown = {},
  things: ReadonlyMap<string, Thing>,
): [Thing, Fields][] =>
  Object.entries(objectFrom(field, said)).map(([name, state]) => {
    const thing = things.get(name);
    if (thing === undefined) throw refuse(404, `${field} has no ${name}`);
    return [thing, objectFrom(name, state)];
  });

export function objectsFrom(field: string, value: unknown): Fields[] {
  if (!Array.isArray(value) || !value.every(isObject)) throw refuse(400, `${field} should be a list of objects`);
  return value;
}
