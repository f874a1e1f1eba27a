import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import type { Simulator } from "pulumi-brightdata/simulator";
import { onTestFinished } from "vitest";

/** The environment of a pull request, on the simulator. */
export async function reviewStack(simulator: Simulator, config: Record<string, unknown> = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), "review-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [workDir, state] = [join(folder, "project"), join(folder, "state")];
  await mkdir(state);
  await copyProgram(workDir);
  const envVars = {
    ...simulator.environment(),
    // On Windows, too, the CLI takes a URL with slashes alone.
    PULUMI_BACKEND_URL: `file://${state.replaceAll(sep, "/")}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  await writeFile(join(workDir, "Pulumi.pr-1.yaml"), JSON.stringify({ config }));
  return LocalWorkspace.createStack({ stackName: "pr-1", workDir }, { envVars });
}

/** The program without its stacks' files, beside which the CLI would write this one's. */
async function copyProgram(target: string): Promise<void> {
  await mkdir(target);
  for (const entry of await readdir(".", { withFileTypes: true })) {
    if (/^\.|^Pulumi\..+\.yaml$/.test(entry.name)) continue;
    if (entry.isDirectory()) await symlink(resolve(entry.name), join(target, entry.name), "junction");
    else await copyFile(entry.name, join(target, entry.name));
  }
}
