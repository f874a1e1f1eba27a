// Copies what all templates have alike from templates/shared into each of them: npm run templates
import { cpSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mts";

const TEMPLATES = join(ROOT, "templates");
export const SHARED = "shared";

/** The names of the templates. */
export const templateNames = (): string[] =>
  readdirSync(TEMPLATES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
    .map(({ name }) => name);

/** The text of each file of a template, or of what they share, by its path. */
export function filesOf(name: string): Record<string, string> {
  const cwd = join(TEMPLATES, name);
  const isLeftOut = (path: string) => path.split(/[\\/]/).includes("node_modules");
  // `**` alone leaves out what begins with a dot.
  const patterns = ["**", "**/.*", "**/.*/**"];
  const entries = globSync(patterns, { cwd, withFileTypes: true, exclude: (entry) => isLeftOut(entry.name) });
  const files = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  return Object.fromEntries(
    [...files].sort().map((file) => [file.slice(cwd.length + 1).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
  );
}

if (import.meta.main) {
  for (const name of templateNames()) cpSync(join(TEMPLATES, SHARED), join(TEMPLATES, name), { recursive: true });
}
