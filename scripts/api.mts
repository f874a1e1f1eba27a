// Writes the report of the package's public interface: npm run api
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import ts from "typescript";
import { ROOT } from "./root.mts";

/** Where the report is kept, below the repository's root. */
export const REPORT = "api/pulumi-brightdata.api.md";

interface EntryPoint {
  /** The name that a program imports. */
  name: string;
  source: string;
  /** Whether the types that it names without exporting them are part of the interface. */
  project: (typeof PROJECTS)[number];
  withNamedTypes: boolean;
}

/** What is compiled apart. */
const PROJECTS = ["tsconfig.build.json", "simulator/tsconfig.json"] as const;
const [OWN, SIMULATOR] = PROJECTS;

/** The modules that `exports` of package.json opens. Of a provider, only the engine uses the parts. */
const ENTRY_POINTS: readonly EntryPoint[] = [
  { name: "pulumi-brightdata", source: "src/index.ts", project: OWN, withNamedTypes: true },
  { name: "pulumi-brightdata/provider", source: "src/provider.ts", project: OWN, withNamedTypes: false },
  { name: "pulumi-brightdata/simulator", source: "simulator/index.ts", project: SIMULATOR, withNamedTypes: true },
];

const PREAMBLE = `# Public interface

Everything that programs can import, and the types of it. \`npm run api\` writes this file; commit it together with the change that it
shows. What can break a program (a name or a property that is gone, an argument that has become required, a narrower argument, a wider
result) is marked \`**Breaking**\` in [CHANGELOG.md](../CHANGELOG.md).
`;

/** The report of the sources as they are. */
export function report(): string {
  const program = declarations();
  const checker = program.getTypeChecker();
  const chapters = ENTRY_POINTS.map(({ name, source, withNamedTypes }) => {
    const file = program.getSourceFile(declarationFile(source));
    const module = file && checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${source} is no module`);
    const exported = checker.getExportsOfModule(module).map((symbol) => resolved(checker, symbol));
    const chapter = `## \`${name}\`\n\n${block(checker, exported)}`;
    const named = withNamedTypes ? namedBy(checker, exported) : [];
    return named.length === 0 ? chapter : `${chapter}\n### Named there, but not exported\n\n${block(checker, named)}`;
  });
  return [PREAMBLE, ...chapters].join("\n");
}

/** The names that a report has and a later one has not. */
export function removedExports(before: string, after: string): string[] {
  const later = new Set(exportsIn(after));
  return exportsIn(before).filter((name) => !later.has(name));
}

