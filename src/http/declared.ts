import { z } from "zod";
import { snakeCase } from "../base/case";
import type { Properties, Property, ValuesOf } from "../declaration/property";
import { optional, present } from "./optional";

/**
 * The declared properties of an answer, by their names in programs. Nothing else of it is kept.
 *
 * @param nonsense what to make of a value that is blank or not of its property's type, where the property may be missing
 */
export const declared = <const P extends Properties>(
  properties: P,
  { nonsense = "refused" }: { nonsense?: "refused" | "absent" } = {},
): z.ZodType<ValuesOf<P>> => {
  const fields = Object.entries(properties).map(([name, property]) => {
    const one = shapeOf(property);
    const maybe =
      nonsense === "refused"
        ? optional(one)
        : one
            .refine((value) => value !== "")
            .optional()
            .catch(undefined);
    return { name, service: property.service ?? snakeCase(name), shape: property.required ? one : maybe };
  });
  return z
    .object(Object.fromEntries(fields.map(({ service, shape }) => [service, shape])))
    .transform((answer) => present(Object.fromEntries(fields.map(({ name, service }) => [name, answer[service]]))))
    .pipe(z.custom<ValuesOf<P>>());
};

function shapeOf(property: Property): z.ZodType {
  switch (property.is) {
    case "text":
      return z.string();
    case "number":
      return z.number();
    case "flag":
      return z.boolean();
    case "list":
      return z.array(shapeOf(property.items));
    default:
      return z.unknown();
  }
}
