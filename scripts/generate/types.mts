import type {
  Facts,
  ObjectShape,
  Properties,
  Property,
  TextShape,
  VariantsShape,
} from "../../src/declaration/property.ts";
import { comment, saysOfInput, saysOfOutput } from "./comment.mts";

/**
 * How a value's type is written: with inputs in its parts, as what an output holds (`lifted` where a program asks for its parts,
 * of which none is missing then), as a plain value, or as one that is given.
 */
export type Mode = "input" | "output" | "lifted" | "plain" | "argument";

/** A property whose type has a name of its own. */
export type Named = Property & { readonly named: string };

/** The property that tells variants apart; a program has to write it down. */
interface Tag extends TextShape, Facts {
  readonly isTag: true;
  readonly oneOf: readonly string[];
}

interface Tagged extends ObjectShape, Facts {
  readonly tag: Tag;
}

/** The objects that variants are of, each once and with its tag. */
export function taggedOf({ by, of }: VariantsShape): Tagged[] {
  const tags = new Map<ObjectShape & Facts, string[]>();
  for (const [value, one] of Object.entries(of)) tags.set(one, [...(tags.get(one) ?? []), value]);
  return [...tags].map(([one, oneOf]) => {
    const tag: Tag = { is: "text", oneOf, required: true, isTag: true };
    return { ...one, tag, properties: { [by]: tag, ...one.properties } };
  });
}

export const isTag = (property: Property): property is Property & Tag => "isTag" in property;

const isNamed = (property: Property): property is Named => property.named !== undefined;

/** The type of a property's value, in TypeScript. */
export const typeText = (property: Property, mode: Mode): string =>
  isNamed(property) ? typeName(property, mode) : writtenOut(property, mode);

function writtenOut(property: Property, mode: Mode): string {
  switch (property.is) {
    case "text":
      return property.oneOf === undefined ? "string" : property.oneOf.map((value) => JSON.stringify(value)).join(" | ");
    case "number":
      return property.digits ? "number | string" : "number";
    case "flag":
      if (property.loose) return 'boolean | "true" | "false" | 0 | 1 | "0" | "1"';
      return property.only === undefined ? "boolean" : String(property.only);
    case "list":
      return `${mode === "argument" ? "readonly " : ""}${inParentheses(part(property.items, mode))}[]`;
    case "map":
      return `Record<string, ${part(property.values, mode)}>`;
    case "choice":
      return [...new Set(property.of.map((one) => typeText(one, mode)))].join(" | ");
    case "object":
      return `{ ${Object.entries(property.properties)
        .map(([name, inner]) => `${member(name, inner, mode)};`)
        .join(" ")}${property.open ? " [name: string]: unknown;" : ""} }`;
    case "variants":
      return taggedOf(property)
        .map((one) => typeText(one, mode))
        .join(" | ");
    default:
      return "unknown";
  }
}

/** What has parts is another type where these may be inputs. */
const typeName = ({ is, named }: Named, mode: Mode): string =>
  mode === "input" && (is === "object" || is === "variants") ? `${named}Args` : named;

const part = (property: Property, mode: Mode): string =>
  mode === "input" && property.is !== "any" ? `pulumi.Input<${typeText(property, mode)}>` : typeText(property, mode);

const inParentheses = (type: string): string => (/^[\w.]+(<.*>)?$/.test(type) ? type : `(${type})`);

/** A member of an interface. What is given may be `undefined` also where the program is strict about that. */
export function member(name: string, property: Property, mode: Mode): string {
  const type = typeText(property, mode);
  if (mode === "input" && !isTag(property))
    return property.required ? `${name}: pulumi.Input<${type}>` : `${name}?: pulumi.Input<${type} | undefined>`;
  if (mode === "argument") return property.required ? `${name}: ${type}` : `${name}?: ${type} | undefined`;
  const value = mode === "plain" && property.secret ? `pulumi.Output<${type}>` : type;
  if (property.required) return `${name}: ${value}`;
  return mode === "lifted" ? `${name}: ${value} | undefined` : `${name}?: ${value}`;
}

/** The members of an interface, each with what is said of it. */
export const members = (properties: Properties, mode: Mode): string =>
  Object.entries(properties)
    .map(([name, property]) => `${comment(saysIn(property, mode), "  ")}  ${member(name, property, mode)};\n`)
    .join("");

const saysIn = (property: Property, mode: Mode): (string | undefined)[] =>
  mode === "input" || mode === "argument" ? saysOfInput(property) : [saysOfOutput(property)];

/** The types that properties need by name, each before its parts; of what is declared elsewhere, not what that needs itself. */
export const namedIn = (properties: Properties, isElsewhere: (named: Named) => boolean = () => false): Named[] =>
  Object.values(properties).flatMap((property) => {
    if (!isNamed(property)) return namedIn(partsOf(property), isElsewhere);
    return [property, ...(isElsewhere(property) ? [] : namedIn(partsOf(property), isElsewhere))];
  });

function partsOf(property: Property): Properties {
  switch (property.is) {
    case "list":
      return { items: property.items };
    case "map":
      return { values: property.values };
    case "object":
      return property.properties;
    case "choice":
      return Object.fromEntries(property.of.entries());
    case "variants":
      return Object.fromEntries(taggedOf(property).entries());
    default:
      return {};
  }
}

/** What is said of a type that many properties have. */
const SPELLINGS: Partial<Record<Property["is"], string>> = {
  flag: "A boolean, or one of the other spellings that the service uses.",
  number: "A number, or its digits.",
};

/** The declaration of a named type. */
export function declarationOf(property: Named, mode: Mode): string {
  const name = typeName(property, mode);
  if (property.is === "variants") {
    const names = taggedOf(property).map((one) => typeText(one, mode));
    return `${comment([property.says])}export type ${name} =\n  | ${names.join("\n  | ")};\n`;
  }
  if (property.is !== "object")
    return `${comment([SPELLINGS[property.is] ?? property.says])}export type ${name} = ${writtenOut(property, mode)};\n`;
  const open = property.open ? "  [name: string]: unknown;\n" : "";
  const inner = mode === "output" && property.lifted ? "lifted" : mode;
  return `${comment([property.says])}export interface ${name} {\n${members(property.properties, inner)}${open}}\n`;
}
