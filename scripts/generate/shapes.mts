import type { Kind } from "../../src/declaration/kind.ts";
import type { Properties } from "../../src/declaration/property.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import type { Declared, Model } from "./declarations.mts";
import { Failure } from "./failure.mts";
import { outputsOf } from "./outputs.mts";
import { declarationOf, type Mode, type Named, namedIn, typeName } from "./types.mts";

/** A type with a name, and the file below `src/generated` that declares it. */
interface Shape {
  readonly property: Named;
  readonly home: string;
  readonly text: string;
}

/** All types with a name, by it. */
export type Shapes = ReadonlyMap<string, Shape>;

/** What the model declares has a file of its own there; any other type stands with the one class or function that needs it. */
export function shapesOf(
  models: readonly Model[],
  kinds: readonly Declared<Kind>[],
  lookups: readonly Declared<Lookup>[],
): Shapes {
  const homes = new Map<string, string>();
  for (const { name, properties } of models)
    for (const { named } of namedIn(properties)) if (!homes.has(named)) homes.set(named, `types/${name}`);
  const shapes = new Map<string, Shape>();
  const add = (user: string, properties: Properties, mode: Mode) => {
    for (const property of namedIn(properties)) {
      // Those of the timeouts stand beside what all classes share.
      if (property.named === "Timeouts") continue;
      const name = typeName(property, mode);
      const home = homes.get(property.named) ?? user;
      const known = shapes.get(name);
      if (known === undefined) shapes.set(name, { property, home, text: declarationOf(property, mode) });
      else if (known.home !== home)
        throw new Failure(`${name} is needed by ${known.home} and ${home}: declare it in a file of src/model.`);
    }
  };
  for (const { name, declared } of kinds) {
    add(`resources/${name}`, declared.inputs, "input");
    add(`resources/${name}`, outputsOf(declared), "output");
  }
  for (const { name, declared } of lookups) {
    add(`functions/${name}`, declared.arguments, "argument");
    add(`functions/${name}`, declared.result, "plain");
  }
  return shapes;
}

/** The types that a file declares. */
export const declaredIn = (shapes: Shapes, home: string): string =>
  [...shapes.values()].flatMap((shape) => (shape.home === home ? [`${shape.text}\n`] : [])).join("");

/** The imports of the types that the code of a file names, and others declare. */
export function importsOf(shapes: Shapes, home: string, code: string): string {
  const names = new Set(plain(code).match(/\b[A-Z]\w+/g));
  return [...names]
    .sort()
    .flatMap((name) => {
      const { home: other } = shapes.get(name) ?? { home };
      return other === home ? [] : [`import type { ${name} } from "../${other}";\n`];
    })
    .join("");
}

/** Code without its comments and texts. */
const plain = (code: string): string => code.replaceAll(/\/\*\*.*?\*\/|"[^"\n]*"/gs, "");

/** A file of types that several classes and functions share. */
export function typesFile(shapes: Shapes, home: string): string {
  const code = declaredIn(shapes, home);
  const pulumi = plain(code).includes("pulumi.") ? 'import type * as pulumi from "@pulumi/pulumi";\n' : "";
  return `${pulumi}${importsOf(shapes, home, code)}\n${code}`;
}

/** The files of such types. */
export const typesHomes = (shapes: Shapes): string[] =>
  [...new Set([...shapes.values()].map(({ home }) => home))].filter((home) => home.startsWith("types/")).sort();
