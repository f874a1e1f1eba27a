import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { BlockHash } from "../../src/download/blockHash";
import { BlockWriter } from "../../src/download/blockWriter";
import { DownloadJournal } from "../../src/download/journal";
import { PartFile } from "../../src/download/partFile";

const MIB = 1024 * 1024;
const START = 10;

async function openPart() {
  const folder = mkdtempSync(join(tmpdir(), "block-"));
  const path = join(folder, "data.partial");
  writeFileSync(path, Buffer.alloc(START));
  const file = await PartFile.open(path);
  onTestFinished(async () => {
    await file.close();
    rmSync(folder, { recursive: true });
  });
  const plan = { snapshotId: "s_1", format: "ndjson", compress: false, batchSize: 1000, parts: 2 };
  const journal = () => new DownloadJournal(join(folder, "journal"), plan);
  return { file, path, journal };
}

const resumed = async (journal: DownloadJournal, file: PartFile): Promise<number> => {
  await journal.resume(file.data);
  return journal.done.length;
};

test.each([0, 1, MIB - 1, MIB, MIB + 1, 2 * MIB, 2 * MIB + 1, 3 * MIB + 5, 5 * MIB - 1])(
  "writes %j bytes, and the journal knows them again by their hash",
  async (size) => {
    const { file, path, journal } = await openPart();
    const bytes = randomBytes(size);
    const hash = new BlockHash();
    const writer = new BlockWriter(file, START, hash);
    for (let from = 0; from < size; from += 300_007) await writer.write(bytes.subarray(from, from + 300_007));
    await writer.end();
    expect(writer.bytes).toBe(size);
    expect(readFileSync(path).subarray(START).equals(bytes)).toBe(true);
    const digest = hash.end();
    expect(digest).toBe(
      sha256(
        blocksOf(bytes)
          .map((block) => sha256(block))
          .join(""),
      ),
    );
    const before = { bytes: START, records: 0, hash: await hashOfStart(file) };
    const written = journal();
    await written.add(before);
    await written.add({ bytes: size, records: 1, hash: digest });
    expect(await resumed(journal(), file)).toBe(2);
    if (size === 0) return;
    await file.write(Buffer.from([(bytes.at(-1) ?? 0) ^ 1]), START + size - 1);
    expect(await resumed(journal(), file)).toBe(1);
  },
);

/** What journals of 0.1.0 have. */
const blocksOf = (bytes: Buffer): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / MIB) }, (_, index) => bytes.subarray(index * MIB, (index + 1) * MIB));

const sha256 = (data: Buffer | string): string =>
  createHash("sha256")
    .update(typeof data === "string" ? Buffer.from(data, "hex") : data)
    .digest("hex");

async function hashOfStart(file: PartFile): Promise<string> {
  const hash = new BlockHash();
  const writer = new BlockWriter(file, 0, hash);
  await writer.write(Buffer.alloc(START));
  await writer.end();
  return hash.end();
}

test("tells of a write that has failed", async () => {
  const { file } = await openPart();
  const failure = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  vi.spyOn(file.data, "write").mockRejectedValue(failure);
  const writer = new BlockWriter(file, START);
  await writer.write(Buffer.alloc(MIB));
  await expect(writer.end()).rejects.toBe(failure);
  await writer.settle();
});
