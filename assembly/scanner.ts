// Finds where JSON values end among the bytes in memory. It is AssemblyScript, compiled to WebAssembly by
// `npm run generate`: 16 bytes are compared at once, which JavaScript cannot do.
//
// An address is the index of a byte. What a function returns is the address behind what it has found; where that is broken or
// cut short, the complement (`~`) of the address of the first byte that does not fit.

const TAB: i32 = 0x09;
const NEWLINE: i32 = 0x0a;
const RETURN: i32 = 0x0d;
const SPACE: i32 = 0x20;
const QUOTE: i32 = 0x22;
const PLUS: i32 = 0x2b;
const COMMA: i32 = 0x2c;
const MINUS: i32 = 0x2d;
const POINT: i32 = 0x2e;
const SLASH: i32 = 0x2f;
const ZERO: i32 = 0x30;
const COLON: i32 = 0x3a;
const OPEN_ARRAY: i32 = 0x5b;
const BACKSLASH: i32 = 0x5c;
const SMALL_A: i32 = 0x61;
const SMALL_B: i32 = 0x62;
const SMALL_E: i32 = 0x65;
const SMALL_F: i32 = 0x66;
const SMALL_N: i32 = 0x6e;
const SMALL_R: i32 = 0x72;
const SMALL_T: i32 = 0x74;
const SMALL_U: i32 = 0x75;
const OPEN_OBJECT: i32 = 0x7b;
const CLOSE_OBJECT: i32 = 0x7d;

/** What makes a capital letter a small one. */
const CASE: i32 = 0x20;
/** From the byte that opens an array or object to the one that closes it. */
const TO_CLOSE: i32 = 2;
/** Bytes of a vector. */
const VECTOR: i32 = 16;

/** The first bytes of the words, the first one lowest. */
const TRUE: u32 = 0x65757274;
const FALS: u32 = 0x736c6166;
const NULL: u32 = 0x6c6c756e;

/**
 * The end of the JSON value that begins at `from`, for all that `JSON.parse` takes (RFC 8259). The bytes must end with a 0,
 * which fits nowhere: no address goes beyond it.
 *
 * @param levels address of room for a byte for each level of nesting
 * @param lines whether a value may have several lines
 */
export function valueEnd(from: i32, levels: i32, lines: bool): i32 {
  let at = from;
  let depth = 0;
  /** What closes the innermost array or object. */
  let close = 0;
  while (true) {
    const first = byteAt(at);
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
      at = blanksEnd(at + 1, lines);
      if (byteAt(at) !== first + TO_CLOSE) {
        close = first + TO_CLOSE;
        store<u8>(levels + depth, <u8>close);
        depth++;
        if (close === CLOSE_OBJECT) at = nameEnd(at, lines);
        if (at < 0) return at;
        continue;
      }
      at++;
    } else {
      at = scalarEnd(at);
      if (at < 0) return at;
    }
    while (true) {
      if (depth === 0) return at;
      at = blanksEnd(at, lines);
      const next = byteAt(at);
      if (next === COMMA) {
        at = blanksEnd(at + 1, lines);
        if (close === CLOSE_OBJECT) at = nameEnd(at, lines);
        if (at < 0) return at;
        break;
      }
      if (next !== close) return ~at;
      at++;
      depth--;
      if (depth > 0) close = byteAt(levels + depth - 1);
    }
  }
}

function byteAt(at: i32): i32 {
  return load<u8>(at);
}

/** The end of a name, its colon, and the blanks around that. */
function nameEnd(from: i32, lines: bool): i32 {
  if (byteAt(from) !== QUOTE) return ~from;
  const name = textEnd(from + 1);
  if (name < 0) return name;
  const at = blanksEnd(name, lines);
  return byteAt(at) === COLON ? blanksEnd(at + 1, lines) : ~at;
}

function blanksEnd(from: i32, lines: bool): i32 {
  return byteAt(from) > SPACE ? from : someBlanksEnd(from, lines);
}

