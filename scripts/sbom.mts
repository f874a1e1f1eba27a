import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./process.mts";
import { ROOT } from "./root.mts";

const TIMEOUT_MS = 120_000;

type Versions = Readonly<Record<string, string>>;

/**
 * The bill of materials of a release, in CycloneDX: what npm says of the packages that are in it.
 *
 * @param packages names of packages that the repository has installed
 * @param more others, with their versions
 */
export async function sbom(packages: readonly string[], more: Versions): Promise<string> {
  const { name, version, license } = await manifestOf(ROOT);
  const installed = packages.map(async (each) => {
    const { version: found } = await manifestOf(join(ROOT, "node_modules", each));
    return [each, found];
  });
  const dependencies = Object.fromEntries(await Promise.all(installed));
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-brightdata-sbom-"));
  try {
    // npm fails at a package that is a dependency of its own workspaces. Those that are for other platforms are optional.
    const manifest = { name, version, license, dependencies, optionalDependencies: more };
    await writeFile(join(scratch, "package.json"), JSON.stringify(manifest));
    await npm(scratch, "install", "--package-lock-only", "--no-audit", "--no-fund");
    return await npm(scratch, "sbom", "--package-lock-only", "--sbom-format=cyclonedx", "--sbom-type=application");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const manifestOf = async (folder: string): Promise<Record<"name" | "version" | "license", string>> =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8"));

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run("npm", args, { cwd, timeoutMs: TIMEOUT_MS });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} has failed:\n${stderr}`);
  return stdout;
}
