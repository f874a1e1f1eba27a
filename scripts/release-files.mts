// Makes all files of a release in the folder `release`, from a build: npm run release:pack
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeExecutables } from "./executables/index.mts";
import { NODE_PACKAGES, PLATFORMS, type Platform } from "./executables/node.mts";
import { install } from "./installed.mts";
import { pack } from "./pack.mts";
import { ROOT } from "./root.mts";
import { sbom } from "./sbom.mts";
import { writeSdk } from "./sdk.mts";

interface Contents {
  platforms: readonly Platform[];
  /** Whether the SDK for Python is among them, whose generator has to be built with Go. */
  python: boolean;
}

/** Makes the files in a folder, which is emptied first. */
export async function makeRelease(
  folder: string,
  { platforms, python }: Contents = { platforms: PLATFORMS, python: true },
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await pack(folder);
  await copyFile(join(ROOT, "schema.json"), join(folder, "schema.json"));
  if (python) await makeWheel(folder);
  const packages = await makeExecutables(folder, platforms);
  await writeFile(join(folder, "sbom.cdx.json"), await sbom(packages, NODE_PACKAGES));
  await writeFile(join(folder, "SHA256SUMS"), await sumsOf(folder));
}

async function makeWheel(folder: string): Promise<void> {
  const sdk = await mkdtemp(join(tmpdir(), "pulumi-brightdata-wheel-"));
  try {
    await writeSdk("python", sdk);
    await install("python3", ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, sdk], {});
  } finally {
    await rm(sdk, { recursive: true, force: true });
  }
}

/** What `sha256sum --check` reads. */
async function sumsOf(folder: string): Promise<string> {
  const lines = (await readdir(folder)).sort().map(async (name) => {
    const sum = createHash("sha256")
      .update(await readFile(join(folder, name)))
      .digest("hex");
    return `${sum}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}

if (import.meta.main) await makeRelease(join(ROOT, "release"));
