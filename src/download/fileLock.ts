import { randomUUID } from "node:crypto";
import { closeSync, constants, openSync, rmSync, writeSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { codeOf, messageOf } from "../base/cause";
import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import { isRunning } from "../base/running";

export interface LockHolder {
  id: string;
  pid: number;
  host: string;
  /** ISO 8601. */
  since: string;
}

export class FileLockedError extends Error {
  constructor(
    readonly path: string,
    /** Absent where the lock does not tell. */
    readonly holder: LockHolder | undefined,
  ) {
    super(`${path} is held by somebody else`);
  }
}

/** How far clocks may have been set since, in milliseconds. */
const SLACK = 1000;
/** What has the number of this process, and was locked before then, is left from a process before it. */
const BEGAN_AT = Date.now() - process.uptime() * 1000 - SLACK;

/**
 * A file that exists as long as one process, and one task in it, has something for itself. What a process of this machine
 * leaves when it is killed is taken over.
 */
export class FileLock {
  readonly #path: string;
  readonly #id: string;

  private constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
  }

  /** @throws {FileLockedError} when somebody holds it who lives, or whose life cannot be told from here */
  static async acquire(path: string): Promise<FileLock> {
    for (;;) {
      const lock = FileLock.#create(path);
      if (lock !== undefined) return lock;
      const found = await read(path);
      if (found === "released") continue;
      if (!isLeft(found)) throw new FileLockedError(path, found);
      await FileLock.#clear(path);
    }
  }

  async release(): Promise<void> {
    const found = await read(this.#path);
    if (found !== "released" && found?.id === this.#id) await rm(this.#path, { force: true });
  }

  static #create(path: string): FileLock | undefined {
    const holder: LockHolder = {
      id: randomUUID(),
      pid: process.pid,
      host: hostname(),
      since: new Date().toISOString(),
    };
    return writeNew(path, JSON.stringify(holder)) ? new FileLock(path, holder.id) : undefined;
  }

  /** Removes what is left of a dead process; under a lock, because another may have done so and hold a new one by now. */
  static async #clear(path: string): Promise<void> {
    const guard = await FileLock.acquire(`${path}.lock`);
    try {
      const found = await read(path);
      if (found !== "released" && isLeft(found)) await rm(path, { force: true });
    } finally {
      await guard.release();
    }
  }
}

/** Writes a file that was not there, and tells whether it did. Without a pause: nobody in this process sees half of it. */
function writeNew(path: string, text: string): boolean {
  let file: number;
  try {
    file = openSync(path, "wx");
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  }
  try {
    writeSync(file, text);
    return true;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Who holds the lock; `undefined` where the file does not tell. */
async function read(path: string): Promise<LockHolder | "released" | undefined> {
  try {
    const value: unknown = JSON.parse(
      await readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NOFOLLOW }),
    );
    return isHolder(value) ? value : undefined;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? "released" : undefined;
  }
}

const isHolder = (value: unknown): value is LockHolder =>
  isObject(value) &&
  typeof value.id === "string" &&
  Number.isSafeInteger(value.pid) &&
  Number(value.pid) > 0 &&
  typeof value.host === "string" &&
  typeof value.since === "string";

/** Whether the holder was a process of this machine and is dead. */
const isLeft = (holder: LockHolder | undefined): boolean =>
  holder !== undefined &&
  holder.host === hostname() &&
  (holder.pid === process.pid ? Date.parse(holder.since) < BEGAN_AT : !isRunning(holder.pid));

/**
 * Keeps other downloads from a file.
 *
 * @throws {ArgumentError} when somebody else downloads it, or it cannot be written
 */
export async function lockFor(file: string): Promise<FileLock> {
  try {
    return await FileLock.acquire(`${file}.partial.lock`);
  } catch (error) {
    if (error instanceof FileLockedError) throw busy(file, error);
    throw new ArgumentError(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
  }
}

function busy(file: string, { path, holder }: FileLockedError): ArgumentError {
  const who =
    holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new ArgumentError(
    `${file} is being downloaded by ${who}. Wait until that has ended, or name another file. If no such download is running, delete ${path}.`,
  );
}
