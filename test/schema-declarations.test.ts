import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Properties, Property } from "../src/declaration/property";
import { KINDS, LOOKUPS } from "../src/generated/kinds";
import { LIFECYCLES } from "../src/generated/lifecycles";
import type { Lookup } from "../src/lookups/lookup";

interface Node {
  description?: string;
  secret?: true;
  willReplaceOnChanges?: true;
  $ref?: string;
  items?: Node;
  additionalProperties?: Node;
  oneOf?: Node[];
}

interface Members {
  description: string;
  properties?: Record<string, Node>;
  required?: string[];
}

interface Resource extends Members {
  inputProperties: Record<string, Node>;
  requiredInputs: string[];
}

interface Schema {
  types: Record<string, Members>;
  resources: Record<string, Resource>;
  functions: Record<string, { description: string; inputs?: Members; outputs: Members }>;
}

const schema = JSON.parse(readFileSync(join(__dirname, "../schema.json"), "utf8")) as Schema;

const byName = <T>(part: Record<string, T>): Map<string, T> =>
  new Map(Object.entries(part).map(([token, one]) => [token.replace("brightdata:index:", ""), one]));

const resources = byName(schema.resources);
const functions = byName(schema.functions);

/** The paths of what is secret, without what is in it. */
const secretsOf = (properties: Properties = {}, at = ""): string[] =>
  unique(Object.entries(properties).flatMap(([name, property]) => secretsIn(property, `${at}.${name}`)));

function secretsIn(property: Property, at: string): string[] {
  if (property.secret === true) return [at];
  switch (property.is) {
    case "list":
      return secretsIn(property.items, `${at}[]`);
    case "map":
      return secretsIn(property.values, `${at}.*`);
    case "object":
      return secretsOf(property.properties, at);
    case "variants":
    case "choice":
      return Object.values<Property>(property.of).flatMap((one) => secretsIn(one, at));
    default:
      return [];
  }
}

/** The same of a part of the schema. */
const secretsAmong = (nodes: Record<string, Node> = {}, at = ""): string[] =>
  unique(Object.entries(nodes).flatMap(([name, node]) => secretsAt(node, `${at}.${name}`)));

function secretsAt({ secret, $ref, items, additionalProperties, oneOf = [] }: Node, at: string): string[] {
  if (secret) return [at];
  return [
    ...($ref === undefined ? [] : secretsAmong(schema.types[$ref.replace("#/types/", "")]?.properties, at)),
    ...(items === undefined ? [] : secretsAt(items, `${at}[]`)),
    ...(additionalProperties === undefined ? [] : secretsAt(additionalProperties, `${at}.*`)),
    ...oneOf.flatMap((one) => secretsAt(one, at)),
  ];
}

const unique = (paths: readonly string[]): string[] => [...new Set(paths)].sort();

const namesOf = (members: object = {}): string[] => Object.keys(members).sort();

const those = (properties: Properties, isMeant: (property: Property) => boolean | undefined): string[] =>
  namesOf(Object.fromEntries(Object.entries(properties).filter(([, property]) => isMeant(property))));

test("the schema has what is declared, and nothing else", () => {
  expect([...resources.keys()].sort()).toEqual([...KINDS].sort());
  expect([...functions.keys()].sort()).toEqual([...LOOKUPS].sort());
});

/** Those in which `npm run examples` writes every example. */
const LANGUAGES = ["typescript", "python", "yaml", "go"];

const languagesIn = (description = ""): string[] =>
  [...description.matchAll(/^```(\w+)$/gm)].map(([, language = ""]) => language);

describe.each(Object.values(LIFECYCLES).map(({ declaration }) => declaration))("$name", (kind) => {
  const { properties, description, inputProperties, requiredInputs } = resources.get(kind.name) as Resource;

  test("its inputs and outputs", () => {
    expect(namesOf(inputProperties)).toEqual(namesOf(kind.inputs));
    expect([...requiredInputs].sort()).toEqual(those(kind.inputs, ({ required }) => required));
    const shown = those(kind.outputs, ({ hidden }) => !hidden);
    expect(namesOf(properties)).toEqual(unique([...namesOf(kind.inputs), ...shown]));
  });

  test("its secrets, also those within", () => {
    expect(secretsAmong(inputProperties)).toEqual(secretsOf(kind.inputs));
    const outputs = Object.entries(kind.inputs).map(([name, property]) => {
      const { secret = false } = property;
      return [name, { ...(property.output ?? property), secret }] as [string, Property];
    });
    const shown = Object.entries(kind.outputs).filter(([, { hidden }]) => !hidden);
    expect(secretsAmong(properties)).toEqual(secretsOf(Object.fromEntries([...outputs, ...shown])));
  });

  test("what replaces it", () => {
    const replacing = Object.entries(inputProperties).filter(([, { willReplaceOnChanges }]) => willReplaceOnChanges);
    expect(replacing.map(([name]) => name).sort()).toEqual(those(kind.inputs, ({ replaces }) => replaces));
  });

  test("what it is, with its example", () => {
    expect(description.startsWith(`${kind.says}\n`)).toBe(true);
    expect(description).toContain(kind.example);
    expect(languagesIn(description)).toEqual(expect.arrayContaining(LANGUAGES));
  });
});

describe.each(LOOKUPS)("%s", (name) => {
  const described = functions.get(name);

  test("its arguments, result and secrets, and its example", async () => {
    const lookup = ((await import(`../src/functions/${name}.ts`)) as Record<string, Lookup>)[name] as Lookup;
    expect(namesOf(described?.inputs?.properties)).toEqual(namesOf(lookup.arguments));
    expect(unique(described?.inputs?.required ?? [])).toEqual(those(lookup.arguments, ({ required }) => required));
    expect(namesOf(described?.outputs.properties)).toEqual(namesOf(lookup.result));
    expect(unique(described?.outputs.required ?? [])).toEqual(those(lookup.result, ({ required }) => required));
    expect(secretsAmong(described?.inputs?.properties)).toEqual(secretsOf(lookup.arguments));
    expect(secretsAmong(described?.outputs.properties)).toEqual(secretsOf(lookup.result));
    expect(described?.description).toContain(lookup.example);
    expect(languagesIn(described?.description)).toEqual(expect.arrayContaining(LANGUAGES));
  });
});
