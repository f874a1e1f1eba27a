import type { TestProject } from "vitest/node";
import { findPulumi, type PulumiCli, resolvePulumi } from "../../scripts/pulumi-cli.mts";

declare module "vitest" {
  export interface ProvidedContext {
    pulumi: PulumiCli | undefined;
  }
}

/** Finds the CLI once for all test files. Where one is required it is installed, and its absence is an error. */
export default async function setup(project: TestProject): Promise<void> {
  const cli = process.env.REQUIRE_PULUMI ? await resolvePulumi({ allowInstall: true }) : await findPulumi();
  if (cli === undefined) {
    console.warn(
      "The tests that need a Pulumi CLI are skipped: there is none. `npm run test:engine` gets one and runs them.",
    );
  }
  project.provide("pulumi", cli);
}
