import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { ArgumentError } from "../../base/errors";
import { type Entry, entryOf, importLine, reaches, withImport } from "./entry";

/** Where an import is written to, so that the program has it before the state does. */
export interface Target {
  /** The first file that is written. */
  readonly mainFile: string;
  /** The file of the program that is to import it; absent where it is the program. */
  readonly importedBy?: { readonly file: string; readonly line: string; readonly text: string };
}

/** What is imported beside a program that is there. */
const BESIDE = "imported";

/** What begins the names of all files but the first. */
export const prefixOf = (mainFile: string): string =>
  mainFile.startsWith(BESIDE) ? `${mainFile.replace(/\.ts$/, "")}-` : "";

/**
 * @param asked.hasStacks whether what stacks hold is known, so that it is not imported again
 * @param asked.isEmpty whether they hold nothing
 * @throws {ArgumentError} where the program would not have what is imported: the next update would delete that
 */
export function targetIn(folder: string, asked: { hasStacks: boolean; isEmpty: boolean; isForced: boolean }): Target {
  const entry = entryOf(folder);
  if (!entry.isThere) return { mainFile: firstFile(folder, entry, asked.isEmpty) };
  if (asked.hasStacks) return beside(folder, entry);
  if (asked.isForced && entry.file === resolve(folder, "index.ts")) return { mainFile: "index.ts" };
  throw new ArgumentError(
    `${shown(entry.file)} is a program already. Nothing was written. With --stack <name>, what that stack does not hold is written beside it, and imported there; otherwise choose a folder of another project with --output.`,
  );
}

const shown = (file: string): string => relative(".", file) || file;

function firstFile(folder: string, { file }: Entry, isEmpty: boolean): string {
  if (!isEmpty)
    throw new ArgumentError(
      `There is no program in ${folder}, and \`pulumi up\` would delete what none declares. Nothing was written. Run the command in the program's folder, or name that with --output.`,
    );
  if (dirname(file) === resolve(folder) && file.endsWith(".ts")) return basename(file);
  throw new ArgumentError(
    `The project's program is to be ${shown(file)}. Nothing was written. ${file.endsWith(".ts") ? `Say --output ${shown(dirname(file))}.` : "Change `main` in Pulumi.yaml or package.json to a file that ends with .ts."}`,
  );
}

function beside(folder: string, entry: Entry): Target {
  let mainFile = `${BESIDE}.ts`;
  for (let number = 2; existsSync(join(folder, mainFile)); number++) mainFile = `${BESIDE}-${number}.ts`;
  const file = join(folder, mainFile);
  const line = importLine(entry.file, resolve(file));
  const text = readFileSync(entry.file, "utf8");
  if (reaches(entry.file, file)) return { mainFile, importedBy: { file: entry.file, line, text } };
  const changed = withImport(text, line);
  if (/\.[cm]?ts$/.test(entry.file) && reaches(entry.file, file, new Map([[entry.file, changed]])))
    return { mainFile, importedBy: { file: entry.file, line, text: changed } };
  throw new ArgumentError(
    `The program does not import ${mainFile}, and would lose what is imported there. Nothing was written. Add \`${line}\` to ${shown(entry.file)}, and run the command again.`,
  );
}
