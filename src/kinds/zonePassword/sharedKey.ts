import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder, quietly } from "../../base/disk";

/**
 * A key that the processes of one machine's user share, and nobody else can read: what they tell each other of a secret stands for
 * it, and cannot be guessed from.
 *
 * @param fresh what becomes the key where there is none, or stands for it where none can be kept
 */
export function sharedKey(fresh: Buffer): Buffer {
  const folder = ownFolder();
  const file = join(folder, "key");
  if (!existsSync(file)) quietly(() => keep(file, fresh.toString("base64url")));
  try {
    const kept = Buffer.from(readFileSync(file, "utf8"), "base64url");
    return kept.length === fresh.length ? kept : fresh;
  } catch {
    return fresh;
  }
}

/** Makes a file that is whole as soon as it has its name, and that no other process makes, too. */
function keep(file: string, text: string): void {
  const partial = `${file}.${process.pid}.partial`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(partial, text, { mode: 0o600 });
    quietly(() => linkSync(partial, file));
    // Not every system gives a file a second name.
    if (!existsSync(file)) renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}
