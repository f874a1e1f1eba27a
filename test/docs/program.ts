import ts from "typescript";
import { expect } from "vitest";
import { blocks } from "./documents";

/** The program of a document that has this name, or that contains this text. */
export function sample(document: string, mark: string): string {
  const found = blocks(document, "ts").filter(({ file, text }) => file === mark || text.includes(mark));
  expect(found, `the blocks of ${document} with ${mark}`).toHaveLength(1);
  return found[0]?.text as string;
}

/** Runs a program, which gets these modules and no others. */
export function run(text: string, modules: Record<string, unknown>): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022, esModuleInterop: true },
  });
  const load = (name: string): unknown => {
    if (!(name in modules)) throw new Error(`the program imports ${name}`);
    const module = modules[name];
    return typeof module === "function" ? module() : module;
  };
  const exports = {};
  new Function("require", "exports", outputText)(load, exports);
  return exports;
}
