import type { ZodType } from "zod";

/** A field of an answer that may be missing or null, which are the same. */
export const optional = <T extends ZodType>(shape: T) => shape.nullish().transform((value) => value ?? undefined);

/** `T` with its fields that may be undefined as fields that may be absent. */
export type Present<T> = { [Name in keyof T as undefined extends T[Name] ? never : Name]: T[Name] } & {
  [Name in keyof T as undefined extends T[Name] ? Name : never]?: Exclude<T[Name], undefined>;
};

/** The fields that are there: an absent one is left out rather than set to undefined. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
