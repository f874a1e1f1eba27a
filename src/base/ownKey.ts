import { createHash, createHmac, randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ownFolder, quietly } from "./disk";
import { ofProcess } from "./memory";

/**
 * A key that the processes of one machine's user share, and nobody else can read: what they tell each other of a secret stands for
 * it, and cannot be guessed from.
 *
 * @param fresh what becomes the key where there is none, or stands for it where none can be kept
 */
export function sharedKey(fresh: Buffer): Buffer {
  const file = join(ownFolder(), KEY_FILE);
  const kept = (): Buffer | undefined => quietly(() => keyIn(file, fresh.length));
  if (kept() === undefined) quietly(() => keep(file, fresh));
  return kept() ?? fresh;
}

export const KEY_FILE = "key";

/** The one that this process goes by: where none can be kept, no other has it. */
export const ownKey = (): Buffer => ofProcess(keyOfProcess);

const keyOfProcess = () => sharedKey(randomBytes(KEY_BYTES));

const KEY_BYTES = 32;

/** Stands for a secret: it tells nothing about that, not even by guessing. */
export const digestWith = (key: Buffer, secret: string): string =>
  secret.startsWith(MARK)
    ? secret
    : `${MARK}${nameOf(key)}.${createHmac("sha256", key).update(secret).digest("hex").slice(0, 16)}`;

/** No secret that a resource takes begins with it: what stands for one is told from that. */
const MARK = "•";

const nameOf = (key: Buffer): string => createHash("sha256").update(key).digest("hex").slice(0, 8);

const nameIn = (digest: string): string | undefined => /^•(\w+)\./.exec(digest)?.[1];

/** Whether something stands for a secret by another key than this process has. */
export const isForeign = (value: unknown): value is string =>
  typeof value === "string" && value.startsWith(MARK) && nameIn(value) !== nameOf(ownKey());

/** The key by which something stands for a secret, as far as one of these files has it. */
export function keyOf(digest: string, files: readonly string[]): Buffer | undefined {
  const keys = files.map((file) => quietly(() => keyIn(file, KEY_BYTES)));
  return keys.find((key) => key !== undefined && nameOf(key) === nameIn(digest));
}

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
