const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LARGE_E = 0x45;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const SMALL_E = 0x65;
const SMALL_F = 0x66;
const SMALL_N = 0x6e;
const SMALL_T = 0x74;
const SMALL_U = 0x75;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const TRUE = bytesOf("true");
const FALSE = bytesOf("false");
const NULL = bytesOf("null");
const IS_ESCAPED = flags('"\\/bfnrt');
const IS_HEX = flags("0123456789abcdefABCDEF");

/** For each byte, 1 if it is one of the characters. */
function flags(characters: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const byte of bytesOf(characters)) set[byte] = 1;
  return set;
}

/**
 * Finds where JSON values end among bytes. It takes what `JSON.parse` takes (RFC 8259), and makes nothing of it.
 *
 * What a function returns is the index behind what it has found; where that is broken or cut short, the complement (`~`) of
 * the index of the first byte that does not fit. The bytes must end with a 0, which fits nowhere: no index goes beyond it.
 */
export class JsonScanner {
  /** Whether a value may have several lines. */
  readonly #lines: boolean;
  /** For each level of nesting, the byte that closes it. */
  #levels = new Uint8Array(64);

  constructor({ lines }: { lines: boolean }) {
    this.#lines = lines;
  }

  /** The end of the value that begins at `from`. */
  valueEnd(bytes: Uint8Array, from: number): number {
    let depth = 0;
    let at = from;
    for (;;) {
      const first = bytes[at];
      if (first === OPEN_OBJECT || first === OPEN_ARRAY) {
        const close = first === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        at = this.#blanksEnd(bytes, at + 1);
        if (bytes[at] !== close) {
          this.#open(depth++, close);
          if (close === CLOSE_OBJECT) at = this.#nameEnd(bytes, at);
          if (at < 0) return at;
          continue;
        }
        at++;
      } else {
        at = scalarEnd(bytes, at);
        if (at < 0) return at;
      }
      for (;;) {
        if (depth === 0) return at;
        const close = this.#levels[depth - 1];
        at = this.#blanksEnd(bytes, at);
        if (bytes[at] === COMMA) {
          at = this.#blanksEnd(bytes, at + 1);
          if (close === CLOSE_OBJECT) at = this.#nameEnd(bytes, at);
          if (at < 0) return at;
          break;
        }
        if (bytes[at] !== close) return ~at;
        at++;
        depth--;
      }
    }
  }

  #open(level: number, close: number): void {
    if (level === this.#levels.length) {
      const levels = new Uint8Array(2 * level);
      levels.set(this.#levels);
      this.#levels = levels;
    }
    this.#levels[level] = close;
  }

  /** The end of a name, its colon, and the blanks around that. */
  #nameEnd(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== QUOTE) return ~from;
    const name = textEnd(bytes, from + 1);
    if (name < 0) return name;
    const at = this.#blanksEnd(bytes, name);
    return bytes[at] === COLON ? this.#blanksEnd(bytes, at + 1) : ~at;
  }

  #blanksEnd(bytes: Uint8Array, from: number): number {
    for (let at = from; ; at++) {
      const byte = bytes[at] as number;
      if (byte > SPACE) return at;
      if (byte !== SPACE && byte !== TAB && byte !== RETURN && !(byte === NEWLINE && this.#lines)) return at;
    }
  }
}

function scalarEnd(bytes: Uint8Array, from: number): number {
  switch (bytes[from]) {
    case QUOTE:
      return textEnd(bytes, from + 1);
    case SMALL_T:
      return wordEnd(bytes, from, TRUE);
    case SMALL_F:
      return wordEnd(bytes, from, FALSE);
    case SMALL_N:
      return wordEnd(bytes, from, NULL);
    default:
      return numberEnd(bytes, from);
  }
}

/** From behind the opening quote. */
function textEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; ; at++) {
    let byte = bytes[at] as number;
    // Most bytes of most texts.
    while (byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH) byte = bytes[++at] as number;
    if (byte === QUOTE) return at + 1;
    if (byte !== BACKSLASH) return ~at;
    at++;
    if (bytes[at] === SMALL_U) {
      for (let digit = 0; digit < 4; digit++) if (IS_HEX[bytes[++at] as number] === 0) return ~at;
    } else if (IS_ESCAPED[bytes[at] as number] === 0) return ~at;
  }
}

function wordEnd(bytes: Uint8Array, from: number, word: Uint8Array): number {
  for (let index = 1; index < word.length; index++) if (bytes[from + index] !== word[index]) return ~(from + index);
  return from + word.length;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === MINUS ? from + 1 : from;
  at = bytes[at] === ZERO ? at + 1 : digitsEnd(bytes, at);
  if (at >= 0 && bytes[at] === POINT) at = digitsEnd(bytes, at + 1);
  if (at >= 0 && (bytes[at] === SMALL_E || bytes[at] === LARGE_E)) {
    at++;
    at = digitsEnd(bytes, bytes[at] === PLUS || bytes[at] === MINUS ? at + 1 : at);
  }
  // At the very end there might be more of it.
  return bytes[at] === 0 ? ~at : at;
}

/** The end of one digit or more. */
function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (let byte = bytes[at] as number; byte >= ZERO && byte <= NINE; ) byte = bytes[++at] as number;
  return at > from ? at : ~at;
}
