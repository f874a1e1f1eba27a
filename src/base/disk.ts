import { homedir } from "node:os";
import { join } from "node:path";

/** The package's own folder, beside the files of the CLI. */
export const ownFolder = (...within: string[]): string =>
  join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", ...within);

/** For what may fail without a word. */
export function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
