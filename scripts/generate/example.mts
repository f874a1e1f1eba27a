import ts from "typescript";
import { Failure } from "./failure.mts";

/** The example of a declaration as a program, with what it uses of the examples of others. */
export interface Example {
  readonly typescript: string;
  /** In Pulumi's configuration language, of which its generators make programs in all languages. */
  readonly pcl: string;
}

/** The examples of declarations, by the names that these have. What one uses and does not declare, another one declares. */
export function examplesOf(texts: ReadonlyMap<string, string>): ReadonlyMap<string, Example> {
  const parsed = new Map([...texts].map(([name, text]) => [name, parse(name, text)]));
  const declaring = new Map<string, ts.Statement>();
  for (const { statements } of parsed.values())
    for (const statement of statements) {
      const made = resourceIn(statement)?.variable;
      if (made !== undefined && !declaring.has(made)) declaring.set(made, statement);
    }
  return new Map([...parsed].map(([name, file]) => [name, exampleOf(file, declaring)]));
}

const parse = (name: string, text: string): ts.SourceFile =>
  ts.createSourceFile(`${name}.ts`, text, ts.ScriptTarget.ESNext, true);

function exampleOf(file: ts.SourceFile, declaring: ReadonlyMap<string, ts.Statement>): Example {
  const own = new Set(file.statements.flatMap((statement) => resourceIn(statement)?.variable ?? []));
  const seen = new Set<ts.Statement>();
  const before: ts.Statement[] = [];
  const need = (node: ts.Node): void => {
    const statement = ts.isIdentifier(node) && !isName(node) && !own.has(node.text) && declaring.get(node.text);
    if (statement && !seen.has(statement)) {
      seen.add(statement);
      need(statement);
      before.push(statement);
    }
    ts.forEachChild(node, need);
  };
  for (const statement of file.statements) if (inPcl(statement) !== "") need(statement);
  const statements = [...before, ...file.statements];
  return { pcl: statements.map(inPcl).join(""), typescript: inTypescript(before, file) };
}

/** Whether a word is the name of a property or of a result, and no value. */
const isName = (node: ts.Node): boolean =>
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isVariableDeclaration(node.parent) && node.parent.name === node) ||
  ts.isBindingElement(node.parent);

function inTypescript(before: readonly ts.Statement[], file: ts.SourceFile): string {
  const text = [...before.map((statement) => statement.getText()), file.text.trim()].join("\n");
  const imports = ['import * as brightdata from "pulumi-brightdata";'];
  if (text.includes("pulumi.")) imports.unshift('import * as pulumi from "@pulumi/pulumi";');
  return `${imports.join("\n")}\n\n${text}`;
}

interface Resource {
  variable: string | undefined;
  expression: ts.NewExpression;
}

function resourceIn(statement: ts.Statement): Resource | undefined {
  if (ts.isExpressionStatement(statement) && ts.isNewExpression(statement.expression))
    return { variable: undefined, expression: statement.expression };
  const declared = declarationIn(statement);
  const made = declared?.initializer;
  return declared && made && ts.isIdentifier(declared.name) && ts.isNewExpression(made)
    ? { variable: declared.name.text, expression: made }
    : undefined;
}

const declarationIn = (statement: ts.Statement): ts.VariableDeclaration | undefined =>
  ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : undefined;

