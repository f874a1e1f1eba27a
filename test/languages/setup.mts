import type { TestProject } from "vitest/node";
import { pathFor, pathForGo } from "../../scripts/languages.mts";
import { resolvePulumi } from "../../scripts/pulumi.mts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The PATH with which the CLI runs programs in each language. */
    languagePaths: { python: string; yaml: string; go: string; java: string };
  }
}

/** Makes once, for all test files, what programs in other languages need. */
export default async function setup(project: TestProject): Promise<void> {
  const cli = await resolvePulumi();
  project.provide("languagePaths", {
    python: await pathFor("python", cli),
    yaml: await pathFor("yaml", cli),
    go: pathForGo(cli),
    java: process.env.SDKS ? await pathFor("java", cli) : "",
  });
}
