import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, type Mock, onTestFinished, test, vi } from "vitest";
import { PartFile } from "../../src/download/partFile";

async function openPart() {
  const folder = mkdtempSync(join(tmpdir(), "part-"));
  const path = join(folder, "data.partial");
  const file = await PartFile.open(path);
  onTestFinished(async () => {
    await file.close();
    rmSync(folder, { recursive: true });
  });
  return { file, path };
}

test("writes on where the system has taken only a part of the bytes", async () => {
  const { file, path } = await openPart();
  const write = file.data.write.bind(file.data);
  vi.spyOn(file.data, "write").mockImplementation(((
    bytes: Uint8Array,
    from: number,
    length: number,
    position: number,
  ) => write(bytes, from, Math.min(length, 3), position)) as typeof file.data.write);
  await file.write(Buffer.from("0123456789"), 0);
  await file.write(Buffer.from("abc"), 10);
  expect(readFileSync(path, "utf8")).toBe("0123456789abc");
});

test("tells of a disk that has failed while more was written", async () => {
  const { file } = await openPart();
  const failure = Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
  vi.spyOn(file.data, "datasync").mockRejectedValueOnce(failure);
  const bytes = Buffer.alloc(16 * 1024 * 1024);
  for (let turn = 0; turn < 4; turn++) await file.write(bytes, turn * bytes.length);
  await expect(file.sync()).rejects.toBe(failure);
});

test("returns when nothing is being written any more, even where a piece has failed", async () => {
  const { file } = await openPart();
  const failure = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  let endSlowPiece = (): void => {};
  const slowPiece = new Promise<{ bytesWritten: number }>((resolve) => {
    endSlowPiece = () => resolve({ bytesWritten: 64 * 1024 });
  });
  const write = vi.spyOn(file.data, "write") as unknown as Mock<() => Promise<{ bytesWritten: number }>>;
  write.mockRejectedValueOnce(failure).mockReturnValueOnce(slowPiece);
  let hasReturned = false;
  const written = file.write(Buffer.alloc(128 * 1024), 0).finally(() => {
    hasReturned = true;
  });
  written.catch(() => {});
  await setImmediate();
  expect(write).toHaveBeenCalledTimes(2);
  expect(hasReturned).toBe(false);
  endSlowPiece();
  await expect(written).rejects.toBe(failure);
});
