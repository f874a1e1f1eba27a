import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";

/** As many bytes as an answer may have, unless its operation allows for more. */
export const DEFAULT_MOST_BYTES = 16 * 1024 * 1024;

/** For operations whose answers grow with what people let the service collect, or with their ports. */
export const MUCH_DATA_BYTES = 256 * 1024 * 1024;

/** The pieces as they come; throws what `excess` makes as soon as they are more than `most` bytes together. */
export async function* bounded(
  pieces: AsyncIterable<Uint8Array>,
  most: number,
  excess: () => Error,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > most) throw excess();
    yield piece;
  }
}

/** What is wrong with an answer of more bytes than it may have. */
export const tooLong = (most: number): string => `more than ${most / 1024 / 1024} MiB, the most that is read of it`;

/** A whole body as a text; `undefined` when there is more of it than is read, which ends the connection. */
export async function textOf(
  body: Readable,
  most = DEFAULT_MOST_BYTES,
): Promise<{ words: string; isUtf8: boolean } | undefined> {
  const excess = new RangeError();
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of bounded(body, most, () => excess)) pieces.push(piece);
  } catch (error) {
    if (error === excess) return undefined;
    throw error;
  } finally {
    body.on("error", () => {}).destroy();
  }
  const whole = Buffer.concat(pieces);
  return { words: new TextDecoder().decode(whole), isUtf8: isUtf8(whole) };
}
