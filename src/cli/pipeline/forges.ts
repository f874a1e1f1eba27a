import type { Forge } from "./forge";
import { github } from "./github";
import { gitlab } from "./gitlab";

export const FORGES: Readonly<Record<"github" | "gitlab", (environment: NodeJS.ProcessEnv) => Forge>> = {
  github,
  gitlab,
};
