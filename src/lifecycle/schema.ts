import { type ZodType, z } from "zod";
import { snakeCase } from "../base/case";
import { isObject } from "../base/json";
import { meant } from "../base/nearest";
import { FLAG_VALUES } from "../declaration/flags";
import { FORMATS } from "../declaration/formats";
import type {
  Condition,
  Facts,
  FlagShape,
  ListShape,
  NumberShape,
  ObjectShape,
  Properties,
  Property,
  TextShape,
  VariantsShape,
} from "../declaration/property";
import { isSame } from "../declaration/values";

export const strictShape = (properties: Properties): ZodType => z.strictObject(shapesOf(properties));

export const isPossible = (property: Property, value: unknown): boolean => typeOf(property).safeParse(value).success;

const shapesOf = (properties: Properties): Record<string, ZodType> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      property.required === true ? typeOf(property) : typeOf(property).optional(),
    ]),
  );

function typeOf(property: Property): ZodType {
  switch (property.is) {
    case "text":
      return textOf(property);
    case "number":
      return numberOf(property);
    case "flag":
      return flagOf(property);
    case "list":
      return listOf(property);
    case "object":
      return property.open
        ? openObject(property)
        : z.strictObject(shapesOf(property.properties), property.expected ?? EXPECTED_OBJECT);
    case "map":
      return z.record(
        property.keys === undefined ? z.string() : z.string().regex(property.keys),
        typeOf(property.values),
        property.expected ?? EXPECTED_OBJECT,
      );
    case "choice":
      return z.union(property.of.map(typeOf), property.expected);
    case "variants":
      return variantsOf(property);
    default:
      return z.unknown();
  }
}

function flagOf({ loose, only, expected }: FlagShape): ZodType {
  const service = `expected true or false (the service's "true", "false", 1 and 0 will do).`;
  if (loose) return z.custom((value) => FLAG_VALUES.has(value), expected ?? service);
  return only === undefined
    ? z.boolean(expected ?? "expected true or false.")
    : z.literal(only, expected ?? `expected ${only}.`);
}

function listOf({ items, least, tooFew, expected = "expected a list." }: ListShape): ZodType {
  const list = z.array(typeOf(items), expected);
  return least === undefined ? list : list.min(least, tooFew);
}

const EXPECTED_OBJECT = "expected an object.";

/** An object that may have what is not declared, but nothing that is nearly so: the service would take it in silence. */
function openObject({ properties, respelled, expected = EXPECTED_OBJECT }: ObjectShape): ZodType {
  const names = Object.keys(properties);
  const alike = names.filter((name) => respelled && snakeCase(name) !== name);
  const shapes = shapesOf(properties);
  const respelt = Object.entries(shapes).filter(([name]) => alike.includes(name));
  const known = z.looseObject(
    { ...shapes, ...Object.fromEntries(respelt.map(([name, shape]) => [snakeCase(name), shape])) },
    expected,
  );
  return z.unknown().superRefine((value, context) => {
    for (const issue of known.safeParse(value).error?.issues ?? []) context.addIssue({ ...issue });
    if (!isObject(value)) return;
    for (const name of alike.filter((one) => one in value && snakeCase(one) in value)) {
      const message = `\`${name}\` is given too, and is the same: give it once.`;
      context.addIssue({ code: "custom", path: [snakeCase(name)], message });
    }
    const others = Object.keys(value).filter((key) => !(key in known.shape));
    const keys = others.filter((key) => meant(key, names) !== undefined);
    if (keys.length > 0) context.addIssue({ code: "unrecognized_keys", keys, input: value });
  });
}

