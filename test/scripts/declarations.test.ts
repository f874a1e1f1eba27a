import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { reachable } from "../../scripts/declarations.mts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "declarations-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What is reached from `index.d.ts`, by the names of the files. */
function reachedOf(files: Record<string, string>): Record<string, string> {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, `${name}.d.ts`);
    writeFileSync(path, text);
    return path;
  });
  const texts = reachable(paths, [join(folder, "index.d.ts")]);
  return Object.fromEntries([...texts].map(([path, text]) => [basename(path, ".d.ts"), text]));
}

test("what an export names is kept, in whatever file, and nothing else", () => {
  const files = {
    index: `export { zone } from "./zone";\n`,
    zone: `import { type Name, type Other } from "./name";
import type { Unused } from "./unused";
/** A zone. */
export declare const zone: Name;
export declare const other: Other;
export declare const unused: Unused;
`,
    name: `type Letter = "a";\nexport type Name = Letter;\nexport type Other = 1;\nexport {};\n`,
    unused: "export type Unused = 1;\n",
  };
  expect(reachedOf(files)).toEqual({
    index: files.index,
    zone: `import { type Name } from "./name";\n/** A zone. */\nexport declare const zone: Name;\n`,
    name: `type Letter = "a";\nexport type Name = Letter;\nexport {};\n`,
  });
});

test("of a module that is named as a whole everything is kept; of one that a type is imported from, that type", () => {
  const files = {
    index: `export * from "./star";\nexport declare const zones: typeof import("./zones");\nexport declare const one: import("./one").One;\n`,
    star: "export type Star = 1;\n",
    zones: "export declare const list: () => void;\n",
    one: "export type One = 1;\nexport type Two = 2;\n",
  };
  expect(reachedOf(files)).toEqual({ ...files, one: "export type One = 1;\n" });
});

test("what a model says of a field besides its type is left out", () => {
  const index = `export declare const port: {
    readonly says: "Its number; { or }.";
    readonly must: readonly [{
        readonly expected: "a number";
    }];
    readonly is: "number";
};
export interface Saying {
    readonly says: string;
}
`;
  const without = index.replace(/ +readonly (says|expected): ".*\n/g, "");
  expect(reachedOf({ index })).toEqual({ index: without });
});
