import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { ArgumentError } from "../../src/base/errors";
import { failure } from "../remote/harness";
import { BATCH, COUNT, expected, recordsOf, setUp } from "./setup";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

/** A lock as a process leaves it that is killed. */
const plantLock = (to: string, holder: { pid: number; host: string; since?: string }) =>
  writeFileSync(`${to}.partial.lock`, JSON.stringify({ id: "planted", since: "2026-03-15T10:30:00.000Z", ...holder }));

const deadPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("two downloads to one file do not run at once: the second is told who holds the file, and asks the service for nothing", async () => {
  const { download, files, requests, to, folder } = await setUp();
  const running: { first?: ReturnType<typeof download> } = {};
  await new Promise<void>((resolve) => {
    running.first = download({ format: "ndjson", batchSize: BATCH, onProgress: () => resolve() });
  });
  const before = requests.length;
  const error = await failure(download({ to: join(folder, "..", basename(folder), "data") }), ArgumentError);
  expect(error.message).toContain(`${to} is being downloaded by process ${process.pid} on ${hostname()}`);
  expect(error.message).toContain(`delete ${to}.partial.lock`);
  const others = requests.slice(before).filter(({ query }) => query.format === "json");
  expect(others).toEqual([]);
  await running.first;
  expect(recordsOf(to, "ndjson", false)).toEqual(expected("ndjson"));
  expect(files()).toEqual(["data"]);
});

test("of two downloads begun in the same moment, one wins, and its file is whole", async () => {
  const { download, files, to } = await setUp();
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => download({ overwrite: true })));
  const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason as Error] : []));
  expect(refused).toHaveLength(7);
  for (const error of refused) expect(error.message).toContain("is being downloaded");
  expect(recordsOf(to, "json", false)).toEqual(expected("json"));
  expect(files()).toEqual(["data"]);
});

test("two downloads to one file may run one after another", async () => {
  const { download, files } = await setUp();
  await download();
  await download({ overwrite: true });
  expect(files()).toEqual(["data"]);
});

test("two downloads to one file hold the file up no longer than the first lives: a dead process's lock is taken over", async () => {
  const { download, files, to } = await setUp();
  plantLock(to, { pid: deadPid(), host: hostname() });
  await download();
  expect(recordsOf(to, "json", false)).toHaveLength(COUNT);
  expect(files()).toEqual(["data"]);
});

test("two downloads to one file take a dead process's lock over one at a time", async () => {
  const { download, files, to } = await setUp();
  plantLock(to, { pid: deadPid(), host: hostname() });
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => download({ overwrite: true })));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(recordsOf(to, "json", false)).toEqual(expected("json"));
  expect(files()).toEqual(["data"]);
});

test("two downloads to one file take over what died while it took over", async () => {
  const { download, files, to } = await setUp();
  plantLock(to, { pid: deadPid(), host: hostname() });
  writeFileSync(`${to}.partial.lock.lock`, readFileSync(`${to}.partial.lock`));
  await download();
  expect(files()).toEqual(["data"]);
});

test("two downloads to one file know an earlier process that had the number of this one", async () => {
  const { download, files, to } = await setUp();
  plantLock(to, { pid: process.pid, host: hostname() });
  await download();
  expect(files()).toEqual(["data"]);
});

test.each<[string, (to: string) => void, string]>([
  [
    "this process, taken by another copy of the package",
    (to) => plantLock(to, { pid: process.pid, host: hostname(), since: new Date().toISOString() }),
    `by process ${process.pid} on ${hostname()}`,
  ],
  [
    "a process that lives",
    (to) => plantLock(to, { pid: process.ppid, host: hostname() }),
    `by process ${process.ppid} on ${hostname()} since 2026-03-15T10:30:00.000Z`,
  ],
  [
    "a process on another machine, whose life cannot be told from here",
    (to) => plantLock(to, { pid: deadPid(), host: "elsewhere" }),
    "on elsewhere since",
  ],
  ["somebody whom it does not name", (to) => writeFileSync(`${to}.partial.lock`, ""), "by another process"],
  ["a number that no process has", (to) => plantLock(to, { pid: -1, host: hostname() }), "by another process"],
])("two downloads to one file respect the lock of %s", async (_, plant, words) => {
  const { download, files, to, requests } = await setUp();
  plant(to);
  const error = await failure(download(), ArgumentError);
  expect(error.message).toContain(words);
  expect(requests).toEqual([]);
  expect(files()).toEqual(["data.partial.lock"]);
});

test("two downloads to one file leave a lock alone that somebody else has taken meanwhile", async () => {
  const { download, files, to } = await setUp();
  const onProgress = () => plantLock(to, { pid: process.ppid, host: hostname() });
  await download({ onProgress });
  expect(files()).toEqual(["data", "data.partial.lock"]);
});
