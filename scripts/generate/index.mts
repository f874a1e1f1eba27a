import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Lookup } from "../../src/program/lookup.ts";
import { scannerBinary } from "./assembly.mts";
import { type Declared, kindsIn, lookupsIn, productsIn, settingsIn } from "./declarations.mts";
import { Failure } from "./failure.mts";
import { functionFile, homesOf } from "./function.mts";
import { index, lifecycles, samplesIndex } from "./indexes.mts";
import { newPage } from "./newPage.mts";
import { pageOf, pagesOf } from "./pages.mts";
import { resourceFile } from "./resource.mts";
import { schemaFile } from "./schema.mts";

const ROOT = join(import.meta.dirname, "../..");

type File = readonly [path: string, content: string];

interface All {
  kinds: readonly Declared<Kind>[];
  lookups: readonly Declared<Lookup>[];
}

const pathOf = (file: string): string => join(ROOT, file);

function read(file: string): string {
  if (!existsSync(pathOf(file))) throw new Failure(`${file} is missing: write it, or restore it from git.`);
  return readFileSync(pathOf(file), "utf8");
}

async function sources({ kinds, lookups }: All): Promise<readonly File[]> {
  const homes = homesOf(kinds, lookups);
  return formatted([
    ...kinds.map((kind) => [`src/generated/resources/${kind.name}.ts`, resourceFile(kind, homes)] as const),
    ...lookups.map((lookup) => [`src/generated/functions/${lookup.name}.ts`, functionFile(lookup, homes)] as const),
    ["src/generated/index.ts", index(kinds, lookups)],
    ["src/generated/lifecycles.ts", lifecycles(kinds)],
    ["test/laws/samples/index.ts", samplesIndex(kinds)],
    scannerBinary(ROOT),
    ["schema.json", schemaFile(kinds, lookups, await settingsIn(ROOT), read("package.json"))],
  ]);
}

async function pages({ kinds, lookups }: All): Promise<readonly File[]> {
  const begun = new Map(kinds.map(({ declared }) => [pageOf(declared), newPage(declared)]));
  const page = (file: string) => (existsSync(pathOf(file)) ? undefined : begun.get(file)) ?? read(file);
  return pagesOf(kinds, lookups, await productsIn(ROOT), page);
}

/** As the linter would have them. */
function formatted(files: readonly File[]): readonly File[] {
  const folder = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    for (const [file, content] of files) {
      mkdirSync(join(folder, dirname(file)), { recursive: true });
      writeFileSync(join(folder, file), content);
    }
    const biome = join(ROOT, "node_modules/.bin/biome");
    const config = ["--config-path", join(ROOT, "biome.json"), "--vcs-enabled=false"];
    const { status, stderr } = spawnSync(biome, ["check", "--write", ...config, folder], {
      cwd: folder,
      encoding: "utf8",
    });
    if (status !== 0) throw new Failure(`What a declaration says is no TypeScript once it is written:\n${stderr}`);
    return files.map(([file]) => [file, readFileSync(join(folder, file), "utf8")]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes what is not as it should be, or only names it. */
function update(files: readonly File[], isCheck: boolean): boolean {
  const stale = files.filter(([file, content]) => !existsSync(pathOf(file)) || read(file) !== content);
  for (const [file, content] of stale) {
    if (!isCheck) {
      mkdirSync(dirname(pathOf(file)), { recursive: true });
      writeFileSync(pathOf(file), content);
    }
    console.log(`${file} ${isCheck ? "is not what the declarations say" : "written"}`);
  }
  return stale.length > 0;
}

/** Sources come first: a page that cannot be written does not keep the package from being compiled. */
async function main(isCheck: boolean): Promise<void> {
  const all = { kinds: await kindsIn(ROOT), lookups: await lookupsIn(ROOT) };
  const isStale = [update(await sources(all), isCheck), update(await pages(all), isCheck)].includes(true);
  if (isCheck && isStale) throw new Failure("Run `npm run generate`, and commit what it writes.");
}

await main(process.argv.includes("--check")).catch((error: unknown) => {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
});
