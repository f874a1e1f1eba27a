import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../base/root";

export interface TemplateSetting {
  readonly type: "string" | "integer" | "boolean" | "array" | "object";
  readonly description: string;
  readonly hasDefault: boolean;
}

/** A template as the build has packed it: npm would leave out some of its files. */
export interface Template {
  readonly description: string;
  readonly config: Readonly<Record<string, TemplateSetting>>;
  readonly files: Readonly<Record<string, string>>;
}

const FILE = join(ROOT, "dist/templates.json");

/** What the build has packed: a file that all templates have alike once. */
export interface Packed {
  readonly shared: Template["files"];
  readonly templates: Readonly<Record<string, Template>>;
}

export function readTemplates(): Readonly<Record<string, Template>> {
  const { shared, templates } = JSON.parse(readFileSync(FILE, "utf8")) as Packed;
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => {
      const files = Object.entries({ ...shared, ...template.files }).sort(([one], [other]) => (one < other ? -1 : 1));
      return [name, { ...template, files: Object.fromEntries(files) }];
    }),
  );
}
