import { BLOCK_BYTES, type BlockHash } from "./blockHash";
import type { PartFile } from "./partFile";

/** Writes one part to a file: a block is filled while the one before is written, and hashed if need be. */
export class BlockWriter {
  readonly #file: PartFile;
  readonly #start: number;
  readonly #hash: BlockHash | undefined;
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #spare = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  #filled = 0;
  /** Bytes of the blocks before. */
  #before = 0;
  #work: Promise<unknown> = Promise.resolve();

  /** @param hash of all that is written, where somebody will ask for it */
  constructor(file: PartFile, start: number, hash?: BlockHash) {
    this.#file = file;
    this.#start = start;
    this.#hash = hash;
  }

  /** Bytes that have been taken, whether they are written already or not. */
  get bytes(): number {
    return this.#before + this.#filled;
  }

  /** Takes bytes, and waits while there is no room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const stretch = bytes.subarray(from, from + BLOCK_BYTES - this.#filled);
      this.#block.set(stretch, this.#filled);
      this.#filled += stretch.length;
      from += stretch.length;
      if (this.#filled === BLOCK_BYTES) await this.#flush();
    }
  }

  async end(): Promise<void> {
    if (this.#filled > 0) await this.#flush();
    await this.#work;
  }

  /** Waits until nothing is being written any more, whatever has become of it. */
  async settle(): Promise<void> {
    await this.#work.catch(() => {});
  }

  async #flush(): Promise<void> {
    await this.#work;
    const block = this.#block.subarray(0, this.#filled);
    this.#work = Promise.all([this.#file.write(block, this.#start + this.#before), this.#hash?.add(block)]);
    // Whoever waits for it hears of a failure; that may be much later.
    this.#work.catch(() => {});
    [this.#block, this.#spare] = [this.#spare, this.#block];
    this.#before += block.length;
    this.#filled = 0;
  }
}
