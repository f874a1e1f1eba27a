import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The file of the Pulumi project that a folder is in, or is below. */
export function projectFile(folder: string): string | undefined {
  const found = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name)).find(existsSync);
  const above = dirname(folder);
  return found ?? (above === folder ? undefined : projectFile(above));
}
