import { type FileHandle, rm, writeFile } from "node:fs/promises";
import { counted } from "../base/counted";
import { ArgumentError } from "../base/errors";
import { isObject } from "../base/json";
import { BLOCK_BYTES, BlockHash } from "./blockHash";
import { jsonIn } from "./jsonIn";
import { renamed } from "./renamed";

/** What is being downloaded: a journal of something else is no help. */
export interface DownloadPlan {
  snapshotId: string;
  format: string;
  compress: boolean;
  batchSize: number | null;
  /** What the service says; the rest is asked for. */
  parts: number;
}

export interface DonePart {
  bytes: number;
  records: number;
  /** Of its bytes, by `BlockHash`. Without it a later download cannot go on behind this part. */
  hash?: string | undefined;
}

interface JournalFile {
  version: 3;
  plan: DownloadPlan;
  /** For CSV the line of names. */
  header: string | null;
  done: DonePart[];
}

/** The small file beside a download that tells which of its parts are complete, so that it can go on another time. */
export class DownloadJournal {
  readonly #path: string;
  readonly #plan: DownloadPlan;
  header: string | null = null;
  done: DonePart[] = [];

  constructor(path: string, plan: DownloadPlan) {
    this.#path = path;
    this.#plan = plan;
  }

  get bytes(): number {
    return this.done.reduce((sum, part) => sum + part.bytes, 0);
  }

  get records(): number {
    return this.done.reduce((sum, part) => sum + part.records, 0);
  }

  /** Whether a later download can go on where this one ends: one without parts begins anew. */
  get isKept(): boolean {
    return this.#plan.batchSize !== null;
  }

  /** @throws {ArgumentError} where `file` has parts of something else, which nothing can go on with but what has begun it */
  async requireSame(file: string): Promise<void> {
    const found = await this.#read();
    const change = found && this.#changeIn(found);
    if (found === undefined || change === undefined || found.done.length === 0) return;
    throw new ArgumentError(
      `${file} has ${counted(found.done.length, "part")} of another download: ${change}. Repeat that to go on with it, name another file, or allow that it is dropped with \`overwrite\` (--overwrite).`,
    );
  }

  /**
   * Takes over what an earlier download of the same has left in `data`, as far as it is still what was written. Reads all of that;
   * `signal` ends it.
   */
  async resume(data: FileHandle, signal?: AbortSignal): Promise<void> {
    if (!this.isKept) return;
    const found = await this.#read();
    const isSame = found?.plan.parts === this.#plan.parts && this.#changeIn(found) === undefined;
    if (found === undefined || !isSame) return;
    let start = 0;
    for (const part of found.done.slice(0, this.#plan.parts)) {
      if ((await hashOf(data, start, part.bytes, signal)) !== part.hash) break;
      this.done.push(part);
      start += part.bytes;
    }
    if (this.done.length > 0) this.header = found.header;
  }

  async add(part: DonePart): Promise<void> {
    this.done.push(part);
    if (!this.isKept) return;
    const journal: JournalFile = { version: 3, plan: this.#plan, header: this.header, done: this.done };
    // Renamed into place: half a journal would be none. Made anew: nothing is written through a link.
    await rm(this.#next, { force: true });
    await writeFile(this.#next, JSON.stringify(journal), { flag: "wx", flush: true });
    await renamed(this.#next, this.#path);
  }

  clear(): void {
    this.done = [];
  }

  async remove(): Promise<void> {
    await Promise.all([rm(this.#path, { force: true }), rm(this.#next, { force: true })]);
  }

  get #next(): string {
    return `${this.#path}.new`;
  }

  async #read(): Promise<JournalFile | undefined> {
    const value = await jsonIn(this.#path).catch(() => undefined);
    return isJournal(value) ? value : undefined;
  }

  /** What was asked for otherwise, in words. */
  #changeIn({ plan }: JournalFile): string | undefined {
    // Of two names of one format, either will do.
    const said = (value: unknown) => (value === null ? "none" : JSON.stringify(value === "jsonl" ? "ndjson" : value));
    const { parts: _, ...asked } = this.#plan;
    return Object.entries(asked)
      .map(([name, value]) => [name, said(plan[name as keyof DownloadPlan]), said(value)])
      .filter(([, before, now]) => before !== now)
      .map(([name, before, now]) => `\`${name}\` was ${before}, and is ${now}`)[0];
  }
}

const isJournal = (value: unknown): value is JournalFile =>
  isObject(value) &&
  value.version === 3 &&
  isObject(value.plan) &&
  (value.header === null || typeof value.header === "string") &&
  Array.isArray(value.done) &&
  value.done.every(isDonePart);

const isDonePart = (part: unknown): part is DonePart =>
  isObject(part) &&
  Number.isSafeInteger(part.bytes) &&
  Number.isSafeInteger(part.records) &&
  typeof part.hash === "string";

/** The hash of a stretch of a file; of less than that where the file ends before. */
async function hashOf(file: FileHandle, start: number, length: number, signal?: AbortSignal): Promise<string> {
  const hash = new BlockHash();
  const buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  for (let done = 0; done < length; done += BLOCK_BYTES) {
    signal?.throwIfAborted();
    const block = buffer.subarray(0, length - done);
    const bytes = await readBlock(file, block, start + done);
    await hash.add(block.subarray(0, bytes));
    if (bytes < block.length) break;
  }
  return hash.end();
}

/** Fills a block, as far as the file goes; tells how far that is. */
async function readBlock(file: FileHandle, block: Buffer, position: number): Promise<number> {
  for (let filled = 0; filled < block.length; ) {
    const { bytesRead } = await file.read(block, filled, block.length - filled, position + filled);
    if (bytesRead === 0) return filled;
    filled += bytesRead;
  }
  return block.length;
}
