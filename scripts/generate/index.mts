import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { scannerBinary } from "./assembly.mts";
import { kindsIn, lookupsIn, productsIn, settingsIn } from "./declarations.mts";
import { functionFile, homesOf } from "./function.mts";
import { index, lifecycles, samplesIndex } from "./indexes.mts";
import { pagesOf } from "./pages.mts";
import { resourceFile } from "./resource.mts";
import { schemaFile } from "./schema.mts";

const ROOT = join(import.meta.dirname, "../..");

/** Everything that follows from other files, by its path below the root. */
async function generated(root: string): Promise<Map<string, string>> {
  const [kinds, lookups, products] = await Promise.all([kindsIn(root), lookupsIn(root), productsIn(root)]);
  const settings = await settingsIn(root);
  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const homes = homesOf(kinds, lookups);
  const sources = [
    ...kinds.map((kind) => [`src/generated/resources/${kind.name}.ts`, resourceFile(kind, homes)] as const),
    ...lookups.map((lookup) => [`src/generated/functions/${lookup.name}.ts`, functionFile(lookup, homes)] as const),
    ["src/generated/index.ts", index(kinds, lookups)] as const,
    ["src/generated/lifecycles.ts", lifecycles(kinds)] as const,
    ["test/laws/samples/index.ts", samplesIndex(kinds)] as const,
    scannerBinary(root),
    ["schema.json", schemaFile(kinds, lookups, settings, read("package.json"))] as const,
  ];
  return new Map([...formatted(sources), ...pagesOf(kinds, lookups, products, read)]);
}

/** As the linter would have them. */
function formatted(files: readonly (readonly [string, string])[]): [string, string][] {
  const folder = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    for (const [file, content] of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    const biome = join(ROOT, "node_modules/.bin/biome");
    const config = ["--config-path", join(ROOT, "biome.json"), "--vcs-enabled=false"];
    execFileSync(biome, ["check", "--write", ...config, folder], { stdio: ["ignore", "ignore", "pipe"], cwd: folder });
    return files.map(([file]) => [file, readFileSync(join(folder, file), "utf8")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const isCheck = process.argv.includes("--check");
  const files = await generated(ROOT);
  const stale = [...files].filter(([file, content]) => {
    const path = join(ROOT, file);
    return !existsSync(path) || readFileSync(path, "utf8") !== content;
  });
  for (const [file, content] of isCheck ? [] : stale) writeFileSync(join(ROOT, file), content);
  for (const [file] of stale) console.log(`${file} ${isCheck ? "is not what the declarations say" : "written"}`);
  if (!isCheck || stale.length === 0) return;
  console.error("Run `npm run generate`, and commit what it writes.");
  process.exitCode = 1;
}

await main();
