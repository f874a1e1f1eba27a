/**
 * The lines of a text that comes in pieces, without their ends; the last one may be empty.
 *
 * Node's `readline` will not do: it also ends a line at U+2028, which may stand in JSON, and hides that the input broke off.
 */
export async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = "";
  for await (const piece of pieces) {
    const [end = "", ...lines] = decoder.decode(piece, { stream: true }).split("\n");
    begun += end;
    for (const line of lines) {
      yield begun;
      begun = line;
    }
  }
  yield begun + decoder.decode();
}
