import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { isFolder, quietly } from "../../base/disk";
import { type JsonObject, objectOf } from "../../base/json";
import { projectFile, projectText, valueIn } from "../../base/projectFile";

/** Where a program begins. */
export interface Entry {
  /** Path of the file that Pulumi runs, which may not be there yet. */
  readonly file: string;
  readonly isThere: boolean;
}

const EXTENSIONS = [".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"];

/** The program of the project that a folder is in; without a project, that of the folder. */
export function entryOf(folder: string): Entry {
  const project = projectFile(resolve(folder));
  const root = project === undefined ? resolve(folder) : dirname(project);
  const named = project === undefined ? undefined : valueIn(projectText(project), "main");
  const main = named === undefined ? root : resolve(root, named);
  const { main: told } = isFolder(main) ? manifestIn(main) : {};
  const inFolder = typeof told === "string" && told !== "" ? told : "index";
  const wanted = named === undefined || isFolder(main) ? resolve(main, inFolder) : main;
  // Where package.json names a file that is not there, as `npm init` has it, Pulumi runs that of the folder.
  const ofFolder = join(main, "index");
  const found = [wanted, join(wanted, "index"), ofFolder].map(sourceAt).find((file) => file !== undefined);
  if (found !== undefined) return { file: found, isThere: true };
  const first = wanted === `${ofFolder}.js` ? ofFolder : wanted;
  return { file: /\.\w+$/.test(first) ? first : `${first}.ts`, isThere: false };
}

const sourceAt = (path: string): string | undefined =>
  ["", ...EXTENSIONS].map((extension) => `${path}${extension}`).find((file) => existsSync(file) && !isFolder(file));

function manifestIn(folder: string): JsonObject {
  const file = join(folder, "package.json");
  const manifest: unknown = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return objectOf(manifest);
}

/** The line with which a file of a program imports another one. */
export function importLine(from: string, file: string): string {
  const path = relative(dirname(from), file).replaceAll("\\", "/").replace(/\.ts$/, "");
  const specifier = path.startsWith(".") ? path : `./${path}`;
  const suffix = suffixIn(from);
  return suffix === "" && /\.c?js$/.test(from) ? `require("${specifier}");` : `import "${specifier}${suffix}";`;
}

/**
 * What ends the name of a TypeScript file where another one imports it. ES modules name files with their extensions: by ts-node,
 * which Pulumi takes where it is there, with those of what they compile to, and by Node.js alone with their own.
 */
export function suffixIn(file: string): string {
  if (!isModule(file)) return "";
  const tsNode = quietly(() => createRequire(file).resolve("ts-node/esm"));
  return tsNode === undefined ? ".ts" : ".js";
}

/** Whether Node.js takes a file for an ES module. */
function isModule(file: string): boolean {
  if (/\.m[jt]s$/.test(file)) return true;
  if (/\.c[jt]s$/.test(file)) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return manifestIn(folder).type === "module";
    if (dirname(folder) === folder) return false;
  }
}

/** What stands before a program's first statement that is no import: comments, blank lines, imports. */
const HEAD =
  /^(?:#!.*\n)?(?:\s*(?:\/\/.*|\/\*[\s\S]*?\*\/|import\s[^;"']*["'][^"'\n]*["'];?|import\s*["'][^"'\n]*["'];?)[^\S\n]*(?:\/\/.*)?(?:\n|$))*/;

const IMPORT = /^import\b[^;"']*["'][^"'\n]*["'];?.*$/gm;

/** The text of a file with one more import, after those that it begins with. */
export function withImport(text: string, line: string): string {
  const head = HEAD.exec(text)?.[0] ?? "";
  const last = [...head.matchAll(IMPORT)].at(-1);
  const first = /^#!.*\n?/.exec(text)?.[0].length ?? 0;
  const at = last === undefined ? first : last.index + last[0].length + 1;
  const before = text.slice(0, at);
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${line}\n${text.slice(at)}`;
}

/** Whether a program imports a file, in however many steps. @param texts what files would have by then */
export function reaches(entry: string, file: string, texts: ReadonlyMap<string, string> = new Map()): boolean {
  const seen = new Set<string>();
  const visit = (path: string): boolean => {
    if (path === withoutExtension(resolve(file))) return true;
    if (seen.has(path)) return false;
    seen.add(path);
    const source = [path, join(path, "index")].map(sourceAt).find((found) => found !== undefined);
    if (source === undefined) return false;
    const text = texts.get(source) ?? readFileSync(source, "utf8");
    return specifiersIn(text).some((specifier) => visit(withoutExtension(resolve(dirname(source), specifier))));
  };
  return visit(withoutExtension(resolve(entry)));
}

const withoutExtension = (path: string): string => path.replace(/\.[cm]?[jt]s$/, "");

/** The relative paths that a file imports, comments aside. */
function specifiersIn(text: string): string[] {
  const code = text.replace(/^\s*\/\/.*$/gm, "").replace(/\/\*[\s\S]*?\*\//g, "");
  const found = code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'](\.[^"'\n]*)["']/g);
  return [...found].flatMap(([, specifier]) => (specifier === undefined ? [] : [specifier]));
}
