import type { Lookup } from "../../src/declaration/function.ts";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Declared } from "./declarations.mts";
import { NOTICE } from "./resource.mts";

const folderOf = ({ folder }: { folder: string }): string => folder.slice(folder.lastIndexOf("/") + 1);

/** What a program imports of the kinds. */
export const kindsIndex = (kinds: readonly Declared<Kind>[]): string =>
  NOTICE + kinds.map((kind) => `export * from "./${folderOf(kind)}/resource";\n`).join("");

/** The lifecycles of all kinds, by the names of their classes. */
export const lifecycles = (kinds: readonly Declared<Kind>[]): string =>
  [
    NOTICE,
    'import type { Lifecycle } from "../lifecycle/lifecycle";\n',
    ...kinds.map((kind) => `import { ${folderOf(kind)}Lifecycle } from "./${folderOf(kind)}/lifecycle";\n`),
    "\nexport const LIFECYCLES: Readonly<Record<string, Lifecycle>> = {\n",
    ...kinds.map((kind) => `  ${kind.declared.name}: ${folderOf(kind)}Lifecycle,\n`),
    "};\n",
  ].join("");

/** What a program imports of the functions. */
export const functionsIndex = (lookups: readonly Declared<Lookup>[]): string =>
  NOTICE + lookups.map((lookup) => `export * from "./${folderOf(lookup)}/function";\n`).join("");
