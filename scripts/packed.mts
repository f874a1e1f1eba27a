import { join } from "node:path";
import { transformSync } from "esbuild";
import ts from "typescript";
import { ROOT } from "./root.mts";

export const TARGET = "node22";

/** What is compiled, as the package has it. @param isShort whether names inside of functions are shortened */
export function packed(code: string, isShort: boolean): string {
  const options = { target: TARGET, minifyWhitespace: true, minifyIdentifiers: isShort };
  return inLines(transformSync(code, options).code.replaceAll(LATER, REQUIRED_LATER));
}

/** Jest runs what a test requires in a context of its own, which loads nothing by `import()`. */
const LATER = /\bimport\(("[^"\n]+")\)/g;
const REQUIRED_LATER = "Promise.resolve().then(()=>require($1))";

/** A module of the core, compiled by itself as the build does it. */
export function compiled(source: string): string {
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile).config.compilerOptions,
    ROOT,
  );
  if (errors.length > 0) throw new Error("tsconfig.json cannot be read.");
  const compilerOptions = { ...options, noEmit: false, module: ts.ModuleKind.CommonJS };
  return packed(ts.transpileModule(source, { compilerOptions }).outputText, false);
}

/** A statement a line: Node.js prints the line of what nobody catches. No text is cut, by which modules and exports are found. */
function inLines(code: string): string {
  const source = ts.createSourceFile("code.js", code, ts.ScriptTarget.ESNext, true);
  const starts: number[] = [];
  const visit = (node: ts.Node): void => {
    const { parent } = node;
    const isListed = ts.isSourceFile(parent) || ts.isBlock(parent) || ts.isClassElement(node);
    if (isListed) starts.push(node.getStart());
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return [0, ...starts]
    .map((start, index) => code.slice(start, starts[index]))
    .filter((line) => line !== "")
    .join("\n");
}
