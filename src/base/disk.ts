import { lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { messageOf } from "./cause";

/** The package's own folder, by an absolute path: of a relative home, other processes may have another idea. */
export const ownFolder = (...within: string[]): string =>
  resolve(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", ...within);

/** Where the CLI has its files: in the home that the system has for the user, which may be another one than HOME. */
export const cliHome = (): string =>
  process.env.PULUMI_HOME || join(quietly(() => userInfo().homedir) || homedir(), ".pulumi");

export const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Whether a file can stand there: a pipe, a device or a link is not to be read as one, nor replaced. */
export const isPlainOrFree = (file: string): boolean => lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;

/** Writes a file; a reader finds the old one or the new one, and nothing between. */
export function replaceFile(file: string, text: string, mode?: number): void {
  if (!isPlainOrFree(file)) throw new Error("it is no plain file");
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text, { flag: "wx", ...(mode !== undefined && { mode }) });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Writes files that are not there yet, with the folders that they need; where one cannot be written, none of it is left. */
export function writeNew(folder: string, files: ReadonlyMap<string, string>): void {
  const made: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(folder, path);
      const madeFolder = mkdirSync(dirname(file), { recursive: true });
      if (madeFolder !== undefined) made.push(madeFolder);
      writeFileSync(file, "", { flag: "wx" });
      made.push(file);
      writeFileSync(file, text);
    }
  } catch (error) {
    for (const each of made) rmSync(each, { recursive: true, force: true });
    throw new Error(`${messageOf(error)}. Nothing was written.`, { cause: error });
  }
}

/** For what may fail without a word. */
export function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
