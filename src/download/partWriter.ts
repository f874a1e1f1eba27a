import { createHash } from "node:crypto";
import type { PartFile } from "./partFile";

/** Writes one part to a file: the next piece is made while one is on its way to the disk. */
export class PartWriter {
  readonly #file: PartFile;
  readonly #start: number;
  readonly #hash = createHash("sha256");
  #writing = Promise.resolve();
  /** Bytes that have been taken, whether they are written already or not. */
  bytes = 0;

  constructor(file: PartFile, start: number) {
    this.#file = file;
    this.#start = start;
  }

  /** Takes a piece, which must not change any more, and waits for the one before. */
  async write(piece: Buffer): Promise<void> {
    this.#hash.update(piece);
    await this.#writing;
    this.#writing = this.#file.write(piece, this.#start + this.bytes);
    // Whoever waits for it hears of a failure; that may be much later.
    this.#writing.catch(() => {});
    this.bytes += piece.length;
  }

  /** Waits for the last piece; the SHA-256 of all of them, in hexadecimal. */
  async end(): Promise<string> {
    await this.#writing;
    return this.#hash.digest("hex");
  }

  /** Waits until nothing is being written any more, whatever has become of it. */
  async settle(): Promise<void> {
    await this.#writing.catch(() => {});
  }
}
