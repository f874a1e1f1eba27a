import { renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** Where the CLI has its files. */
export const pulumiHome = (): string => process.env.PULUMI_HOME || join(homedir(), ".pulumi");

/** The package's own folder, beside the files of the CLI. */
export const ownFolder = (...within: string[]): string => join(pulumiHome(), "brightdata", ...within);

/** Writes a file; a reader finds the old one or the new one, and nothing between. */
export function replaceFile(file: string, text: string, mode?: number): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text, { flag: "wx", ...(mode !== undefined && { mode }) });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
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
