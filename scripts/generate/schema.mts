import type { Kind } from "../../src/declaration/kind.ts";
import type { Properties, Property } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import type { Definition } from "../../src/settings/definitions.ts";
import { defaultOf, meaningOf } from "./comment.mts";
import type { Declared } from "./declarations.mts";
import { outputsOf } from "./outputs.mts";
import { isTag, taggedOf } from "./types.mts";

type Json = Record<string, unknown>;

/** What a declaration says, by its name, with its example. */
export type Described = (name: string, says: string) => string;

const PREFIX = "brightdata:index:";

/** What the generators of the languages ask for. */
const LANGUAGES = {
  // Nothing is generated for it: this is what `pulumi import` prints.
  nodejs: { packageName: "pulumi-brightdata/native", respectSchemaVersion: true },
  python: {
    packageName: "pulumi_brightdata",
    readme: "Declare Bright Data zones, Proxy Manager ports and allowlisted IPs in a Pulumi program in Python.",
    // Older ones do not find the list in what may be left out, as the generator declares it.
    requires: { pulumi: ">=3.231.0,<4.0.0" },
    pyproject: { enabled: true },
    respectSchemaVersion: true,
  },
  go: { importBasePath: "pulumi-brightdata/sdk/go/brightdata", respectSchemaVersion: true },
  csharp: {
    namespaces: { brightdata: "BrightData" },
    packageReferences: { Pulumi: "3.*" },
    respectSchemaVersion: true,
  },
  java: { buildFiles: "gradle", dependencies: { "com.pulumi:pulumi": "1.0.0" } },
};

/** Properties of resources that .NET has by another name: a member called like its class does not compile. */
const NAMES_IN_DOTNET: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ProxyPort: { proxyPort: "SuperProxyPort" },
};

interface Manifest {
  version: string;
  description: string;
  license: string;
  /** The page of the releases, where the CLI finds executables; empty while there is none. */
  pulumi: { pluginDownloadURL: string };
}

/** The Pulumi package schema: what programs in other languages are generated from. */
export function schemaFile(
  kinds: readonly Declared<Kind>[],
  lookups: readonly Declared<Lookup>[],
  settings: readonly Definition<unknown>[],
  manifest: string,
  described: Described,
): string {
  const { version, description, license, pulumi } = JSON.parse(manifest) as Manifest;
  const types = new Map<string, Json>();
  // A type that inputs and outputs share says what is left out by an input.
  for (const { declared } of kinds) membersOf(declared.inputs, types, "input");
  for (const { declared } of lookups) membersOf(declared.arguments, types, "input");
  const resources = kinds.map(({ declared }) => [PREFIX + declared.name, resourceOf(declared, types, described)]);
  const functions = lookups.map(({ declared }) => [PREFIX + declared.name, functionOf(declared, types, described)]);
  const variables = Object.fromEntries(settings.map((setting) => [setting.key, variableOf(setting, types)]));
  const inputProperties = Object.fromEntries(settings.map((setting) => [setting.key, ofProvider(setting, types)]));
  const schema = {
    $schema: "https://raw.githubusercontent.com/pulumi/pulumi/master/pkg/codegen/schema/pulumi.json",
    name: "brightdata",
    displayName: "Bright Data",
    version,
    description,
    license,
    ...(pulumi.pluginDownloadURL !== "" && { pluginDownloadURL: pulumi.pluginDownloadURL }),
    ...originOf(pulumi.pluginDownloadURL, version),
    language: LANGUAGES,
    keywords: ["pulumi", "brightdata", "proxy", "category/network"],
    config: { variables },
    types: Object.fromEntries([...types].sort(([left], [right]) => (left < right ? -1 : 1))),
    provider: { description: "Settings of their own for resources and functions.", inputProperties },
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Whose the package is, and where its source and its logo are, as far as the page of its releases tells. */
function originOf(releases: string, version: string): Json {
  const [, publisher, name] = /^github:\/\/api\.github\.com\/([^/]+)\/([^/]+)$/.exec(releases) ?? [];
  if (publisher === undefined) return {};
  return {
    publisher,
    repository: `https://github.com/${publisher}/${name}`,
    logoUrl: `https://raw.githubusercontent.com/${publisher}/${name}/v${version}/docs/images/logo.svg`,
  };
}

/** A setting of a stack. Only the program reads its default: nothing is declared by that. */
function variableOf(setting: Definition<unknown>, types: Map<string, Json>): Json {
  const initial = initialOf(setting);
  return {
    ...settingOf(setting, types),
    ...(initial !== undefined && { default: setting.property.is === "number" ? Number(initial) : initial }),
    defaultInfo: { environment: [setting.environment] },
  };
}

/** The same setting of a provider, with its default in words. */
function ofProvider(setting: Definition<unknown>, types: Map<string, Json>): Json {
  const { description, ...rest } = settingOf(setting, types);
  const [environment, initial] = [`\`${setting.environment}\``, initialOf(setting)];
  const words = initial === undefined ? environment : `${environment}, otherwise ${initial}`;
  return { ...rest, description: `${description} Default: ${words}.` };
}

const settingOf = ({ property, secret }: Definition<unknown>, types: Map<string, Json>): Json => ({
  ...memberOf(property, types, "input"),
  ...(secret && { secret }),
});

const initialOf = ({ property, initial }: Definition<unknown>): string | undefined =>
  /^(text|number)$/.test(property.is) ? initial : undefined;

function resourceOf(kind: Kind, types: Map<string, Json>, described: Described): Json {
  const outputs = outputsOf(kind);
  return {
    description: described(kind.name, kind.says),
    properties: renamed(kind.name, membersOf(outputs, types, "output")),
    required: requiredOf(outputs),
    inputProperties: renamed(kind.name, membersOf(kind.inputs, types, "input")),
    requiredInputs: requiredOf(kind.inputs),
  };
}

const renamed = (resource: string, members: Record<string, Json>): Json =>
  Object.fromEntries(
    Object.entries(members).map(([name, member]) => {
      const { [name]: csharp } = NAMES_IN_DOTNET[resource] ?? {};
      return [name, csharp === undefined ? member : { ...member, language: { csharp: { name: csharp } } }];
    }),
  );

const functionOf = (lookup: Lookup, types: Map<string, Json>, described: Described): Json => ({
  description: described(lookup.name, lookup.says),
  ...(Object.keys(lookup.arguments).length === 0
    ? {}
    : { inputs: { type: "object", ...propertiesOf(lookup.arguments, types, "input") } }),
  outputs: { type: "object", description: lookup.gives, ...propertiesOf(lookup.result, types, "output") },
});

type Side = "input" | "output";

const propertiesOf = (properties: Properties, types: Map<string, Json>, side: Side): Json => ({
  properties: membersOf(properties, types, side),
  required: requiredOf(properties),
});

const requiredOf = (properties: Properties): string[] =>
  Object.entries(properties).flatMap(([name, { required }]) => (required ? [name] : []));

const membersOf = (properties: Properties, types: Map<string, Json>, side: Side): Record<string, Json> =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, memberOf(property, types, side)]));

