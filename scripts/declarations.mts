// Of the declarations that the compiler writes, what the package has.
import ts from "typescript";

/**
 * What a program can reach of declarations: each of the files that lead from the entries to it, without what does not.
 *
 * @param files all that the compiler has written
 */
export function reachable(files: readonly string[], entries: readonly string[]): Map<string, string> {
  // Declarations of other packages lead to none of these.
  const program = ts.createProgram(files, { noLib: true, noResolve: true, types: [] });
  const reached = reachedIn(program, entries);
  const texts = program.getSourceFiles().map((source) => [source.fileName, textOf(source, reached)] as const);
  return new Map(texts.filter(([, text]) => text !== ""));
}

/** The modules of which everything counts, the statements that they lead to, and the parts of imports and exports on the way. */
function reachedIn(program: ts.Program, entries: readonly string[]): Set<ts.Node> {
  const checker = program.getTypeChecker();
  const reached = new Set<ts.Node>(program.getSourceFiles().filter(({ fileName }) => entries.includes(fileName)));
  const add = (symbol: ts.Symbol | undefined): void => {
    for (const node of symbol?.declarations ?? []) reached.add(ts.findAncestor(node, isPart) ?? node);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) add(checker.getImmediateAliasedSymbol(symbol));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteral(node)) add(checker.getSymbolAtLocation(node));
    // Of `import("./zones").Zone`, the name alone; a module that is named without one counts as a whole.
    const module = ts.isImportTypeNode(node) && node.qualifier && node.argument;
    ts.forEachChild(node, (child) => void (child === module || visit(child)));
  };
  // A set is walked to its end, what is added on the way included.
  for (const node of reached) {
    if (!ts.isSourceFile(node)) visit(node);
    else for (const symbol of checker.getSymbolAtLocation(node)?.exports?.values() ?? []) add(symbol);
  }
  return reached;
}

const isPart = (node: ts.Node): boolean =>
  ts.isImportSpecifier(node) || ts.isExportSpecifier(node) || ts.isNamespaceImport(node) || ts.isStatement(node);

/** A file's text without what is not reached; nothing if it has nothing else. */
function textOf({ statements }: ts.SourceFile, reached: ReadonlySet<ts.Node>): string {
  const texts = statements.map((statement) => {
    const parts = partsOf(statement);
    if (parts === undefined) return reached.has(statement) ? typeText(statement) : "";
    const kept = parts.filter((part) => reached.has(part)).map((part) => part.getText());
    return kept.length === 0 ? "" : statement.getFullText().replace(/\{[^}]*\}/, `{ ${kept.join(", ")} }`);
  });
  const text = texts.join("").trim();
  // What a file of declarations does not export is exported all the same, unless it says so.
  return text && `${text}\n${statements.some(isEmptyExport) ? "export {};\n" : ""}`;
}

const FACT =
  /^ *readonly (?:says|outputSays|defaultSays|default|expected|compares|example|named|group|most|least|unit|whole|onChange): (?:"(?:[^"\\]|\\.)*"|[^{}\n]*);\n/gm;

/** What a model says of a field besides its type is of no use to who calls a client. */
const typeText = (statement: ts.Statement): string =>
  ts.isVariableStatement(statement) ? statement.getFullText().replace(FACT, "") : statement.getFullText();

/** The parts of an import or export, each of which may be reached or not. */
function partsOf(statement: ts.Statement): readonly ts.Node[] | undefined {
  if (ts.isImportDeclaration(statement)) {
    const bindings = statement.importClause?.namedBindings;
    return bindings && (ts.isNamedImports(bindings) ? bindings.elements : [bindings]);
  }
  const exported = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
  return exported && ts.isNamedExports(exported) ? exported.elements : undefined;
}

const isEmptyExport = (statement: ts.Statement): boolean =>
  ts.isExportDeclaration(statement) && statement.getText() === "export {};";
