const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const NESTING: Readonly<Record<number, number>> = { 91: 1, 123: 1, 93: -1, 125: -1 };

/**
 * The indices at which the items of a JSON array end, which is from `begin` to before `end`: those of the commas between them, and of
 * the array's own bracket last. Where it is cut short or something stands behind it, there is no such last one.
 */
export function* itemEnds(block: Buffer, begin: number, end: number): Generator<number> {
  let depth = 0;
  for (let at = begin; at < end; at++) {
    const byte = block[at] as number;
    if (byte === QUOTE) at = textEnd(block, at, end);
    else depth += NESTING[byte] ?? 0;
    if (depth === 0 && at < end - 1) return;
    if (depth === 0 || (depth === 1 && byte === COMMA)) yield at;
  }
}

/** The index of the quote that ends the text which begins at `from`. */
function textEnd(block: Buffer, from: number, end: number): number {
  let at = from + 1;
  while (at < end && block[at] !== QUOTE) at += block[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** The part between blanks of what stands from `from` to before `to`. */
export function withoutBlanks(block: Buffer, from: number, to: number): [begin: number, end: number] {
  let [begin, end] = [from, to];
  while (begin < end && isBlank(block[begin])) begin++;
  while (begin < end && isBlank(block[end - 1])) end--;
  return [begin, end];
}

const isBlank = (byte: number | undefined): boolean => byte === SPACE || byte === RETURN || byte === TAB;
