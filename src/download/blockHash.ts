import { createHash, webcrypto } from "node:crypto";

/** Bytes that are written and hashed at once. */
export const BLOCK_BYTES = 1024 * 1024;

/**
 * The SHA-256 of the SHA-256s of the blocks of a stretch, each of `BLOCK_BYTES` but the last. Unlike that of the whole, it is
 * computed beside the main thread.
 */
export class BlockHash {
  readonly #digests = createHash("sha256");

  /** Adds the next block; the one before must have been added. */
  async add(block: Buffer): Promise<void> {
    this.#digests.update(new Uint8Array(await webcrypto.subtle.digest("SHA-256", block)));
  }

  /** In hexadecimal. */
  end(): string {
    return this.#digests.digest("hex");
  }
}
