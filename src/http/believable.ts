import { z } from "zod";
import { isBelievable } from "../declaration/believable";
import type { Property } from "../declaration/property";
import { optional } from "./optional";

/** A field of an answer that is of its property's type, or says nothing. */
export const believable = (property: Property) =>
  optional(z.unknown().refine((value) => value === null || isBelievable(property, value)));
