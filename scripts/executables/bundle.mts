import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../root.mts";

/**
 * The program of the executable as one file: it has no folder that it could load modules from.
 *
 * @returns the files that it is made of
 */
export async function bundle(outfile: string, version: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, "program.ts")],
    outfile,
    absWorkingDir: ROOT,
    metafile: true,
    format: "cjs",
    bundle: true,
    platform: "node",
    target: "node26",
    minifySyntax: true,
    minifyWhitespace: true,
    plugins: [
      {
        name: "the version stands in no file beside it",
        setup: ({ onLoad }) =>
          onLoad({ filter: /[\\/]src[\\/]base[\\/]version\.ts$/ }, () => ({
            contents: `export const VERSION = ${JSON.stringify(version)};`,
          })),
      },
    ],
  });
  return Object.keys(metafile.inputs);
}

/** The npm packages that files belong to. */
export const packagesOf = (files: readonly string[]): string[] =>
  [...new Set(files.flatMap((file) => /\bnode_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []))].sort();
