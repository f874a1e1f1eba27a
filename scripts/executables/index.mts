// The plugin as one executable for each platform, for programs without Node.js: an archive that
// `pulumi plugin install resource brightdata VERSION --file` takes.
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { install } from "../installed.mts";
import { notices } from "../notices.mts";
import { ROOT } from "../root.mts";
import { bundle } from "./bundle.mts";
import { licenceOfNode, nodeFor, ownPlatform, type Platform } from "./node.mts";
import { signed } from "./sign.mts";

const NAME = "pulumi-resource-brightdata";

/** As `plugin install` of the command line starts Node.js. */
const SMALL_HEAP = "--max-semi-space-size=4";

/** Makes archives in a folder, and returns their paths. */
export async function makeExecutables(folder: string, platforms: readonly Platform[]): Promise<string[]> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-brightdata-executables-"));
  try {
    const program = join(scratch, "program.cjs");
    const licences = await licencesOf(await bundle(program, version));
    const archives: string[] = [];
    for (const platform of platforms) {
      const content = join(scratch, platform);
      await mkdir(content);
      await makeExecutable(program, content, platform);
      await copyFile(join(ROOT, "LICENSE"), join(content, "LICENSE"));
      await writeFile(join(content, "THIRD-PARTY-LICENSES"), licences);
      archives.push(join(folder, `${NAME}-v${version}-${platform}.tar.gz`));
      await archive(content, archives.at(-1) as string);
      await rm(content, { recursive: true });
    }
    return archives;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeExecutable(program: string, folder: string, platform: Platform): Promise<void> {
  const output = join(folder, platform.startsWith("windows") ? `${NAME}.exe` : NAME);
  const config = join(dirname(program), "sea.json");
  const settings = {
    main: program,
    output,
    executable: await nodeFor(platform),
    execArgv: [SMALL_HEAP],
    assets: { "schema.json": join(ROOT, "schema.json") },
  };
  await writeFile(config, JSON.stringify(settings));
  await install(await nodeFor(ownPlatform()), ["--build-sea", config], {});
  if (platform.startsWith("darwin")) await writeFile(output, signed(await readFile(output), NAME));
  await chmod(output, 0o755);
}

/** The licences of Node.js and of all dependencies that files belong to. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const packages = new Set(files.flatMap((file) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []));
  const texts = await Promise.all(
    [...packages].sort().map(async (folder) => {
      const text = await readFile(join(ROOT, folder, "LICENSE"), "utf8").catch(() => notices(files));
      return `${folder.replace("node_modules/", "")}\n\n${text.trim()}\n`;
    }),
  );
  return [...texts, `Node.js\n\n${await licenceOfNode()}`].join(`\n${"-".repeat(80)}\n\n`);
}

/** The same bytes for the same content: neither times nor owners are in it. */
const archive = (content: string, file: string): Promise<void> =>
  install(
    "tar",
    [...["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0"], "-C", content, "-czf", file, "."],
    {},
  );
