import { randomUUID } from "node:crypto";
import { mkdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 250;
const BEAT_MS = 5_000;
const STALE_MS = 6 * BEAT_MS;

export interface LockOptions {
  /** How long to wait for the others. */
  timeoutMs: number;
  /** Called once, when there is somebody to wait for. */
  onWait?: () => void;
}

/**
 * Does `work` while no other process does work under the same lock file. The owner touches the file as long as it lives,
 * and a file that nobody touches is taken over: a process id would tell nothing across containers, and in a container
 * whose first process does not reap, a dead owner looks alive. Two waiters may take over at the same instant, so this
 * saves double work and does not replace atomic writes.
 */
export async function withLock<T>(file: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + options.timeoutMs;
  await mkdir(dirname(file), { recursive: true });
  for (let attempt = 0; !(await acquire(file)); attempt++) {
    if (await isStale(file)) {
      await discard(file);
      continue;
    }
    if (attempt === 0) options.onWait?.();
    if (Date.now() > deadline) throw new Error(`another process has held ${file} for too long`);
    await delay(POLL_MS);
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isStale(file: string): Promise<boolean> {
  const entry = await stat(file).catch(ignoreAbsence);
  return entry !== undefined && Date.now() - entry.mtimeMs > STALE_MS;
}

async function discard(file: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  await rename(file, aside).catch(ignoreAbsence);
  await rm(aside, { force: true });
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
