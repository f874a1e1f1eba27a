/** A plain object, as JSON has it. */
export type JsonObject = Record<string, unknown>;

/** The keys that an object is declared with. */
export const keysIn = <T extends object>(value: T) => Object.keys(value) as (keyof T & string)[];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
