import type { TestProject } from "vitest/node";
import { type PulumiCli, resolvePulumi } from "../../scripts/pulumi.mts";
import { type Keys, startVault } from "./vault.mts";

declare module "vitest" {
  export interface ProvidedContext {
    pulumi: PulumiCli;
    keys: Keys;
  }
}

/** Finds the CLI once for all test files, and installs one where there is none. */
export default async function setup(project: TestProject): Promise<() => void> {
  const cli = await resolvePulumi();
  console.log(`Pulumi ${cli.version} from ${cli.source}: ${cli.bin}`);
  project.provide("pulumi", cli);
  const { close, ...keys } = await startVault();
  project.provide("keys", keys);
  return close;
}
