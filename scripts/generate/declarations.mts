import { globSync } from "node:fs";
import { registerHooks } from "node:module";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Properties, Property } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import type { Product } from "../../src/model/products.ts";
import type { Definition } from "../../src/settings/definitions.ts";
import { Failure } from "./failure.mts";

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

/** A declaration, the file below `src` that it stands in, and the name of the file that is generated from it. */
export interface Declared<T> {
  file: string;
  name: string;
  declared: T;
}

/** All kinds of resources that are declared below a folder, by name. */
export const kindsIn = (root: string): Promise<Declared<Kind>[]> =>
  exportsOf<Kind>(root, "src/kinds/*/declaration.ts", "inputs", "kind");

/** A file of the model, by its name, with the properties that it declares. */
export interface Model {
  name: string;
  properties: Properties;
}

/** The files of the model: what they declare has types that several classes and functions share. */
export const modelsIn = (root: string): Promise<Model[]> =>
  Promise.all(
    globSync("src/model/*.ts", { cwd: root })
      .sort()
      .map(async (file) => {
        const exported = Object.entries(await load(root, file));
        const properties = Object.fromEntries(
          exported.filter((entry): entry is [string, Property] => isProperty(entry[1])),
        );
        return { name: basename(file, ".ts"), properties };
      }),
  );

const isProperty = (value: unknown): value is Property => typeof value === "object" && value !== null && "is" in value;

/** All functions that are declared below a folder, by name. */
export const lookupsIn = (root: string): Promise<Declared<Lookup>[]> =>
  exportsOf<Lookup>(root, "src/functions/get*.ts", "ask", "lookup");

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
  by: string,
): Promise<Declared<T>[]> {
  const found = await Promise.all(
    globSync(files, { cwd: root }).map(async (file) => {
      const declared = Object.values(await load(root, file)).find(
        (value) => typeof value === "object" && value !== null && having in value,
      );
      if (declared === undefined) throw new Failure(`${file} declares nothing: export what \`${by}(…)\` returns.`);
      const [, name = ""] = /^src\/\w+\/(\w+)/.exec(file) ?? [];
      return { file: file.slice("src/".length, -".ts".length), name, declared: declared as T };
    }),
  );
  return found.sort((left, right) => (left.declared.name < right.declared.name ? -1 : 1));
}

const load = (root: string, file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(root, file)).href).catch((error) => {
    throw new Failure(`${file} cannot be loaded: ${error.message}\nMend it, or what it imports.`, { cause: error });
  });