function variantsOf({ by, of, expected, calledElsewhere = {} }: VariantsShape): ZodType {
  const names = `${oneOfThem(Object.keys(of))}.`;
  const known = new Map<unknown, ZodType>(
    Object.entries(of).map(([name, { properties }]) => [
      name,
      z.strictObject({ [by]: z.literal(name), ...elsewhere(by, name, of), ...shapesOf(properties) }),
    ]),
  );
  const meaning = new Map(Object.entries(calledElsewhere).map(([name, meant]) => [inOneWord(name), meant]));
  const expectedNames = (given: unknown) => {
    const meant = typeof given === "string" ? meaning.get(inOneWord(given)) : undefined;
    return meant === undefined
      ? `expected ${names}`
      : `expected ${names.slice(0, -1)}; here ${JSON.stringify(given)} is \`${meant}\`.`;
  };
  const unknown = z.strictObject({
    ...anywhere(of),
    [by]: z.enum(Object.keys(of), { error: ({ input }) => expectedNames(input) }),
  });
  return z.unknown().superRefine((value, context) => {
    if (!isObject(value)) return context.addIssue(expected ?? `expected an object with a \`${by}\`, ${names}`);
    const { error } = (known.get(value[by]) ?? unknown).safeParse(value);
    for (const issue of error?.issues ?? []) context.addIssue({ ...issue });
  });
}

const inOneWord = (name: string): string => name.toLowerCase().replaceAll(/[\s_-]/g, "");

/** The properties of all variants, for one of which it is not known which it is: only what they agree on is checked. */
function anywhere(of: VariantsShape["of"]): Record<string, ZodType> {
  const all = Object.values(of).flatMap(({ properties }) => Object.entries(properties));
  const differs = (name: string, property: Property) => all.some(([other, one]) => other === name && one !== property);
  return Object.fromEntries(
    all.map(([name, property]) => [name, (differs(name, property) ? z.unknown() : typeOf(property)).optional()]),
  );
}

/** The properties of the other variants: here they may have no value but the one that their absence means. */
function elsewhere(by: string, name: string, of: VariantsShape["of"]): Record<string, ZodType> {
  const others = Object.values(of).flatMap(({ properties }) => Object.entries(properties));
  return Object.fromEntries(
    others.map(([field, property]) => {
      const where = Object.keys(of).filter((other) => Object.hasOwn(of[other]?.properties ?? {}, field));
      const expected = `it goes with \`${by}\` ${quoted(where).join(" or ")}, not with ${JSON.stringify(name)}.`;
      return [field, z.custom((value) => isSame(property, value, property.default), expected).optional()];
    }),
  );
}

const quoted = (values: readonly string[]): string[] => values.map((value) => JSON.stringify(value));

const oneOfThem = (values: readonly string[]): string =>
  values.length > 2 ? `one of ${quoted(values).join(", ")}` : quoted(values).join(" or ");

const EMPTY = "expected a text that is not empty";

function textOf({ oneOf, must = [], most, blank, expected, required }: TextShape & Facts): ZodType {
  if (oneOf !== undefined) return z.enum(oneOf, expected ?? `expected ${oneOfThem(oneOf)}.`);
  const first = must[0]?.expected;
  const any = z.string(expected ?? first ?? "expected a text.");
  const isFull = blank !== true && must.length === 0;
  let type: z.ZodType<string> = isFull
    ? any.min(1, required ? `${EMPTY}.` : `${EMPTY}; leave the property out instead.`)
    : any;
  if (most !== undefined) type = type.refine((text) => text.length <= most, `expected at most ${most} characters.`);
  return must.reduce((made, condition) => made.refine((text) => meets(text, condition), condition.expected), type);
}

function meets(text: string, { pattern, format, not }: Condition): boolean {
  if (not !== undefined && FORMATS[not](text)) return false;
  if (pattern === undefined && format === undefined) return true;
  return pattern?.test(text) === true || (format !== undefined && FORMATS[format](text));
}

function numberOf({ whole, least, most, digits, expected }: NumberShape): ZodType {
  const words = expected ?? `expected a ${whole ? "whole " : ""}number${range(least, most)}.`;
  if (digits) {
    const pattern = /^\d{1,9}$/;
    return z.custom((value) => ["number", "string"].includes(typeof value) && pattern.test(String(value)), words);
  }
  let type = z.number(words);
  if (whole) type = type.int(words);
  if (least !== undefined) type = type.min(least, words);
  return most === undefined ? type : type.max(most, words);
}

function range(least: number | undefined, most: number | undefined): string {
  if (least === undefined) return most === undefined ? "" : ` up to ${most}`;
  return most === undefined ? ` from ${least} on` : ` from ${least} to ${most}`;
}
