import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const NAMES = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** The file of the Pulumi project that a folder is the root of. */
export const projectFileIn = (folder: string): string | undefined =>
  NAMES.map((name) => join(folder, name)).find((file) => existsSync(file));

/** The file of the Pulumi project that a folder is in, or is below. */
export function projectFile(folder: string): string | undefined {
  const above = dirname(folder);
  return projectFileIn(folder) ?? (above === folder ? undefined : projectFile(above));
}

/** What a project's file says: a BOM leads it in some editors, and it is in UTF-16 where Windows PowerShell has written it. */
export function projectText(file: string): string {
  const bytes = readFileSync(file);
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8").decode(bytes);
}

/** What runs the program of the project that a folder is in. */
export function runtimeOf(folder: string): string | undefined {
  const project = projectFile(resolve(folder));
  const text = project === undefined ? "" : projectText(project);
  return valueWithin(partOf(text, "runtime"), "name") ?? valueIn(text, "runtime");
}

/** Whether it runs programs in TypeScript, or in JavaScript. */
export const runsTypeScript = (runtime: string): boolean => ["nodejs", "bun"].includes(runtime);

/** What runs the program of the project that a folder is in, where that is in another language. */
export function otherRuntimeOf(folder: string): string | undefined {
  const runtime = runtimeOf(folder);
  return runtime === undefined || runsTypeScript(runtime) ? undefined : runtime;
}

/** A text that a project's file says at its top level, be it YAML in blocks, YAML in braces or JSON. */
export function valueIn(text: string, key: string): string | undefined {
  const braced = /^(?:\s|#.*|---)*\{([\s\S]*)\}\s*$/.exec(text)?.[1];
  const lines = braced === undefined ? text : withoutNested(braced).replace(/,\s*/g, "\n").trim();
  const said = `"([^"\\n]*)"|'([^'\\n]*)'|([^\\s#].*?)`;
  const found = new RegExp(`^["']?${key}["']?\\s*:[ \\t]*(?:${said})\\s*(?:\\s#.*)?$`, "m").exec(lines);
  return found?.slice(1).find(Boolean);
}

function withoutNested(text: string): string {
  const fewer = text.replace(/\{[^{}]*\}/g, "");
  return fewer === text ? text : withoutNested(fewer);
}

/** Names of the providers whose folders a project's file gives, as `plugins.providers`. */
export function providersIn(text: string): string[] {
  const providers = partOf(partOf(text.replace(/(^|\s)#.*$/gm, "$1"), "plugins"), "providers");
  return [...providers.matchAll(/(?:^|[{,-])\s*["']?name["']?\s*:\s*["']?([^\s"',}]+)/gm)].map(([, name = ""]) => name);
}

/** The type that a project's file declares for a setting, by its key with or without the project's name. */
export function declaredTypeIn(text: string, key: string): string | undefined {
  const project = valueIn(text, "name") ?? "";
  const bare = key.startsWith(`${project}:`) ? key.slice(project.length + 1) : key;
  return valueWithin(partOf(partOf(text, "config"), `(?:${project}:)?${bare.replace(/\W/g, ".")}`), "type");
}

/** A text that a part of a project's file says, wherever it is indented to. */
function valueWithin(part: string, key: string): string | undefined {
  const [indent = ""] = /^[ \t]*/.exec(part) ?? [];
  return valueIn(part.replaceAll(new RegExp(`^${indent}`, "gm"), ""), key);
}

/** What stands under a key, with brackets around it or indented. */
function partOf(text: string, key: string): string {
  const found = new RegExp(`(?:^|[{,])([ \\t]*)["']?${key}["']?\\s*:[ \\t]*`, "m").exec(text);
  if (found === null) return "";
  const rest = text.slice(found.index + found[0].length);
  if (/^\s*[{[]/.test(rest)) return bracketed(rest);
  const [, indent = ""] = found;
  const lines = rest.split("\n").slice(1);
  const end = lines.findIndex((line) => !(/^\s*$/.test(line) || new RegExp(`^${indent}(?:\\s|-)`).test(line)));
  return (end === -1 ? lines : lines.slice(0, end)).join("\n");
}

function bracketed(text: string): string {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[[\]{}]/g)) {
    depth += "[{".includes(bracket) ? 1 : -1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return text;
}
