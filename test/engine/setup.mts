import type { TestProject } from "vitest/node";
import { type PulumiCli, resolvePulumi } from "../../scripts/pulumi.mts";

declare module "vitest" {
  export interface ProvidedContext {
    pulumi: PulumiCli;
  }
}

/** Finds the CLI once for all test files, and installs one where there is none. */
export default async function setup(project: TestProject): Promise<void> {
  const cli = await resolvePulumi();
  console.log(`Pulumi ${cli.version} from ${cli.source}: ${cli.bin}`);
  project.provide("pulumi", cli);
}
