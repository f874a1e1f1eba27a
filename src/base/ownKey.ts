import { createHmac } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder, quietly } from "./disk";

/**
 * A key that the processes of one machine's user share, and nobody else can read: what they tell each other of a secret stands for
 * it, and cannot be guessed from.
 *
 * @param fresh what becomes the key where there is none, or stands for it where none can be kept
 */
export function sharedKey(fresh: Buffer): Buffer {
  const folder = ownFolder();
  const file = join(folder, "key");
  const kept = (): Buffer | undefined => quietly(() => keyIn(file, fresh.length));
  if (kept() === undefined) quietly(() => keep(file, fresh));
  return kept() ?? fresh;
}

/** Stands for a secret: it tells nothing about that, not even by guessing. */
export const digestWith = (key: Buffer, secret: string): string =>
  secret.startsWith(MARK) ? secret : `${MARK}${createHmac("sha256", key).update(secret).digest("hex").slice(0, 16)}`;

/** No secret that a resource takes begins with it: what stands for one is told from that. */
const MARK = "•";

/** The key that is kept; `undefined` where what is kept is none. */
function keyIn(file: string, length: number): Buffer | undefined {
  const key = Buffer.from(readFileSync(file, "utf8"), "base64url");
  return key.length === length ? key : undefined;
}

/** Makes a file that is whole as soon as it has its name, and that no other process makes, too. */
function keep(file: string, key: Buffer): void {
  const partial = `${file}.${process.pid}.partial`;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(partial, key.toString("base64url"), { mode: 0o600 });
    quietly(() => linkSync(partial, file));
    // Not every system gives a file a second name, and what is there may be no key.
    if (quietly(() => keyIn(file, key.length)) === undefined) renameSync(partial, file);
  } finally {
    rmSync(partial, { force: true });
  }
}
