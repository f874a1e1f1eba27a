import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Kind } from "../../src/declaration/kind.ts";
import type { Lookup } from "../../src/lookups/lookup.ts";
import { type Declared, kindsIn, lookupsIn, type Model, modelsIn, productsIn, settingsIn } from "./declarations.mts";
import { examplesOf, type Written, withExample } from "./example.mts";
import { Failure } from "./failure.mts";
import { functionFile } from "./function.mts";
import { index, kindNames, lifecycles, native, samplesIndex } from "./indexes.mts";
import { newPage } from "./newPage.mts";
import { pageOf, pagesOf } from "./pages.mts";
import { NOTICE, resourceFile } from "./resource.mts";
import { type Described, schemaFile } from "./schema.mts";
import { shapesOf, typesFile, typesHomes } from "./shapes.mts";

const ROOT = join(import.meta.dirname, "../..");

/** The examples in the languages that Pulumi's generators write: `npm run examples`. */
const EXAMPLES = "scripts/generate/examples.json";

type File = readonly [path: string, content: string];

interface All {
  models: readonly Model[];
  kinds: readonly Declared<Kind>[];
  lookups: readonly Declared<Lookup>[];
}

const pathOf = (file: string): string => join(ROOT, file);

function read(file: string): string {
  if (!existsSync(pathOf(file))) throw new Failure(`${file} is missing: write it, or restore it from git.`);
  return readFileSync(pathOf(file), "utf8");
}

async function sources({ models, kinds, lookups }: All, described: Described): Promise<readonly File[]> {
  const shapes = shapesOf(models, kinds, lookups);
  const types = typesHomes(shapes);
  return formatted([
    ...kinds.map((kind) => [`src/generated/resources/${kind.name}.ts`, resourceFile(kind, shapes)] as const),
    ...lookups.map((lookup) => [`src/generated/functions/${lookup.name}.ts`, functionFile(lookup, shapes)] as const),
    ...types.map((home) => [`src/generated/${home}.ts`, NOTICE + typesFile(shapes, home)] as const),
    ["src/generated/index.ts", index(kinds, lookups, types)],
    ["src/generated/native.ts", native(kinds, lookups)],
    ["src/generated/kinds.ts", kindNames(kinds, lookups)],
    ["src/generated/lifecycles.ts", lifecycles(kinds)],
    ["test/laws/samples/index.ts", samplesIndex(kinds)],
    ["schema.json", schemaFile(kinds, lookups, await settingsIn(ROOT), read("package.json"), described)],
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

/** Removes what no declaration leads to any more, or only names it. */
function remove(files: readonly File[], isCheck: boolean): boolean {
  const known = new Set(files.map(([file]) => file));
  const left = globSync("src/generated/**/*.ts", { cwd: ROOT }).filter((file) => !known.has(file));
  for (const file of left) {
    if (!isCheck) rmSync(pathOf(file));
    console.log(`${file} ${isCheck ? "is not declared any more" : "removed"}`);
  }
  return left.length > 0;
}

/** With the examples in other languages, as far as they are what the declarations say. */
function examples({ kinds, lookups }: All): { described: Described; stale: string[] } {
  const all = examplesOf(new Map([...kinds, ...lookups].map(({ declared }) => [declared.name, declared.example])));
  const written = JSON.parse(read(EXAMPLES)) as Record<string, Written>;
  const isCurrent = (name: string) => written[name]?.pcl === all.get(name)?.pcl;
  return {
    described: (name, says) => withExample(says, all.get(name), isCurrent(name) ? written[name] : undefined),
    stale: [...new Set([...all.keys(), ...Object.keys(written)])].filter((name) => !isCurrent(name)),
  };
}

/** Sources come first: a page that cannot be written does not keep the package from being compiled. */
async function main(isCheck: boolean): Promise<void> {
  const all = { models: await modelsIn(ROOT), kinds: await kindsIn(ROOT), lookups: await lookupsIn(ROOT) };
  const { described, stale: others } = examples(all);
  const written = await sources(all, described);
  const stale = [remove(written, isCheck), update(written, isCheck), update(await pages(all), isCheck)];
  // A kind is its declaration and its lifecycle: what else a release needs, test/schema-declarations.test.ts asks for.
  if (others.length > 0)
    console.error(`Run \`npm run examples\`: the examples of ${others.join(", ")} are not written in other languages.`);
  if (isCheck && stale.includes(true)) throw new Failure("Run `npm run generate`, and commit what it writes.");
}

await main(process.argv.includes("--check")).catch((error: unknown) => {
  console.error(error instanceof Failure ? error.message : error);
  process.exitCode = 1;
});
