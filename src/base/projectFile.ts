import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** The file of the Pulumi project that a folder is in, or is below. */
export function projectFile(folder: string): string | undefined {
  const found = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(folder, name)).find(existsSync);
  const above = dirname(folder);
  return found ?? (above === folder ? undefined : projectFile(above));
}

/** What runs the program of the project that a folder is in. */
export function runtimeOf(folder: string): string | undefined {
  const project = projectFile(resolve(folder));
  const text = project === undefined ? "" : readFileSync(project, "utf8");
  return /\bruntime["']?:\s*(?:\{?\s*["']?name["']?:\s*)?["']?(\w+)/.exec(text)?.[1];
}

/** A text that a project's file says at its top level, be it YAML in blocks, YAML in braces or JSON. */
export function valueIn(text: string, key: string): string | undefined {
  const braced = /^(?:\s|#.*|---)*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  const lines = braced === undefined ? text : withoutNested(braced).replace(/,\s*/g, "\n").trim();
  return new RegExp(`^["']?${key}["']?\\s*:\\s*["']?([^\\s"']+)`, "m").exec(lines)?.[1];
}

function withoutNested(text: string): string {
  const fewer = text.replace(/\{[^{}]*\}/g, "");
  return fewer === text ? text : withoutNested(fewer);
}
