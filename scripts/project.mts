import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.mts";

const compilerOptions = { target: "es2022", module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0" };

/**
 * Makes a Pulumi project of a program in TypeScript, and returns its folder. That is below the repository, because the program and
 * its provider have to find the package.
 */
export async function makeProject(program: string): Promise<string> {
  await mkdir(join(ROOT, "dist"), { recursive: true });
  const folder = await mkdtemp(join(ROOT, "dist/project-"));
  await writeFile(join(folder, "Pulumi.yaml"), "name: proxies\nruntime: nodejs\n");
  await writeFile(join(folder, "package.json"), '{ "name": "proxies", "private": true, "main": "index.ts" }\n');
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
  await writeProgram(folder, program);
  return folder;
}

/** Replaces the program of a project. */
export const writeProgram = (folder: string, program: string): Promise<void> =>
  writeFile(join(folder, "index.ts"), program);
