import type { Forge } from "./forge";
import { github } from "./github";
import { gitlab } from "./gitlab";

/** The forges that are known, each as the environment of a job describes it. */
export const FORGES: Readonly<Record<"github" | "gitlab", (environment: NodeJS.ProcessEnv) => Forge>> = {
  github,
  gitlab,
};
