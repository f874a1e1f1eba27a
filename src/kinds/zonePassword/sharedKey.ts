import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownFolder } from "../../base/disk";

/**
 * A key that the processes of one machine's user share, and nobody else can read: what they tell each other of a secret stands for
 * it, and cannot be guessed from.
 *
 * @param fresh what becomes the key where there is none, or stands for it where none can be kept
 */
export function sharedKey(fresh: Buffer): Buffer {
  const folder = ownFolder();
  const file = join(folder, "key");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(file, fresh.toString("base64url"), { flag: "wx", mode: 0o600 });
    return fresh;
  } catch {
    // It is there already, or cannot be.
  }
  try {
    const kept = Buffer.from(readFileSync(file, "utf8"), "base64url");
    return kept.length === fresh.length ? kept : fresh;
  } catch {
    return fresh;
  }
}
