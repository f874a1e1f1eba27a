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
export const typeName = ({ is, named }: Named, mode: Mode): string =>
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

/** What has properties of its own, and may have those of another. */
type Extending = Pick<ObjectShape, "properties" | "open"> & { readonly extends?: ObjectShape | undefined };

/** An interface, or what it has besides the one that it extends. */
export function interfaceOf(name: string, { properties, extends: base, open }: Extending, mode: Mode): string {
  const inherited = base === undefined ? new Map<string, string>() : membersOf(base.properties, mode);
  const own = [...membersOf(properties, mode)].flatMap(([one, text]) => (inherited.get(one) === text ? [] : [text]));
  const rest = open ? "  [name: string]: unknown;\n" : "";
  return `export interface ${name}${base === undefined ? "" : ` extends ${baseOf(base, properties, mode)}`} {\n${own.join("")}${rest}}\n`;
}

/** The members of an interface by name, each with what is said of it. */
const membersOf = (properties: Properties, mode: Mode): Map<string, string> =>
  new Map(
    Object.entries(properties).map(([name, property]) => [
      name,
      `${comment(saysIn(property, mode), "  ")}  ${member(name, property, mode)};\n`,
    ]),
  );

/** An interface that another extends, without what is missing there, or of another type. */
function baseOf(base: ObjectShape, properties: Properties, mode: Mode): string {
  if (base.named === undefined) throw new Error("What is extended has no name.");
  const others = Object.entries(base.properties).flatMap(([name, property]) => {
    const own = properties[name];
    const isKept =
      own !== undefined &&
      typeText(own, mode) === typeText(property, mode) &&
      (own.required === true || property.required !== true);
    return isKept ? [] : [JSON.stringify(name)];
  });
  const name = typeName({ ...base, named: base.named }, mode);
  return others.length === 0 ? name : `Omit<${name}, ${others.join(" | ")}>`;
}

const saysIn = (property: Property, mode: Mode): (string | undefined)[] =>
  mode === "input" || mode === "argument" ? saysOfInput(property) : [saysOfOutput(property)];

/** The types that properties need by name, each before its parts. */
export const namedIn = (properties: Properties): Named[] =>
  outermostIn(properties).flatMap((property) => [property, ...namedIn(partsOf(property))]);

/** The types that properties need by name, but for those that only the parts of such types need. */
export const outermostIn = (properties: Properties): Named[] =>
  Object.values(properties).flatMap((property) => (isNamed(property) ? [property] : outermostIn(partsOf(property))));

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
  return comment([property.says]) + interfaceOf(name, property, mode === "output" && property.lifted ? "lifted" : mode);
}
