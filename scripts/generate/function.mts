import type { Kind } from "../../src/declaration/kind.ts";
import type { Properties } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/program/lookup.ts";
import { comment } from "./comment.mts";
import { type Declared, hasSecret } from "./declarations.mts";
import { inCode, NOTICE, outputsOf, SERVICES } from "./resource.mts";
import { declarationOf, type Mode, members, type Named, namedIn } from "./types.mts";

/** The files that declare the types of inputs, outputs and results: a type that several need is declared in the first. */
export function homesOf(
  kinds: readonly Declared<Kind>[],
  lookups: readonly Declared<Lookup>[],
): ReadonlyMap<string, string> {
  const all = [
    ...kinds.map(({ folder, declared }) => [`${folder}/resource`, [declared.inputs, outputsOf(declared)]] as const),
    ...lookups.map(({ folder, declared }) => [`${folder}/function`, [declared.result]] as const),
  ];
  return new Map(
    all
      .reverse()
      .flatMap(([file, each]) => each.flatMap((properties) => namedIn(properties)).map(({ named }) => [named, file])),
  );
}

/** A function that looks something up, with its arguments and its result. */
export function functionFile(
  { folder, declared: lookup }: Declared<Lookup>,
  homes: ReadonlyMap<string, string>,
): string {
  const { name } = lookup;
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const none = isNeeded(lookup) ? "" : " = {}";
  const isSecret = hasSecret(lookup.result);
  const whenKnown = isSecret ? "lookUpSecret" : "lookUpWhenKnown";
  const homeOf = ({ named }: Named) => homes.get(named) ?? `${folder}/function`;
  const isElsewhere = (type: Named) => homeOf(type) !== `${folder}/function`;
  const named = (properties: Properties) => [
    ...new Map(namedIn(properties, isElsewhere).map((type) => [type.named, type])).values(),
  ];
  const types = (properties: Properties, mode: Mode) =>
    named(properties).flatMap((type) => (isElsewhere(type) ? [] : [`${declarationOf(type, mode)}\n`]));
  const imports = named(lookup.result).filter(isElsewhere);
  return [
    NOTICE,
    'import type * as pulumi from "@pulumi/pulumi";\n',
    `import { lookUpNow, ${whenKnown} } from "../../program/function";\n`,
    'import type { ProviderOptions } from "../../program/provider";\n',
    'import type { FunctionOptions } from "../../program/settings";\n',
    'import type { Inputs } from "../../program/whenKnown";\n',
    ...imports.map((type) => `import type { ${type.named} } from "${homeOf(type).replace("src", "../..")}";\n`),
    `\nconst load = async () => (await import("./declaration.js")).${name};\n\n`,
    ...types(lookup.arguments, "argument"),
    ...types(lookup.result, "plain"),
    `${comment([`Arguments of {@link ${name}}.`])}export interface ${type}Args {\n${members(lookup.arguments, "argument")}}\n\n`,
    `${comment([`Arguments of {@link ${name}Output}.`])}export type ${type}OutputArgs = Inputs<${type}Args>;\n\n`,
    `${comment([lookup.gives])}export interface ${type}Result {\n${members(lookup.result, "plain")}}\n\n`,
    comment([
      lookup.says,
      `${SERVICES[lookup.service]}: ${inCode(lookup.endpoints)}.`,
      ...lookup.fails.map(([error, when]) => `@throws {${error}} when ${when}`),
      `@throws {RequestError} when the ${lookup.service === "remote" ? "service" : "manager"} refuses${lookup.fails.length === 0 ? "" : " for another reason"}, or cannot be reached`,
      `@example\n${lookup.example}`,
    ]),
    `export const ${name} = async (args: ${type}Args${none}, options: FunctionOptions = {}): Promise<${type}Result> =>\n  lookUpNow(load, args, options);\n\n`,
    comment([
      `{@link ${name}} for arguments that are not known yet.${isSecret ? " The whole result is secret." : ""}`,
      lookup.outputExample === undefined ? undefined : `@example\n${lookup.outputExample}`,
    ]),
    `export const ${name}Output = (args: ${type}OutputArgs${none}, options: ProviderOptions = {}): pulumi.Output<${isSecret ? `pulumi.Unwrap<${type}Result>` : `${type}Result`}> =>\n  ${whenKnown}(load, args, options);\n`,
  ].join("");
}

export const isNeeded = (lookup: Lookup): boolean => Object.values(lookup.arguments).some(({ required }) => required);
