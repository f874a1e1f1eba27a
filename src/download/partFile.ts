import { constants } from "node:fs";
import { type FileHandle, lstat, open, rm } from "node:fs/promises";
import { codeOf } from "../base/cause";
import { ArgumentError } from "../base/errors";
import { unwritable } from "./failures";
import { renamed } from "./renamed";

/** Bytes that are written at once. For as many in larger pieces, Linux takes up to twice the CPU time. */
const PIECE_BYTES = 64 * 1024;
/** So much is written before the disk is asked to keep it. */
const AHEAD_BYTES = 32 * 1024 * 1024;

/** The file that a download is written to until it is complete and gets its name. */
export class PartFile {
  readonly #path: string;
  readonly data: FileHandle;
  #unsynced = 0;
  /** What the disk does while more is written, so that `sync` has less to wait for. */
  #ahead = Promise.resolve();

  private constructor(path: string, data: FileHandle) {
    this.#path = path;
    this.data = data;
  }

  /**
   * Opens it, or makes it.
   *
   * @throws {ArgumentError} when it cannot be written, or is a link, through which something else would be written
   */
  static async open(path: string): Promise<PartFile> {
    let data: FileHandle;
    try {
      data = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW);
    } catch (error) {
      if (codeOf(error) === "ELOOP") throw linked(path);
      throw unwritable(path, error);
    }
    const found = await data.stat();
    if (found.isFile() && found.nlink <= 1) return new PartFile(path, data);
    await data.close();
    throw linked(path);
  }

  /** Cuts off what stands behind `length` bytes. @throws {ArgumentError} when not as many are there */
  async cut(length: number): Promise<void> {
    const { size } = await this.data.stat();
    if (size < length) throw this.#replaced();
    await this.data.truncate(length);
  }

  /** Returns when nothing of it is being written any more. */
  async write(bytes: Uint8Array, position: number): Promise<void> {
    const pieces: Promise<void>[] = [];
    for (let from = 0; from < bytes.length; from += PIECE_BYTES)
      pieces.push(this.#writePiece(bytes.subarray(from, from + PIECE_BYTES), position + from));
    const failed = (await Promise.allSettled(pieces)).find((piece) => piece.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    this.#unsynced += bytes.length;
    if (this.#unsynced < AHEAD_BYTES) return;
    this.#unsynced = 0;
    this.#ahead = this.#ahead.then(() => this.data.datasync());
    // `sync` hears of a failure.
    this.#ahead.catch(() => {});
  }

  async #writePiece(bytes: Uint8Array, position: number): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.data.write(bytes, done, bytes.length - done, position + done);
      done += bytesWritten;
    }
  }

  async sync(): Promise<void> {
    await this.#ahead;
    await this.data.sync();
  }

  /**
   * Gives what has been synced its name, and closes it. What had the name is replaced.
   *
   * @throws {ArgumentError} when what stands at its path is not what was written
   */
  async publish(file: string, bytes: number): Promise<void> {
    const written = await this.data.stat({ bigint: true });
    const found = await lstat(this.#path, { bigint: true }).catch(() => undefined);
    const isSame = found?.dev === written.dev && found.ino === written.ino && found.size === BigInt(bytes);
    if (!isSame) throw this.#replaced();
    // Not every system renames an open file.
    await this.data.close();
    await renamed(this.#path, file);
  }

  async close(): Promise<void> {
    await this.data.close();
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  #replaced(): ArgumentError {
    return new ArgumentError(
      `${this.#path} is no longer what was downloaded: another program has changed or replaced it. Keep that from it and download again.`,
    );
  }
}

const linked = (path: string): ArgumentError =>
  new ArgumentError(`Cannot write ${path}: it is a link, or no plain file. Remove it, or name another file.`);
