import { array, assert, asyncProperty, nat, string } from "fast-check";
import { expect, test } from "vitest";
import { LineTooLongError, linesOf, NotUtf8Error } from "../../src/http/lines";

/** Longer than any line of these tests. */
const LIMIT = 1_000_000;

async function* inPieces(bytes: Uint8Array, lengths: number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const length of lengths) {
    yield bytes.subarray(from, from + length);
    from += length;
  }
  yield bytes.subarray(from);
}

async function read(text: string, lengths: number[] = []): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of linesOf(inPieces(new TextEncoder().encode(text), lengths), LIMIT)) lines.push(line);
  return lines;
}

test.each([
  ["", [""]],
  ["a", ["a"]],
  ["a\nb", ["a", "b"]],
  ["a\n", ["a", ""]],
  ["\n\n", ["", "", ""]],
  ["a\r\nb\u2028c", ["a\r", "b\u2028c"]],
])("%j", async (text, lines) => {
  expect(await read(text)).toEqual(lines);
});

test("where the pieces end makes no difference, not even in the middle of a character", async () => {
  await assert(
    asyncProperty(array(string({ unit: "binary" })), array(nat(5)), async (parts, lengths) => {
      const text = parts.join("\n").replaceAll("\ufeff", "");
      expect(await read(text, lengths)).toEqual(text.split("\n"));
    }),
  );
});

test("gives lines as they come, and asks for no more than is taken", async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield new TextEncoder().encode(`${given++}\n`);
  }
  for await (const line of linesOf(endless(), LIMIT)) if (line === "2") break;
  expect(given).toBe(3);
});

test("a text that breaks off is no text that ends", async () => {
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode("a\nb");
    throw new Error("cut");
  }
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of linesOf(broken(), LIMIT)) lines.push(line);
  })();
  await expect(reading).rejects.toThrow("cut");
  expect(lines).toEqual(["a"]);
});

test("a line without end ends the reading, and no more of it is asked for", async () => {
  let given = 0;
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode("a\n");
    for (; ; given++) yield new Uint8Array(10).fill(120);
  }
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of linesOf(endless(), 25)) lines.push(line);
  })();
  await expect(reading).rejects.toThrow(LineTooLongError);
  expect(lines).toEqual(["a"]);
  expect(given).toBe(2);
});

test.each([
  ["in a line", [0x61, 0xff, 0x0a]],
  ["at the end, where a character is cut short", [0x61, 0x0a, 0xc3]],
])("a text that is not UTF-8 %s is none", async (_, bytes) => {
  const reading = (async () => {
    for await (const _line of linesOf(inPieces(Uint8Array.from(bytes), [1, 1]), LIMIT));
  })();
  await expect(reading).rejects.toThrow(NotUtf8Error);
});
