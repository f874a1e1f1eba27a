import { z } from "zod";

/** A field that may be missing or null, both read as `undefined`. */
export const optional = <T extends z.ZodType>(shape: T) => shape.nullish().transform((value) => value ?? undefined);

/** A field that may be missing or null, both read as a value. */
export const orElse = <T extends z.ZodType>(shape: T, value: z.output<T>) =>
  shape.nullish().transform((found): z.output<T> => found ?? value);

/** The one field of an answer that counts. */
export const field = <T>(name: string, shape: z.ZodType<T>) =>
  z.object({ [name]: shape }).transform((answer): T => Reflect.get(answer, name));

/** The object without the keys whose value is `undefined`. */
export const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;

/** An object type whose keys that may be `undefined` may be missing instead. */
export type Present<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};
