import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ModuleKind, ModuleResolutionKind, resolveModuleName } from "typescript";
import { expect, test } from "vitest";

const PACKAGE = "/shop/node_modules/pulumi-brightdata";
const MANIFEST = readFileSync(join(__dirname, "../../package.json"), "utf8");

/** Where a compiler finds the types of a module, with what `package.json` says and the files that the build writes. */
function typesOf(name: string, moduleResolution: ModuleResolutionKind): string | undefined {
  const declarations = ["index", "provider", "simulator/index"].map((file) => `${PACKAGE}/dist/${file}.d.ts`);
  const host = {
    fileExists: (file: string) => file === `${PACKAGE}/package.json` || declarations.includes(file),
    readFile: () => MANIFEST,
  };
  const isOld = moduleResolution === ModuleResolutionKind.Node10;
  const options = { moduleResolution, module: isOld ? ModuleKind.CommonJS : ModuleKind.Node16 };
  return resolveModuleName(name, "/shop/index.ts", options, host).resolvedModule?.resolvedFileName;
}

test.each([
  ["pulumi-brightdata", "index"],
  ["pulumi-brightdata/provider", "provider"],
  ["pulumi-brightdata/simulator", "simulator/index"],
])("%s has types for new and old ways to resolve modules", (name, file) => {
  for (const way of [ModuleResolutionKind.Node16, ModuleResolutionKind.Node10])
    expect(typesOf(name, way)).toBe(`${PACKAGE}/dist/${file}.d.ts`);
});
