import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Setting {
  readonly type: "string" | "integer" | "boolean" | "array" | "object";
  readonly description: string;
  readonly hasDefault: boolean;
}

/** A template as the build has packed it: npm would leave out some of its files. */
export interface Template {
  readonly description: string;
  readonly config: Readonly<Record<string, Setting>>;
  readonly files: Readonly<Record<string, string>>;
}

/** The same from `dist` and from `src`. */
const FILE = join(__dirname, "../../../dist/templates.json");

export const readTemplates = (): Readonly<Record<string, Template>> =>
  JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Template>;
