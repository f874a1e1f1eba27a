// Packs what is published on npm, from a build.
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withoutExamples } from "./generate/example.mts";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const PACK_TIMEOUT_MS = 120_000;

export interface Package {
  /** The tarball's path. */
  tarball: string;
  /** What is in it. */
  files: string[];
}

export interface Manifest {
  version: string;
  files: string[];
  [field: string]: unknown;
}

/** A manifest without what is of use in a clone only: above all its scripts. */
export function publishedManifest(
  manifest: Manifest,
  { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv,
): Manifest {
  const { scripts, devDependencies, workspaces, allowScripts, pulumi, ...published } = manifest;
  if (!GITHUB_REPOSITORY) return published;
  // Provenance is refused unless the manifest names the repository that the package is built in.
  return { ...published, repository: { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` } };
}

const CODE_OR_LINK = /```[\s\S]*?```|`[^`\n]*`|\]\((?<target>[^\s:#)]+)(?<heading>#[^\s)]*)?\)/g;

/** A page in which what the package lacks is linked to in the repository, as of its release. */
export function publishedPage(
  page: string,
  { version, files }: Pick<Manifest, "version" | "files">,
  { GITHUB_SERVER_URL, GITHUB_REPOSITORY }: NodeJS.ProcessEnv,
): string {
  if (!GITHUB_REPOSITORY) return page;
  return page.replace(CODE_OR_LINK, (found, target?: string, heading = "") => {
    if (target === undefined || files.includes(target)) return found;
    const view = /\.(?:svg|png)$/.test(target) ? "raw" : "blob";
    return `](${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/${view}/v${version}/${target}${heading})`;
  });
}

/** Packs into a folder. The clone is not touched: the published manifest is written into a copy. */
export async function pack(folder: string): Promise<Package> {
  const copy = await mkdtemp(join(tmpdir(), "pulumi-brightdata-pack-"));
  try {
    const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as Manifest;
    // What begins with "!" is left out by npm.
    const files = manifest.files.filter((path) => !path.startsWith("!"));
    await Promise.all(files.map((path) => cp(join(ROOT, path), join(copy, path), { recursive: true })));
    const published = publishedManifest(manifest, process.env);
    await writeFile(join(copy, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    const schema = await readFile(join(ROOT, "schema.json"), "utf8");
    await writeFile(join(copy, "schema.json"), JSON.stringify(JSON.parse(withoutExamples(schema))));
    for (const file of files.filter((path) => path.endsWith(".md"))) {
      const page = await readFile(join(ROOT, file), "utf8");
      await writeFile(join(copy, file), publishedPage(page, manifest, process.env));
    }
    const args = ["pack", "--json", "--pack-destination", folder];
    const { status, stdout, stderr } = await run("npm", args, { cwd: copy, timeoutMs: PACK_TIMEOUT_MS });
    if (status !== 0) throw new Error(`npm pack failed:\n${stderr.trim()}`);
    const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}
