import { join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "../../scripts/root.mts";
import type { Block } from "./documents";

/**
 * What the compiler says of blocks, each as `docs/zone.md.12.ts:3: …`, where 12 is the block's line in the document and 3 the line in
 * the block. A block is a file that only the compiler sees, beside the others of this package: it finds the same modules.
 */
export function complaints(blocks: readonly Block[]): string[] {
  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    paths: {
      "pulumi-brightdata": [join(ROOT, "src/index.ts")],
      "pulumi-brightdata/native": [join(ROOT, "src/native.ts")],
      "pulumi-brightdata/simulator": [join(ROOT, "simulator/index.ts")],
      "@pulumi/policy": [join(__dirname, "policy.d.ts")],
    },
    // A block is a module, even one that imports nothing.
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noEmit: true,
  };
  const sources = new Map(blocks.map(({ file, text }) => [join(ROOT, file), text] as const));
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.readFile = (file) => sources.get(file) ?? readFile(file);
  host.getSourceFile = (file, languageVersion, ...rest) => {
    const text = sources.get(file);
    if (text === undefined) return getSourceFile(file, languageVersion, ...rest);
    return ts.createSourceFile(file, text, languageVersion);
  };
  const program = ts.createProgram([...sources.keys()], options, host);
  return [...sources.keys()]
    .map((file) => program.getSourceFile(file) as ts.SourceFile)
    .flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)])
    .map(complaint);
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

function complaint({ file, start = 0, messageText }: ts.Diagnostic): string {
  const words = ts.flattenDiagnosticMessageText(messageText, " ");
  if (file === undefined) return words;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relative(ROOT, file.fileName)}:${line + 1}: ${words}`;
}
