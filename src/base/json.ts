export type JsonObject = Record<string, unknown>;

/** The keys that an object is declared with. */
export const keysIn = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[];

/** What an object has under a name that comes from elsewhere: `constructor` is none of its own. */
export const ownIn = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