function inPcl(statement: ts.Statement): string {
  const resource = resourceIn(statement);
  if (resource !== undefined) return resourceInPcl(resource);
  const declared = declarationIn(statement);
  const value = declared?.initializer;
  if (declared === undefined || value === undefined) throw unsupported(statement);
  if (ts.isAwaitExpression(value)) return lookupInPcl(declared.name, value);
  const isExported = ts.getModifiers(statement as ts.VariableStatement)?.length === 1;
  // What is computed, or looked up in a map, is each language's own.
  if (!isExported || /\?\.|\[/.test(value.getText())) return "";
  return `output ${quoted(declared.name.getText())} {\n  value = ${valueInPcl(value)}\n}\n`;
}

function resourceInPcl({ variable, expression }: Resource): string {
  const [name, inputs, options] = expression.arguments ?? [];
  if (name === undefined || !ts.isStringLiteral(name)) throw unsupported(expression);
  const label = variable ?? name.text.replaceAll("-", "");
  const type = `brightdata:index:${expression.expression.getText().split(".").at(-1)}`;
  const lines = [
    ...(label === name.text ? [] : [`  __logicalName = ${quoted(name.text)}`]),
    ...(inputs === undefined ? [] : entriesOf(inputs).map(([key, value]) => `  ${key} = ${valueInPcl(value)}`)),
    ...(options === undefined ? [] : [`  options {\n${entriesOf(options).map(optionInPcl).join("\n")}\n  }`]),
  ];
  return `resource ${quoted(label)} ${quoted(type)} {\n${lines.join("\n")}\n}\n`;
}

const optionInPcl = ([key, value]: Entry): string => `    ${key} = ${valueInPcl(value)}`;

function lookupInPcl(result: ts.BindingName, { expression }: ts.AwaitExpression): string {
  if (!ts.isCallExpression(expression) || !ts.isObjectBindingPattern(result)) throw unsupported(expression);
  const name = expression.expression.getText().split(".").at(-1) ?? "";
  const found = `${name.charAt(3).toLowerCase()}${name.slice(4)}`;
  const args = expression.arguments.map(valueInPcl).join("") || "{}";
  const outputs = result.elements.map((element) => {
    const key = (element.propertyName ?? element.name).getText();
    return `output ${quoted(key)} {\n  value = ${found}.${key}\n}\n`;
  });
  return `${found} = invoke("brightdata:index:${name}", ${args})\n${outputs.join("")}`;
}

type Entry = readonly [key: string, value: ts.Expression];

function entriesOf(node: ts.Expression): Entry[] {
  if (!ts.isObjectLiteralExpression(node)) throw unsupported(node);
  return node.properties.map((property) => {
    if (ts.isPropertyAssignment(property)) return [property.name.getText(), property.initializer] as const;
    throw unsupported(property);
  });
}

function valueInPcl(node: ts.Expression): string {
  if (ts.isStringLiteral(node)) return quoted(node.text);
  if (ts.isNumericLiteral(node) || /^(true|false)$/.test(node.getText())) return node.getText();
  if (ts.isArrayLiteralExpression(node)) return `[${node.elements.map(valueInPcl).join(", ")}]`;
  if (ts.isObjectLiteralExpression(node)) {
    return `{ ${entriesOf(node)
      .map(([key, value]) => `${key} = ${valueInPcl(value)}`)
      .join(", ")} }`;
  }
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return node.getText();
  if (ts.isTaggedTemplateExpression(node) && ts.isTemplateExpression(node.template)) {
    const spans = node.template.templateSpans.map(
      ({ expression, literal }) => `\${${valueInPcl(expression)}}${escaped(literal.text)}`,
    );
    return `"${escaped(node.template.head.text)}${spans.join("")}"`;
  }
  throw unsupported(node);
}

const quoted = (text: string): string => `"${escaped(text)}"`;

const escaped = (text: string): string => text.replace(/["\\]/g, "\\$&").replaceAll("${", () => "$${");

const unsupported = (node: ts.Node): Failure =>
  new Failure(
    `The example of ${node.getSourceFile().fileName.replace(/\.ts$/, "")} has what not every language can say: ${node.getText()}`,
  );

/** The example of a declaration in the languages that Pulumi's generators have written it in, and what they have made it of. */
export interface Written {
  readonly pcl: string;
  readonly in: Readonly<Record<string, string>>;
}

/** A description with its example, as the generators of SDKs and of Pulumi's Registry look for it. */
export function withExample(says: string, example: Example | undefined, written: Written | undefined): string {
  const blocks = Object.entries({ typescript: example?.typescript ?? "", ...written?.in }).map(
    ([language, text]) => `\`\`\`${language}\n${text.trim()}\n\`\`\``,
  );
  const all = [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    ...blocks,
    "{{% /example %}}",
    "{{% /examples %}}",
  ];
  return [says, ...all].join("\n\n");
}

/** A schema's text without the examples, which take more room than all else that a tarball has of it. */
export const withoutExamples = (schema: string): string =>
  schema.replace(/\\n\\n\{\{% examples %\}\}.*?\{\{% \/examples %\}\}/g, "");
