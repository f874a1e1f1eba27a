import type { TestProject } from "vitest/node";
import { engineBox } from "../../scripts/engine-box.mts";

declare module "vitest" {
  export interface ProvidedContext {
    engineBox: string;
  }
}

/** Builds the engine once for all test files, unless it is there. */
export default async function setup(project: TestProject): Promise<void> {
  project.provide("engineBox", await engineBox());
}
