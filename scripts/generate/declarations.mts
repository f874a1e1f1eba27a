import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Product } from "../../src/model/products.ts";
import type { Lookup } from "../../src/program/lookup.ts";
import type { Definition } from "../../src/settings/definitions.ts";

// The sources import each other without an extension, and are modules in a package whose `type` is "commonjs".
registerHooks({
  resolve(specifier, context, next) {
    const isOurs = specifier.startsWith(".") && !/\.\w+$/.test(specifier) && context.parentURL?.includes("/src/");
    return next(isOurs ? `${specifier}.ts` : specifier, context);
  },
  load: (url, context, next) =>
    next(url, /\/src\/.*\.ts$/.test(url) ? { ...context, format: "module-typescript" } : context),
});

// What the sources themselves say; they can be imported only from here on.
export const { hasSecret } = await import("../../src/declaration/paths.ts");
export const { CONNECTION } = await import("../../src/declaration/connection.ts");

/** A declaration, and the folder below the root that it stands in. */
export interface Declared<T> {
  folder: string;
  declared: T;
}

/** All kinds of resources that are declared below a folder, by name. */
export const kindsIn = (root: string): Promise<Declared<Kind>[]> =>
  exportsOf<Kind>(root, "src/kinds/*/declaration.ts", "inputs");

/** All functions that are declared below a folder, by name. */
export const lookupsIn = (root: string): Promise<Declared<Lookup>[]> =>
  exportsOf<Lookup>(root, "src/functions/*/declaration.ts", "ask");

/** The settings of the package, in their order. */
export async function settingsIn(root: string): Promise<readonly Definition<unknown>[]> {
  const file = pathToFileURL(join(root, "src/settings/definitions.ts"));
  return Object.values(((await import(file.href)) as { SETTINGS: Record<string, Definition<unknown>> }).SETTINGS);
}

/** What the vendor sells as a zone. */
export async function productsIn(root: string): Promise<readonly Product[]> {
  const file = pathToFileURL(join(root, "src/model/products.ts"));
  return ((await import(file.href)) as { PRODUCTS: readonly Product[] }).PRODUCTS;
}

async function exportsOf<T extends { name: string }>(
  root: string,
  files: string,
  having: string,
): Promise<Declared<T>[]> {
  const found = await Promise.all(
    globSync(files, { cwd: root }).map(async (file) => {
      const exported = Object.values((await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>);
      const declared = exported.find((value) => typeof value === "object" && value !== null && having in value);
      if (declared === undefined) throw new Error(`${file} declares nothing.`);
      return { folder: file.slice(0, file.lastIndexOf("/")), declared: declared as T };
    }),
  );
  return found.sort((left, right) => (left.declared.name < right.declared.name ? -1 : 1));
}
