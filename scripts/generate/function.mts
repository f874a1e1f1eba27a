import type { Properties } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import { comment } from "./comment.mts";
import { type Declared, hasSecret } from "./declarations.mts";
import { inCode, NOTICE, SERVICES } from "./resource.mts";
import { declaredIn, importsOf, type Shapes } from "./shapes.mts";
import { interfaceOf } from "./types.mts";

/** A function that looks something up, with its arguments and its result. */
export function functionFile({ file, name, declared: lookup }: Declared<Lookup>, shapes: Shapes): string {
  const home = `functions/${name}`;
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const isSecret = hasSecret(lookup.result);
  const output = isSecret ? `pulumi.Unwrap<${type}Result>` : `${type}Result`;
  const invokeOutput = isSecret ? "invokeSecretOutput" : "invokeOutput";
  const code = [
    `const load = async () => (await import("../../${file}.js")).${name};\n\n`,
    declaredIn(shapes, home),
    comment([`Arguments of {@link ${name}}.`]),
    `${interfaceOf(`${type}Args`, { properties: lookup.arguments }, "argument")}\n`,
    `${comment([`Arguments of {@link ${name}Output}.`])}export type ${type}OutputArgs = Inputs<${type}Args>;\n\n`,
    comment([lookup.gives]),
    `${resultOf(`${type}Result`, lookup.result, shapes)}\n`,
    comment([
      lookup.says,
      `${SERVICES[lookup.service]}: ${inCode(lookup.endpoints)}.`,
      ...lookup.fails.map(([error, when]) => `@throws {${error}} when ${when}`),
      `@throws {RequestError} when the ${lookup.service === "remote" ? "service" : "manager"} refuses${lookup.fails.length === 0 ? "" : " for another reason"}, or cannot be reached`,
      `@example\n${lookup.example}`,
    ]),
    `export const ${name}: Invoke<${type}Args, ${type}Result> = invoke(load);\n\n`,
    comment([
      `{@link ${name}} for arguments that are not known yet.${isSecret ? " The whole result is secret." : ""}`,
      lookup.outputExample === undefined ? undefined : `@example\n${lookup.outputExample}`,
    ]),
    `export const ${name}Output: InvokeOutput<${type}OutputArgs, ${output}> = ${invokeOutput}(load);\n`,
  ].join("");
  return [
    NOTICE,
    isSecret ? 'import type * as pulumi from "@pulumi/pulumi";\n' : "",
    `import { type Invoke, type InvokeOutput, invoke, ${invokeOutput} } from "../../program/function";\n`,
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
