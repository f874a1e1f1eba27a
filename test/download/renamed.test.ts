import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { DownloadJournal } from "../../src/download/journal";
import { PartFile } from "../../src/download/partFile";

vi.mock("../../src/http/pause", () => import("../lifecycle/instantPause.ts"));
vi.mock("node:fs/promises", async (actual) => {
  const all = await actual<typeof import("node:fs/promises")>();
  return { ...all, rename: vi.fn(all.rename) };
});

const renaming = vi.mocked(rename);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "renamed-"));
  return () => rmSync(folder, { recursive: true });
});

/** A system on which others have what was written open for so many tries. */
function held(platform: string, code: string, tries: number): void {
  const own = process.platform;
  Object.defineProperty(process, "platform", { value: platform });
  onTestFinished(() => {
    Object.defineProperty(process, "platform", { value: own });
    renaming.mockReset();
  });
  const failure = Object.assign(new Error(`${code}: operation not permitted, rename`), { code });
  for (let index = 0; index < tries; index++) renaming.mockRejectedValueOnce(failure);
}

async function publish(): Promise<string[]> {
  const file = await PartFile.open(join(folder, "data.partial"));
  await file.write(Buffer.from("[]"), 0);
  await file.publish(join(folder, "data"), 2);
  return readdirSync(folder);
}

test.each(["EPERM", "EACCES", "EBUSY"])(
  "on Windows, a file that a scanner has open (%s) is renamed later",
  async (code) => {
    held("win32", code, 9);
    writeFileSync(join(folder, "data"), "before");
    expect(await publish()).toEqual(["data"]);
  },
);

test("so is the journal of a download in parts", async () => {
  held("win32", "EPERM", 1);
  const plan = { snapshotId: "s", format: "json", compress: false, batchSize: 1000, parts: 2 };
  await new DownloadJournal(join(folder, "journal"), plan).add({ bytes: 1, records: 1, hash: "h" });
  expect(readdirSync(folder)).toEqual(["journal"]);
});

test.each([
  ["win32", "EPERM", 10, 10],
  ["win32", "ENOSPC", 1, 1],
  ["linux", "EPERM", 1, 1],
])("on %s, %s %d times is told after %d", async (platform, code, times, tries) => {
  held(platform, code, times);
  await expect(publish()).rejects.toThrow(code);
  expect(renaming).toHaveBeenCalledTimes(tries);
});
