export type JsonObject = Record<string, unknown>;

/** The keys that an object is declared with. */
export const keysIn = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[];

/** What an object has under a name that comes from elsewhere: `constructor` is none of its own. */
export const ownIn = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;

/** An object with those of its keys alone that are meant. */
export const filterKeys = <T extends object>(values: T, isMeant: (name: string) => boolean): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isMeant(name))) as Partial<T>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value that is an object, or an empty one in its place. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
