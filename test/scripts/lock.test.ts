import { readdir, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { withLock } from "../../scripts/lock.mts";
import { temporaryFolder } from "./fakes";

const timeoutMs = 10_000;

test("work under one lock is done one after another", async () => {
  const file = join(await temporaryFolder(), "new/folder/lock");
  let inside = 0;
  let most = 0;
  const work = () =>
    withLock(file, { timeoutMs }, async () => {
      most = Math.max(most, ++inside);
      await new Promise(setImmediate);
      inside--;
    });
  await Promise.all([work(), work(), work()]);
  expect(most).toBe(1);
});

test("the file is there while the work goes on, and not after it", async () => {
  const folder = await temporaryFolder();
  expect(await withLock(join(folder, "lock"), { timeoutMs }, () => readdir(folder))).toEqual(["lock"]);
  expect(await readdir(folder)).toEqual([]);
});

test("work that fails frees the lock", async () => {
  const folder = await temporaryFolder();
  const work = withLock(join(folder, "lock"), { timeoutMs }, () => Promise.reject(new Error("no")));
  await expect(work).rejects.toThrow("no");
  expect(await readdir(folder)).toEqual([]);
});

test("a lock that nobody keeps alive is taken over", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "lock");
  await writeFile(file, "1");
  const minuteAgo = new Date(Date.now() - 60_000);
  await utimes(file, minuteAgo, minuteAgo);
  expect(await withLock(file, { timeoutMs }, async () => (await stat(file)).mtime > minuteAgo)).toBe(true);
  expect(await readdir(folder)).toEqual([]);
});

test("waiting has an end, is told once, and leaves the other's lock", async () => {
  const folder = await temporaryFolder();
  const file = join(folder, "lock");
  await writeFile(file, "1");
  const onWait = vi.fn();
  const work = vi.fn();
  await expect(withLock(file, { timeoutMs: 1, onWait }, work)).rejects.toThrow(
    `another process has held ${file} for too long`,
  );
  expect(onWait).toHaveBeenCalledTimes(1);
  expect(work).not.toHaveBeenCalled();
  expect(await readdir(folder)).toEqual(["lock"]);
});