function exportsIn(text: string): string[] {
  const [, ...chapters] = text.split(/^## /m);
  return chapters.flatMap((chapter) => {
    const [exported = ""] = chapter.split(/^### /m);
    const [, entryPoint = ""] = /^`(.+)`/.exec(exported) ?? [];
    const names = exported.matchAll(
      /^export (?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm,
    );
    return [...new Set([...names].map(([, name]) => `${entryPoint}: ${name}`))];
  });
}

const declarationFile = (source: string) => join(ROOT, source.replace(/^(src\/)?/, "dist/").replace(/\.ts$/, ".d.ts"));

/** A program of the declarations that a build would write, made in memory: `dist` may be of yesterday. */
function declarations(): ts.Program {
  const options = optionsOf(OWN);
  const emitted = new Map<string, string>();
  for (const project of PROJECTS) {
    const sources = ENTRY_POINTS.filter((entry) => entry.project === project).map(({ source }) => join(ROOT, source));
    const program = ts.createProgram(sources, { ...optionsOf(project), noCheck: true });
    program.emit(undefined, (file, text) => emitted.set(file, text), undefined, true);
  }

  const host = ts.createCompilerHost(options, true);
  const { fileExists, readFile } = host;
  host.fileExists = (file) => emitted.has(file) || fileExists(file);
  host.readFile = (file) => emitted.get(file) ?? readFile(file);
  // Without it, folders that are not on the disk would not be searched.
  delete host.directoryExists;
  const files = ENTRY_POINTS.map(({ source }) => declarationFile(source));
  return ts.createProgram(files, { ...options, noEmit: true }, host);
}

function optionsOf(project: string): ts.CompilerOptions {
  const file = join(ROOT, project);
  const { config } = ts.readConfigFile(file, ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(file)).options;
}

function resolved(checker: ts.TypeChecker, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The package's own declarations that these name, and that those name, and so on. */
function namedBy(checker: ts.TypeChecker, symbols: readonly ts.Symbol[]): ts.Symbol[] {
  const found = new Set(symbols);
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    const target = symbol && resolved(checker, symbol);
    if (target?.declarations?.some(isOwnStatement)) found.add(target);
    const own = operations(checker, node);
    const parts = own.flatMap(({ parameters, result }) => [...parameters, ...result]);
    if (own.length === 0) ts.forEachChild(node, visit);
    else parts.forEach(visit);
  };
  // A set is walked to its end, what is added on the way included.
  for (const { declarations } of found) declarations?.forEach(visit);
  return [...found].slice(symbols.length);
}

/** What is declared is no statement of the interface: the types that programs see follow from it. */
function isOwnStatement(declaration: ts.Declaration): boolean {
  const { fileName } = declaration.getSourceFile();
  return (
    fileName.startsWith(join(ROOT, "dist/")) &&
    !fileName.endsWith("/declaration.d.ts") &&
    !(ts.isVariableDeclaration(declaration) && fileName.startsWith(join(ROOT, "dist/model/"))) &&
    ts.isSourceFile(statementOf(declaration).parent)
  );
}

const statementOf = (declaration: ts.Declaration): ts.Node =>
  ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;

interface Operation {
  name: string;
  parameters: readonly ts.ParameterDeclaration[];
  result: readonly ts.TypeNode[];
}

/** The operations in `Noun<typeof import("./zones")>`: the module's functions that return an `Operation`. */
function operations(checker: ts.TypeChecker, node: ts.Node): Operation[] {
  if (!ts.isTypeReferenceNode(node) || node.typeName.getText() !== "Noun") return [];
  return (node.typeArguments ?? []).flatMap((module) =>
    checker.getPropertiesOfType(checker.getTypeFromTypeNode(module)).flatMap(({ name, declarations = [] }) =>
      declarations
        .map((each) => (ts.isVariableDeclaration(each) ? each.type : each))
        .filter((each) => each !== undefined && ts.isFunctionLike(each))
        .flatMap(({ parameters, type }) =>
          type !== undefined && ts.isTypeReferenceNode(type) && type.typeName.getText() === "Operation"
            ? [{ name, parameters, result: type.typeArguments ?? [] }]
            : [],
        ),
    ),
  );
}

function block(checker: ts.TypeChecker, symbols: readonly ts.Symbol[]): string {
  const texts = symbols.flatMap(({ name, declarations = [] }) =>
    declarations.map((each) => ({ name, text: inWords(checker, each) })),
  );
  texts.sort((a, b) => compare(a.name, b.name) || compare(a.text, b.text));
  return ["```ts", texts.map(({ text }) => text).join("\n\n"), "```", ""].join("\n");
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const PRINTER = ts.createPrinter({ removeComments: true });
const print = (node: ts.Node) => PRINTER.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());

/** A declaration without its comments, and with the operations in it spelled out. */
function inWords(checker: ts.TypeChecker, declaration: ts.Declaration): string {
  if (ts.isTypeAliasDeclaration(declaration) && /<typeof \w+>+$/.test(declaration.type.getText())) {
    return shape(checker, declaration);
  }
  let text = print(statementOf(declaration));
  const visit = (node: ts.Node): void => {
    const methods = operations(checker, node).map(method);
    if (methods.length > 0) text = text.replace(print(node), ["{", ...methods.sort(compare), "    }"].join("\n"));
    ts.forEachChild(node, visit);
  };
  visit(declaration);
  return text;
}

/** The type that follows from what is declared, in full. */
function shape(checker: ts.TypeChecker, { name, type }: ts.TypeAliasDeclaration): string {
  const { InTypeAlias, NoTruncation } = ts.TypeFormatFlags;
  const flat = checker.typeToString(checker.getTypeAtLocation(name), type, InTypeAlias | NoTruncation);
  const file = ts.createSourceFile("shape.ts", `export type ${name.text} = ${flat};`, ts.ScriptTarget.Latest);
  return PRINTER.printFile(file).trimEnd();
}

const method = ({ name, parameters, result }: Operation): string =>
  `${name}(${parameters.map(print).join(", ")}): Promise<${result.map(print)}>;`.replaceAll(/^/gm, " ".repeat(8));

if (import.meta.main) {
  const file = join(ROOT, REPORT);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, report());
}
