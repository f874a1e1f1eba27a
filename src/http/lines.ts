/** A line is longer than allowed. What has come of it is dropped. */
export class LineTooLongError extends Error {}

export class NotUtf8Error extends Error {}

/**
 * The lines of a text that comes in pieces, without their ends; the last one may be empty.
 *
 * Node's `readline` will not do: it also ends a line at U+2028, which may stand in JSON, and hides that the input broke off.
 *
 * @param limit the most characters a line may have
 * @throws {LineTooLongError} as soon as one has more
 * @throws {NotUtf8Error} with the piece that tells
 */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch (error) {
      throw new NotUtf8Error("the text is not UTF-8", { cause: error });
    }
  };
  let begun = "";
  const grow = (text: string): void => {
    if (begun.length + text.length > limit) throw new LineTooLongError(`a line is longer than ${limit} characters`);
    begun += text;
  };
  for await (const piece of pieces) {
    const [end = "", ...lines] = decode(piece).split("\n");
    grow(end);
    for (const line of lines) {
      yield begun;
      begun = "";
      grow(line);
    }
  }
  grow(decode());
  yield begun;
}
