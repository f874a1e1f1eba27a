// Copies what all templates have alike from templates/shared into each of them: npm run templates
import { cpSync, globSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, matchesGlob } from "node:path";
import type { Packed, Template, TemplateSetting } from "../src/cli/templates/template.ts";
import { ROOT } from "./root.mts";

const TEMPLATES = join(ROOT, "templates");
export const SHARED = "shared";

/** The names of the templates. */
export const templateNames = (): string[] =>
  readdirSync(TEMPLATES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
    .map(({ name }) => name)
    .sort();

/** Names, and patterns of names, of what a project does not commit, and what `npm install` would add to a template. */
const LEFT_OUT = [
  ...readFileSync(join(TEMPLATES, SHARED, ".gitignore"), "utf8")
    .split("\n")
    .filter((line) => !/^(#|$)/.test(line))
    .map((line) => line.replace(/\/$/, "")),
  "package-lock.json",
];

const isLeftOut = (name: string): boolean => LEFT_OUT.some((pattern) => matchesGlob(name, pattern));

/** The text of each file of a template, or of what they share, by its path. */
export function filesOf(name: string, folder = TEMPLATES): Record<string, string> {
  const cwd = join(folder, name);
  // `**` alone leaves out what begins with a dot.
  const patterns = ["**", "**/.*", "**/.*/**"];
  const entries = globSync(patterns, { cwd, withFileTypes: true, exclude: ({ name }) => isLeftOut(name) });
  const files = new Set(
    entries
      .filter((entry) => entry.isFile() && !isLeftOut(entry.name))
      .map(({ parentPath, name }) => join(parentPath, name)),
  );
  return Object.fromEntries(
    [...files].sort().map((file) => [file.slice(cwd.length + 1).replaceAll("\\", "/"), readFileSync(file, "utf8")]),
  );
}

/** What a template's Pulumi.yaml says. */
interface Project {
  config: Record<string, { type: TemplateSetting["type"]; description: string; default?: unknown }>;
  template: { description: string };
}

// The parser that the SDK reads the same files with.
const { load } = createRequire(import.meta.resolve("@pulumi/pulumi"))("js-yaml") as { load(text: string): unknown };

/** What `pulumi-brightdata init` reads of a template. npm leaves files such as `.gitignore` out of packages, but not their text. */
export function packedTemplate(name: string): Template {
  const files = filesOf(name);
  const { config, template } = load(files["Pulumi.yaml"] ?? "") as Project;
  const settings = Object.entries(config).map(([key, { type, description, default: initial }]) => {
    return [key, { type, description, hasDefault: initial !== undefined }] as const;
  });
  return { description: template.description, config: Object.fromEntries(settings), files };
}

/** All templates, with a file that they have alike once: that is a fortieth of the package. */
export function packedTemplates(): Packed {
  const templates = templateNames().map((name) => [name, packedTemplate(name)] as const);
  const isShared = ([path, text]: [string, string]): boolean =>
    templates.every(([, { files }]) => files[path] === text);
  const own = templates.map(([name, template]) => {
    const files = Object.fromEntries(Object.entries(template.files).filter((file) => !isShared(file)));
    return [name, { ...template, files }] as const;
  });
  const shared = Object.fromEntries(Object.entries(templates[0]?.[1].files ?? {}).filter(isShared));
  return { shared, templates: Object.fromEntries(own) };
}

if (import.meta.main) {
  for (const name of templateNames()) cpSync(join(TEMPLATES, SHARED), join(TEMPLATES, name), { recursive: true });
}
