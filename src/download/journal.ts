import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, readFile, rename, rm, writeFile } from "node:fs/promises";
import { isObject } from "../json";

/** What is being downloaded: a journal of something else is no help. */
export interface DownloadPlan {
  snapshotId: string;
  format: string;
  compress: boolean;
  batchSize: number | null;
  parts: number;
}

/** A part that stands in the file. */
export interface DonePart {
  bytes: number;
  records: number;
  sha256: string;
}

interface Journal {
  version: 1;
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

  /** Takes over what an earlier download of the same has left in `data`, as far as it is still what was written. */
  async resume(data: FileHandle): Promise<void> {
    const found = await this.#read();
    if (found === undefined) return;
    let start = 0;
    for (const part of found.done.slice(0, this.#plan.parts)) {
      if ((await digest(data, start, part.bytes)) !== part.sha256) break;
      this.done.push(part);
      start += part.bytes;
    }
    if (this.done.length > 0) this.header = found.header;
  }

  /** Notes that one more part is complete. */
  async add(part: DonePart): Promise<void> {
    this.done.push(part);
    const journal: Journal = { version: 1, plan: this.#plan, header: this.header, done: this.done };
    // Renamed into place: half a journal would be none. Made anew: nothing is written through a link.
    await rm(this.#next, { force: true });
    await writeFile(this.#next, JSON.stringify(journal), { flag: "wx", flush: true });
    await rename(this.#next, this.#path);
  }

  /** Forgets what has been downloaded: it is of no use. */
  clear(): void {
    this.done = [];
  }

  async remove(): Promise<void> {
    await Promise.all([rm(this.#path, { force: true }), rm(this.#next, { force: true })]);
  }

  /** What becomes the journal. */
  get #next(): string {
    return `${this.#path}.new`;
  }

  async #read(): Promise<Journal | undefined> {
    let value: unknown;
    try {
      value = JSON.parse(
        await readFile(this.#path, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NOFOLLOW }),
      );
    } catch {
      return undefined;
    }
    return isJournal(value) && JSON.stringify(value.plan) === JSON.stringify(this.#plan) ? value : undefined;
  }
}

const isJournal = (value: unknown): value is Journal =>
  isObject(value) &&
  value.version === 1 &&
  (value.header === null || typeof value.header === "string") &&
  Array.isArray(value.done) &&
  value.done.every(isDonePart);

const isDonePart = (part: unknown): part is DonePart =>
  isObject(part) &&
  Number.isSafeInteger(part.bytes) &&
  Number.isSafeInteger(part.records) &&
  typeof part.sha256 === "string";

const PIECE = 1024 * 1024;

/** The digest of a stretch of a file; of less than that where the file ends before. */
async function digest(file: FileHandle, start: number, length: number): Promise<string> {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(PIECE);
  for (let read = 0; read < length; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(PIECE, length - read), start + read);
    if (bytesRead === 0) break;
    hash.update(buffer.subarray(0, bytesRead));
    read += bytesRead;
  }
  return hash.digest("hex");
}
