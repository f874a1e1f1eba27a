import type { Properties } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/program/lookup.ts";
import { comment } from "./comment.mts";
import { type Declared, hasSecret } from "./declarations.mts";
import { inCode, NOTICE, SERVICES } from "./resource.mts";
import { declaredIn, importsOf, type Shapes } from "./shapes.mts";
import { interfaceOf } from "./types.mts";

/** A function that looks something up, with its arguments and its result. */
export function functionFile({ file, name, declared: lookup }: Declared<Lookup>, shapes: Shapes): string {
  const home = `functions/${name}`;
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const [needed, none] = isNeeded(lookup) ? ["args", ""] : ["args?", " = {}"];
  const isSecret = hasSecret(lookup.result);
  const output = isSecret ? `pulumi.Unwrap<${type}Result>` : `${type}Result`;
  const whenKnown = isSecret ? "lookUpSecret" : "lookUpWhenKnown";
  const code = [
    `const load = async () => (await import("../../${file}.js")).${name};\n\n`,
    declaredIn(shapes, home),
    comment([`Arguments of {@link ${name}}.`]),
    `${interfaceOf(`${type}Args`, { properties: lookup.arguments }, "argument")}\n`,
    `${comment([`Arguments of {@link ${name}Output}.`])}export type ${type}OutputArgs = Inputs<${type}Args>;\n\n`,
    comment([lookup.gives]),
    `${resultOf(`${type}Result`, lookup.result, shapes)}\n`,
    comment([`{@link ${name}} that gives \`undefined\` if the service refuses or cannot be reached.`]),
    `export function ${name}(args: ${type}Args, options: FunctionOptions & OrUndefined): Promise<${type}Result | undefined>;\n`,
    comment([
      lookup.says,
      `${SERVICES[lookup.service]}: ${inCode(lookup.endpoints)}.`,
      ...lookup.fails.map(([error, when]) => `@throws {${error}} when ${when}`),
      `@throws {RequestError} when the ${lookup.service === "remote" ? "service" : "manager"} refuses${lookup.fails.length === 0 ? "" : " for another reason"}, or cannot be reached`,
      `@example\n${lookup.example}`,
    ]),
    `export function ${name}(${needed}: ${type}Args, options?: FunctionOptions): Promise<${type}Result>;\n`,
    `export function ${name}(args: ${type}Args${none}, options: FunctionOptions = {}): Promise<${type}Result | undefined> {\n  return lookUpNow(load, args, options);\n}\n\n`,
    comment([`{@link ${name}Output} that gives \`undefined\` if the service refuses or cannot be reached.`]),
    `export function ${name}Output(args: ${type}OutputArgs, options: ProviderOptions & OrUndefined): pulumi.Output<${output} | undefined>;\n`,
    comment([
      `{@link ${name}} for arguments that are not known yet.${isSecret ? " The whole result is secret." : ""}`,
      lookup.outputExample === undefined ? undefined : `@example\n${lookup.outputExample}`,
    ]),
    `export function ${name}Output(${needed}: ${type}OutputArgs, options?: ProviderOptions): pulumi.Output<${output}>;\n`,
    `export function ${name}Output(args: ${type}OutputArgs${none}, options: ProviderOptions = {}): pulumi.Output<${output} | undefined> {\n  return ${whenKnown}(load, args, options);\n}\n`,
  ].join("");
  return [
    NOTICE,
    'import type * as pulumi from "@pulumi/pulumi";\n',
    'import type { OrUndefined } from "../../program/failures";\n',
    `import { lookUpNow, ${whenKnown} } from "../../program/function";\n`,
    'import type { ProviderOptions } from "../../program/provider";\n',
    'import type { FunctionOptions } from "../../program/settings";\n',
    'import type { Inputs } from "../../program/whenKnown";\n',
    `${importsOf(shapes, home, code)}\n`,
    code,
  ].join("");
}

/** A result that has the properties of a type with a name is of that type. */
function resultOf(name: string, properties: Properties, shapes: Shapes): string {
  const [same] =
    [...shapes].find(([, { property }]) => property.is === "object" && property.properties === properties) ?? [];
  return same === undefined ? interfaceOf(name, { properties }, "plain") : `export type ${name} = ${same};\n`;
}

export const isNeeded = (lookup: Lookup): boolean => Object.values(lookup.arguments).some(({ required }) => required);