function memberOf(property: Property, types: Map<string, Json>, side: Side): Json {
  return {
    ...typeOf(property, types, side),
    description: side === "input" ? saysOfInput(property) : meaningOf(property),
    ...(property.secret ? { secret: true } : {}),
    ...(property.replaces && side === "input" ? { willReplaceOnChanges: true } : {}),
  };
}

/** With the default in words: as a default of the schema, an SDK would declare it for the program. */
function saysOfInput(property: Property): string {
  const initial = defaultOf(property);
  return [meaningOf(property), valuesOf(property), initial === undefined ? "" : `Default: ${initial}.`]
    .filter(Boolean)
    .join(" ");
}

/** The values that there are, where the words do not name them: as a type of their own, they would break programs that have texts. */
function valuesOf(property: Property): string {
  const { oneOf = [] } = property.is === "text" && !isTag(property) ? property : {};
  const isNamed = oneOf.every((value) => meaningOf(property).includes(`\`${value}\``));
  return isNamed ? "" : `One of ${oneOf.map((value) => `\`${value}\``).join(", ")}.`;
}

function typeOf(property: Property, types: Map<string, Json>, side: Side): Json {
  switch (property.is) {
    case "text":
      return {
        type: "string",
        ...(isTag(property) && property.oneOf.length === 1 ? { const: property.oneOf[0] } : {}),
      };
    case "number":
      return { type: property.whole ? "integer" : "number" };
    case "flag":
      return { type: "boolean" };
    case "list":
      return { type: "array", items: typeOf(property.items, types, side) };
    case "map":
      return { type: "object", additionalProperties: typeOf(property.values, types, side) };
    case "object":
      return property.named === undefined ? mapOfAny : { $ref: refTo(property.named, property, types, side) };
    case "variants": {
      const refs = taggedOf(property).map(
        (one) => [one, refTo(one.named ?? one.tag.oneOf.join(), one, types, side)] as const,
      );
      const mapping = refs.flatMap(([{ tag }, $ref]) => tag.oneOf.map((value) => [value, $ref]));
      return {
        oneOf: refs.map(([, $ref]) => ({ $ref })),
        discriminator: { propertyName: property.by, mapping: Object.fromEntries(mapping) },
      };
    }
    case "choice": {
      const all = property.of.map((one) => JSON.stringify(typeOf(one, types, side)));
      const different = [...new Set(all)].map((text) => JSON.parse(text) as Json);
      return different.length === 1 ? (different[0] as Json) : { oneOf: different };
    }
    default:
      return { $ref: "pulumi.json#/Any" };
  }
}

const mapOfAny: Json = { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } };

function refTo(name: string, property: Property, types: Map<string, Json>, side: Side): string {
  if (property.is !== "object") throw new Error(`${name} is no object.`);
  const isElsewhere = types.has(PREFIX + name) && side === "output" && differs(property, types, name);
  const token = `${PREFIX}${isElsewhere ? `${name}State` : name}`;
  if (!types.has(token)) {
    types.set(token, {});
    types.set(token, {
      type: "object",
      ...(property.says === undefined ? {} : { description: property.says }),
      ...propertiesOf(property.properties, types, side),
    });
  }
  return `#/types/${token}`;
}

const differs = (property: Property, types: Map<string, Json>, name: string): boolean =>
  property.is === "object" &&
  Object.keys((types.get(PREFIX + name)?.properties as Json | undefined) ?? {}).join() !==
    Object.keys(property.properties).join();
