// The plugin as one executable for each platform, for programs without Node.js: an archive that
// `pulumi plugin install resource brightdata VERSION --file` takes.
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { install } from "../installed.mts";
import { notices } from "../notices.mts";
import { ROOT } from "../root.mts";
import { bundle, packagesOf } from "./bundle.mts";
import { licenceOfNode, nodeFor, ownPlatform, type Platform } from "./node.mts";
import { signed } from "./sign.mts";

const NAME = "pulumi-resource-brightdata";
const PROGRAM = "program.cjs";
const CONFIG = "sea.json";

/** As `plugin install` of the command line starts Node.js. */
export const SMALL_HEAP = "--max-semi-space-size=4";

/** Makes archives in a folder. Returns the names of the npm packages that are inside, besides Node.js. */
export async function makeExecutables(folder: string, platforms: readonly Platform[]): Promise<string[]> {
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")) as { version: string };
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-brightdata-executables-"));
  try {
    const files = await bundle(join(scratch, PROGRAM), version);
    const licences = await licencesOf(files);
    for (const platform of platforms) {
      const content = join(scratch, platform);
      await mkdir(content);
      await makeExecutable(scratch, content, platform);
      await copyFile(join(ROOT, "LICENSE"), join(content, "LICENSE"));
      await writeFile(join(content, "THIRD-PARTY-LICENSES"), licences);
      await archive(content, join(folder, `${NAME}-v${version}-${platform}.tar.gz`));
      await rm(content, { recursive: true });
    }
    return packagesOf(files);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function makeExecutable(scratch: string, folder: string, platform: Platform): Promise<void> {
  const output = join(folder, platform.startsWith("windows") ? `${NAME}.exe` : NAME);
  const settings = {
    // Its path is kept in the executable.
    main: PROGRAM,
    output,
    executable: await nodeFor(platform),
    execArgv: [SMALL_HEAP],
    disableExperimentalSEAWarning: true,
    assets: { "schema.json": join(ROOT, "schema.json") },
  };
  await writeFile(join(scratch, CONFIG), JSON.stringify(settings));
  await install(await nodeFor(ownPlatform()), ["--build-sea", CONFIG], { cwd: scratch });
  if (platform.startsWith("darwin")) await writeFile(output, signed(await readFile(output), NAME));
  await chmod(output, 0o755);
}

/** The licences of Node.js and of the dependencies that are inside. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    packagesOf(files).map(async (name) => {
      const text = await readFile(join(ROOT, "node_modules", name, "LICENSE"), "utf8").catch(() => notices(files));
      return `${name}\n\n${text.trim()}\n`;
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
