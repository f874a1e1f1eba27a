import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { run } from "../../scripts/process.mts";
import { PROGRAM, ROOT } from "./harness";

const INSTALL_MS = 300_000;

/** What the package needs besides the SDK. */
const DEPENDENCIES = ["ipaddr.js", "undici", "zod"].map((name) => join("node_modules", name));

/** The program that declares what it is told, in a folder of its own with another version of the SDK. */
export async function programWith(sdk: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-brightdata-sdk-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await cp(PROGRAM, folder, { recursive: true });
  const options = ["--no-save", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  const { status, stderr } = await run("npm", ["install", ...options, `@pulumi/pulumi@${sdk}`], {
    cwd: folder,
    timeoutMs: INSTALL_MS,
  });
  if (status !== 0) throw new Error(`The SDK ${sdk} cannot be installed: ${stderr}`);
  // A link would have the package find the SDK of the repository.
  const installed = join(folder, "node_modules/pulumi-brightdata");
  await mkdir(join(installed, "node_modules"), { recursive: true });
  for (const part of ["package.json", "dist"]) await cp(join(ROOT, part), join(installed, part), { recursive: true });
  for (const each of DEPENDENCIES) await symlink(join(ROOT, each), join(installed, each));
  return folder;
}