function someBlanksEnd(from: i32, lines: bool): i32 {
  let at = from;
  while (true) {
    const byte = byteAt(at);
    if (byte > SPACE) return at;
    if (byte !== SPACE && byte !== TAB && byte !== RETURN && !(byte === NEWLINE && lines)) return at;
    at++;
  }
}

function scalarEnd(from: i32): i32 {
  switch (byteAt(from)) {
    case QUOTE:
      return textEnd(from + 1);
    case SMALL_T:
      return wordEnd(from, TRUE);
    case SMALL_N:
      return wordEnd(from, NULL);
    case SMALL_F: {
      const at = wordEnd(from, FALS);
      if (at < 0) return at;
      return byteAt(at) === SMALL_E ? at + 1 : ~at;
    }
    default:
      return numberEnd(from);
  }
}

/** From behind the opening quote. */
function textEnd(from: i32): i32 {
  const found = textMarks(from);
  if (found === 0) return longTextEnd(from + VECTOR);
  const at = from + ctz(found);
  return byteAt(at) === QUOTE ? at + 1 : longTextEnd(at);
}

/** From within a text that has not ended soon. Apart from `textEnd`, which is so short that it is inlined. */
function longTextEnd(from: i32): i32 {
  let at = from;
  while (true) {
    const found = textMarks(at);
    if (found === 0) {
      at += VECTOR;
      continue;
    }
    at += ctz(found);
    const byte = byteAt(at);
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return ~at;
    at = escapeEnd(at + 1);
    if (at < 0) return at;
  }
}

/** A bit for each of the next bytes that is not plain text. */
function textMarks(at: i32): i32 {
  const bytes = v128.load(at);
  const controls = i8x16.lt_u(bytes, i8x16.splat(<i8>SPACE));
  const quotes = i8x16.eq(bytes, i8x16.splat(<i8>QUOTE));
  const backslashes = i8x16.eq(bytes, i8x16.splat(<i8>BACKSLASH));
  return i8x16.bitmask(v128.or(v128.or(quotes, backslashes), controls));
}

/** From behind the backslash. */
function escapeEnd(from: i32): i32 {
  switch (byteAt(from)) {
    case QUOTE:
    case BACKSLASH:
    case SLASH:
    case SMALL_B:
    case SMALL_F:
    case SMALL_N:
    case SMALL_R:
    case SMALL_T:
      return from + 1;
    case SMALL_U:
      for (let at = from + 1; at <= from + 4; at++) if (!isHex(byteAt(at))) return ~at;
      return from + 5;
    default:
      return ~from;
  }
}

function isDigit(byte: i32): bool {
  return <u32>(byte - ZERO) < 10;
}

function isHex(byte: i32): bool {
  return isDigit(byte) || <u32>((byte | CASE) - SMALL_A) < 6;
}

/** The end of the word of four bytes that begins with the right one. */
function wordEnd(from: i32, word: u32): i32 {
  if (load<u32>(from) === word) return from + 4;
  return ~(from + (ctz(load<u32>(from) ^ word) >> 3));
}

function numberEnd(from: i32): i32 {
  let at = byteAt(from) === MINUS ? from + 1 : from;
  at = byteAt(at) === ZERO ? at + 1 : digitsEnd(at);
  if (at >= 0 && byteAt(at) === POINT) at = digitsEnd(at + 1);
  if (at >= 0 && (byteAt(at) | CASE) === SMALL_E) {
    at++;
    const sign = byteAt(at);
    at = digitsEnd(sign === PLUS || sign === MINUS ? at + 1 : at);
  }
  // At the very end there might be more of it.
  return at >= 0 && byteAt(at) === 0 ? ~at : at;
}

/** The end of one digit or more. */
function digitsEnd(from: i32): i32 {
  let at = from;
  while (isDigit(byteAt(at))) at++;
  return at > from ? at : ~at;
}
