import { rename } from "node:fs/promises";
import { codeOf } from "../base/cause";
import { pause } from "../http/pause";

/** What Windows says of a file that another program has open. */
const HELD: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
const TRIES = 10;
const PAUSE_MS = 100;

/** Gives a file another name; on Windows, a scanner may have one open for a moment that was just written. */
export async function renamed(from: string, to: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (process.platform !== "win32" || tries === TRIES || !HELD.has(codeOf(error))) throw error;
      await pause(tries * PAUSE_MS);
    }
  }
}
