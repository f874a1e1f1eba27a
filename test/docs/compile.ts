import { globSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import ts from "typescript";
import { ROOT } from "../../scripts/root.mts";
import type { Block } from "./documents";

/**
 * What the compiler says of blocks, each as `docs/zone.md.12.ts:3: …`, where 12 is the block's line in the document and 3 the line in
 * the block. A block is a file that only the compiler sees, beside the others of this package: it finds the same modules.
 */
export function complaints(blocks: readonly Block[], { compiler: ts, options }: Setup = current()): string[] {
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
    .map((diagnostic) => complaint(diagnostic, ts));
}

interface Setup {
  compiler: typeof ts;
  options: ts.CompilerOptions;
}

const POLICIES = { "@pulumi/policy": [join(__dirname, "policy.d.ts")] };

/** The compiler of this repository, with the sources. */
const current = (): Setup => ({
  compiler: ts,
  options: {
    ...compilerOptions(),
    paths: {
      "pulumi-brightdata": [join(ROOT, "src/index.ts")],
      "pulumi-brightdata/native": [join(ROOT, "src/native.ts")],
      "pulumi-brightdata/simulator": [join(ROOT, "simulator/index.ts")],
      ...POLICIES,
    },
    // A block is a module, even one that imports nothing.
    moduleDetection: ts.ModuleDetectionKind.Force,
    noUnusedLocals: false,
    noEmit: true,
  },
});

/** The compiler that the SDK brings along for projects without one, with the declarations that the package contains. */
export function vendored(): Setup {
  const require = createRequire(__filename);
  const [vendor = ""] = globSync(join(dirname(require.resolve("@pulumi/pulumi")), "vendor/typescript@*/typescript.js"));
  const compiler = require(vendor) as typeof ts;
  const options = {
    target: compiler.ScriptTarget.ES2020,
    module: compiler.ModuleKind.CommonJS,
    moduleResolution: compiler.ModuleResolutionKind.NodeJs,
    strict: true,
    skipLibCheck: true,
    baseUrl: ROOT,
    paths: {
      "pulumi-brightdata": ["dist/index.d.ts"],
      "pulumi-brightdata/native": ["dist/native.d.ts"],
      "pulumi-brightdata/simulator": ["dist/simulator/index.d.ts"],
      ...POLICIES,
    },
    noEmit: true,
  };
  return { compiler, options };
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile) as { config: unknown };
  return ts.parseJsonConfigFileContent(config, ts.sys, ROOT).options;
}

function complaint({ file, start = 0, messageText }: ts.Diagnostic, compiler: typeof ts): string {
  const words = compiler.flattenDiagnosticMessageText(messageText, " ");
  if (file === undefined) return words;
  const { line } = file.getLineAndCharacterOfPosition(start);
  return `${relative(ROOT, file.fileName)}:${line + 1}: ${words}`;
}
