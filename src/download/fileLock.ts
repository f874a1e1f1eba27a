import { randomUUID } from "node:crypto";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import { codeOf } from "../base/cause";
import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import { isRunning } from "../base/running";
import { unwritable } from "./failures";
import { jsonIn } from "./jsonIn";

interface LockHolder {
  id: string;
  pid: number;
  host: string;
  /** ISO 8601. */
  since: string;
}

/** How far clocks may have been set since, in milliseconds. */
const SLACK = 1000;
/** What has the number of this process, and was locked before then, is left from a process before it. */
const BEGAN_AT = Date.now() - process.uptime() * 1000 - SLACK;

/**
 * Keeps other downloads from a file, by another file that exists as long as one process, and one task in it, has the first for
 * itself. What a process of this machine leaves when it is killed is taken over.
 *
 * @returns what gives it up
 * @throws {ArgumentError} when somebody holds it who lives, or whose life cannot be told from here, or when it cannot be written
 */
export async function lockFor(file: string): Promise<() => Promise<void>> {
  try {
    return await acquire(`${file}.partial.lock`, file);
  } catch (error) {
    throw error instanceof ArgumentError ? error : unwritable(file, error);
  }
}

async function acquire(path: string, file: string): Promise<() => Promise<void>> {
  for (;;) {
    const own: LockHolder = { id: randomUUID(), pid: process.pid, host: hostname(), since: new Date().toISOString() };
    if (writeNew(path, JSON.stringify(own))) return () => removeIf(path, ({ id }) => id === own.id);
    const found = await read(path);
    if (found === "released") continue;
    if (found === undefined || !isLeft(found)) throw busy(file, path, found);
    await clear(path, file);
  }
}

/** Removes what is left of a dead process; under a lock, because another may have done so and hold a new one by now. */
async function clear(path: string, file: string): Promise<void> {
  const release = await acquire(`${path}.lock`, file);
  try {
    await removeIf(path, isLeft);
  } finally {
    await release();
  }
}

async function removeIf(path: string, isMeant: (holder: LockHolder) => boolean): Promise<void> {
  const found = await read(path);
  if (found !== "released" && found !== undefined && isMeant(found)) await rm(path, { force: true });
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
    const value = await jsonIn(path);
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
const isLeft = ({ pid, host, since }: LockHolder): boolean =>
  host === hostname() && (pid === process.pid ? Date.parse(since) < BEGAN_AT : !isRunning(pid));

function busy(file: string, path: string, holder: LockHolder | undefined): ArgumentError {
  const who =
    holder === undefined ? "another process" : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new ArgumentError(
    `${file} is being downloaded by ${who}. Wait until that has ended, or name another file. If no such download is running, delete ${path}.`,
  );
}
