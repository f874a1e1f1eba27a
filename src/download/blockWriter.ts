import { createHash } from "node:crypto";
import type { PartFile } from "./partFile";

const BLOCK_BYTES = 1024 * 1024;

/** Writes to a file in large blocks: one is filled while the one before is on its way to the disk. */
export class BlockWriter {
  readonly #file: PartFile;
  readonly #start: number;
  readonly #hash = createHash("sha256");
  #block = Buffer.allocUnsafe(BLOCK_BYTES);
  #spare = Buffer.allocUnsafe(BLOCK_BYTES);
  #filled = 0;
  /** Bytes of the blocks before. */
  #before = 0;
  #writing = Promise.resolve();

  constructor(file: PartFile, start: number) {
    this.#file = file;
    this.#start = start;
  }

  /** Bytes that have been taken, whether they are written already or not. */
  get bytes(): number {
    return this.#before + this.#filled;
  }

  /** Takes the bytes, and waits while there is no room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const stretch = bytes.subarray(from, from + BLOCK_BYTES - this.#filled);
      this.#block.set(stretch, this.#filled);
      this.#filled += stretch.length;
      from += stretch.length;
      if (this.#filled === BLOCK_BYTES) await this.#flush();
    }
  }

  /** Writes what is left; the SHA-256 of all of it, in hexadecimal. */
  async end(): Promise<string> {
    await this.#flush();
    await this.#writing;
    return this.#hash.digest("hex");
  }

  /** Waits until nothing is being written any more, whatever has become of it. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {});
  }

  async #flush(): Promise<void> {
    const block = this.#block.subarray(0, this.#filled);
    this.#hash.update(block);
    await this.#writing;
    this.#writing = this.#file.write(block, this.#start + this.#before);
    // Whoever waits for it hears of a failure; that may be much later.
    this.#writing.catch(() => {});
    [this.#block, this.#spare] = [this.#spare, this.#block];
    this.#before += block.length;
    this.#filled = 0;
  }
}
