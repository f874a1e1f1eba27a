import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(__dirname, "../..");

/** What a file imports when it runs: files below the root, and packages. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const source = readFileSync(join(ROOT, file), "utf8");
  for (const [, specifier = ""] of source.matchAll(/^(?:import|export) (?!type)[^;]*? from "([^"]+)";/gm)) {
    if (specifier.startsWith(".")) loadedBy(relative(ROOT, join(ROOT, dirname(file), `${specifier}.ts`)), loaded);
    else loaded.add(specifier);
  }
  return loaded;
}

const ALLOWED =
  /^src\/(base\/(case|cause|errors|json|printable)|declaration\/(?!formats|values|address|clientRange)\w+|model\/\w+|kinds\/\w+\/\w+)\.ts$/;
const DECLARATIONS = globSync("src/kinds/*/declaration.ts", { cwd: ROOT });

test.each(DECLARATIONS)("%s loads other declarations and what they are written in, and nothing else", (file) => {
  const loaded = [...loadedBy(file)];
  expect(loaded.length).toBeGreaterThan(1);
  expect(loaded.filter((name) => !ALLOWED.test(name) || name.endsWith("/lifecycle.ts"))).toEqual([]);
});
