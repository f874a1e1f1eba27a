import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { installPolicyPack, pathForPolicies } from "../../scripts/policy-pack.mts";
import { resolvePulumi } from "../../scripts/pulumi.mts";

declare module "vitest" {
  export interface ProvidedContext {
    /** Folder in which the policy pack is installed. */
    policyPack: string;
    /** The PATH with which the CLI runs it. */
    policyPath: string;
  }
}

/** Installs the policy pack as its users do, once for all test files. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-brightdata-policy-"));
  const remove = () => rm(folder, { recursive: true });
  try {
    project.provide("policyPack", await installPolicyPack(folder));
    project.provide("policyPath", await pathForPolicies(await resolvePulumi(), folder));
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}
