import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalWorkspace, type Stack } from "@pulumi/pulumi/automation/index.js";
import type { Simulator } from "pulumi-brightdata/simulator";
import { onTestFinished } from "vitest";

/** The environment of a pull request, on the simulator. */
export async function reviewStack(simulator: Simulator, config: Record<string, unknown> = {}): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), "state-"));
  const envVars = {
    ...simulator.environment(),
    PULUMI_BACKEND_URL: `file://${folder}`,
    PULUMI_CONFIG_PASSPHRASE: "test",
  };
  await writeFile("Pulumi.pr-1.yaml", JSON.stringify({ config }));
  const stack = await LocalWorkspace.createStack({ stackName: "pr-1", workDir: "." }, { envVars });
  onTestFinished(async () => {
    await rm("Pulumi.pr-1.yaml");
    await rm(folder, { recursive: true });
  });
  return stack;
}
