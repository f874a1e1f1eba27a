// Compiles src and the simulator to dist, keeps only the declarations that a program can reach, and of what runs only
// what runs, makes one file each of the command line, the plugin and the simulator, and packs the templates: npm run build
// What has not changed is not compiled again, unless --force is given.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { build as bundle } from "esbuild";
import { reachable } from "./declarations.mts";
import { notices } from "./notices.mts";
import { packed, TARGET } from "./packed.mts";
import { ROOT } from "./root.mts";
import { packedTemplates } from "./templates.mts";

const DIST = join(ROOT, "dist");
const MANIFEST = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const STAMP = join(DIST, ".stamp");
const TEMPLATES = join(DIST, "templates.json");
const INPUTS = [
  "src/**/*.ts",
  "simulator/**/*.ts",
  "simulator/*.json",
  "*.json",
  "scripts/build.mts",
  "scripts/declarations.mts",
  "scripts/notices.mts",
  "scripts/packed.mts",
];

/** What no stack trace of a program is about: names inside its functions are shortened. */
const APART = /^(cli|plugin|simulator)\b/;

/** Stands for all that the output is made of. */
function inputs(): string {
  const hash = createHash("sha256");
  for (const path of globSync(INPUTS, { cwd: ROOT }).sort()) hash.update(path).update(readFileSync(join(ROOT, path)));
  return hash.digest("hex");
}

/** The declarations say to editors what comments and spaces say; what runs is smaller to install without them. */
function minify(path: string): void {
  writeFileSync(path, packed(readFileSync(path, "utf8"), APART.test(relative(DIST, path))));
}

/** Compilers before 5.0 cannot read constant type parameters, which mean something only to who calls such a function. */
const withoutConstant = (text: string): string => text.replace(/(?<=[<,]\s*)const (?=\w+( extends|[,>]))/g, "");

/** Blanks are a good part of what declarations weigh in the package. */
const indentedWithTabs = (text: string): string =>
  text.replace(/^( {4})+/gm, (blanks) => "\t".repeat(blanks.length / 4));

/** Of the declarations, only what programs can reach is kept. */
function prune(): void {
  const paths = globSync("**/*.d.ts", { cwd: DIST }).map((path) => join(DIST, path));
  const entries = Object.values<{ types?: string }>(MANIFEST.exports).flatMap(({ types = [] }) => types);
  const texts = reachable(
    paths,
    entries.map((entry) => join(ROOT, entry)),
  );
  for (const path of paths) rmSync(path);
  for (const [path, text] of texts) writeFileSync(path, indentedWithTabs(withoutConstant(text)));
}

/** What Node.js finds the names by that an ES module imports; it does nothing, so that minifying drops it. */
const EXPORTED = /^0 && \(module\.exports = \{[^}]*\}\);$/m;

const SOURCES = join(ROOT, "src");
const SIMULATOR = join(ROOT, "simulator");

/**
 * A module, those of its own that it loads and the libraries that are not installed with the package as one file: to find and to
 * read each takes longer than to run it, and by themselves they are larger.
 */
async function bundleOwn(entry: string, isOwn: (module: string) => boolean): Promise<void> {
  const outfile = join(DIST, relative(entry.startsWith(SOURCES) ? SOURCES : ROOT, entry).replace(/ts$/, "js"));
  const { metafile } = await bundle({
    entryPoints: [entry],
    outfile,
    allowOverwrite: true,
    format: "cjs",
    bundle: true,
    external: Object.keys(MANIFEST.dependencies),
    absWorkingDir: ROOT,
    platform: "node",
    target: TARGET,
    minifySyntax: true,
    metafile: true,
    plugins: [
      {
        name: "what others load, too, stays where it is",
        setup({ onResolve }) {
          onResolve({ filter: /^\./ }, ({ path, importer, resolveDir }) => {
            const target = resolve(resolveDir, path);
            if (importer.includes("/node_modules/") || isOwn(target)) return undefined;
            const from = relative(dirname(entry), target);
            return { path: from.startsWith(".") ? from : `./${from}`, external: true };
          });
        },
      },
    ],
  });
  const [exported = ""] = EXPORTED.exec(readFileSync(outfile, "utf8")) ?? [];
  minify(outfile);
  appendFileSync(outfile, `${exported}${notices(Object.keys(metafile.inputs))}`);
}

async function build(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  const compile = promisify(execFile);
  const projects = ["tsconfig.build.json", "simulator"].map((project) =>
    compile(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", project], { cwd: ROOT }),
  );
  try {
    await Promise.all(projects);
  } catch (error) {
    throw new Error((error as { stdout: string }).stdout);
  }
  prune();
  for (const path of globSync("**/*.js", { cwd: DIST })) minify(join(DIST, path));
  rmSync(join(DIST, "cli"), { recursive: true });
  await Promise.all([
    bundleOwn(join(SOURCES, "cli/index.ts"), (module) => module.startsWith(join(SOURCES, "cli/"))),
    bundleOwn(join(SOURCES, "plugin.ts"), (module) => module.startsWith(join(SOURCES, "plugin/"))),
    bundleOwn(join(SIMULATOR, "index.ts"), () => true),
    // What a program starts and what the command starts is the same.
    bundleOwn(join(SIMULATOR, "cli.ts"), (module) => module !== join(SIMULATOR, "index")),
  ]);
  // Tests load the other modules one by one; they are not in the package.
  rmSync(join(DIST, "plugin/messages"), { recursive: true });
}

const stamp = inputs();
const isCurrent = existsSync(STAMP) && readFileSync(STAMP, "utf8") === stamp;
if (!isCurrent || process.argv.includes("--force")) {
  await build();
  writeFileSync(STAMP, stamp);
}

// Somebody may read it meanwhile.
const templates = JSON.stringify(packedTemplates());
if (!existsSync(TEMPLATES) || readFileSync(TEMPLATES, "utf8") !== templates) writeFileSync(TEMPLATES, templates);
