type Grammar = Record<string, Record<string, string>>;

const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdefABCDEF`;
/** Bytes of a text that stand for themselves; what is not ASCII is never looked at. */
const PLAIN = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte))
  .filter((character) => character >= " " && character !== '"' && character !== "\\")
  .join("");

/** RFC 8259: where each byte leads. What is not listed breaks the value. */
function grammar(blanks: string): Grammar {
  const value = { '"': "text", "{": "open object", "[": "open array", "-": "minus", "0": "zero", "123456789": "whole" };
  const words = { t: "t", f: "f", n: "n" };
  return {
    value: { [blanks]: "value", ...value, ...words },
    "first element": { [blanks]: "first element", ...value, ...words, "]": "close" },
    "after element": { [blanks]: "after element", ",": "value", "]": "close" },
    "first name": { [blanks]: "first name", '"': "name", "}": "close" },
    "next name": { [blanks]: "next name", '"': "name" },
    "after name": { [blanks]: "after name", ":": "value" },
    "after member": { [blanks]: "after member", ",": "next name", "}": "close" },
    ...quoted("text", "complete"),
    ...quoted("name", "after name"),
    minus: { "0": "zero", "123456789": "whole" },
    zero: { ".": "point", eE: "exponent" },
    whole: { [DIGITS]: "whole", ".": "point", eE: "exponent" },
    point: { [DIGITS]: "fraction" },
    fraction: { [DIGITS]: "fraction", eE: "exponent" },
    exponent: { "+-": "sign", [DIGITS]: "power" },
    sign: { [DIGITS]: "power" },
    power: { [DIGITS]: "power" },
    ...word("true"),
    ...word("false"),
    ...word("null"),
  };
}

const quoted = (state: string, after: string): Grammar => ({
  [state]: { [PLAIN]: state, '"': after, "\\": `${state} escape` },
  [`${state} escape`]: { '"\\/bfnrt': state, u: `${state} 1` },
  [`${state} 1`]: { [HEX]: `${state} 2` },
  [`${state} 2`]: { [HEX]: `${state} 3` },
  [`${state} 3`]: { [HEX]: `${state} 4` },
  [`${state} 4`]: { [HEX]: state },
});

const word = (letters: string): Grammar =>
  Object.fromEntries(
    Array.from(letters.slice(1), (letter, index) => {
      const read = letters.slice(0, index + 1);
      return [read, { [letter]: read + letter === letters ? "complete" : read + letter }];
    }),
  );

/** The states by number. The first ones are not waited in, but acted on. */
const STATES = [
  ...["broken", "complete", "open object", "open array", "close"],
  ...["text", "name"],
  ...Object.keys(grammar("")).filter((state) => state !== "text" && state !== "name"),
];
const number = (state: string): number => STATES.indexOf(state);
const [BROKEN, COMPLETE, OPEN_OBJECT, CLOSE, TEXT, NAME] = [
  "broken",
  "complete",
  "open object",
  "close",
  "text",
  "name",
].map(number) as [number, number, number, number, number, number];
const VALUE = number("value");
const FIRST_ELEMENT = number("first element");
const FIRST_NAME = number("first name");
const AFTER_ELEMENT = number("after element");
const AFTER_MEMBER = number("after member");
/** A number ends with what is no more of it. */
const ENDS_ANYWHERE = flags(["zero", "whole", "fraction", "power"].map(number));
const IS_PLAIN = flags(Array.from(PLAIN, (character) => character.charCodeAt(0)));

/** 1 at each of the indices. */
function flags(indices: number[]): Uint8Array {
  const set = new Uint8Array(256);
  for (const index of indices) set[index] = 1;
  return set;
}

/** The state that each byte leads to, at `state << 8 | byte`. */
function table(blanks: string): Uint8Array {
  const next = new Uint8Array(STATES.length << 8);
  for (const [state, steps] of Object.entries(grammar(blanks))) {
    for (const [bytes, to] of Object.entries(steps)) {
      for (const byte of bytes) next[(number(state) << 8) | byte.charCodeAt(0)] = number(to);
    }
  }
  return next;
}

const IN_LINES = table(" \t\r\n");
const IN_ONE_LINE = table(" \t\r");

/** Reads a JSON value that comes in pieces, wherever they end, and holds nothing of it. */
export class JsonValue {
  readonly #next: Uint8Array;
  #state = VALUE;
  /** What the value is nested in, by the step that opened it. */
  #levels = new Uint8Array(64);
  #depth = 0;

  /** With `lines`, it may have several lines. */
  constructor({ lines }: { lines: boolean }) {
    this.#next = lines ? IN_LINES : IN_ONE_LINE;
  }

  get isComplete(): boolean {
    return this.#state === COMPLETE;
  }

  get isBroken(): boolean {
    return this.#state === BROKEN;
  }

  /** Begins another one. */
  reset(): void {
    this.#state = VALUE;
    this.#depth = 0;
  }

  /** Reads on; returns the index behind the value, or where it is broken, or the end of the piece. */
  read(bytes: Uint8Array, from: number): number {
    const next = this.#next;
    const end = bytes.length;
    let state = this.#state;
    let at = from;
    while (at < end) {
      const to = next[(state << 8) | (bytes[at] as number)] as number;
      if (to >= TEXT) {
        state = to;
        at++;
        if (to <= NAME) while (at < end && IS_PLAIN[bytes[at] as number] === 1) at++;
      } else if (to >= OPEN_OBJECT) {
        state = to === CLOSE ? this.#close() : this.#open(to);
        at++;
        if (state === COMPLETE) break;
      } else if (to === COMPLETE || ENDS_ANYWHERE[state] === 1) {
        if (to === COMPLETE) at++;
        state = this.#after();
        if (state === COMPLETE) break;
      } else {
        state = BROKEN;
        break;
      }
    }
    this.#state = state;
    return at;
  }

  /** There is nothing more to read. */
  end(): void {
    if (this.#depth === 0 && ENDS_ANYWHERE[this.#state] === 1) this.#state = COMPLETE;
  }

  #open(level: number): number {
    if (this.#depth === this.#levels.length) {
      const levels = new Uint8Array(2 * this.#depth);
      levels.set(this.#levels);
      this.#levels = levels;
    }
    this.#levels[this.#depth++] = level;
    return level === OPEN_OBJECT ? FIRST_NAME : FIRST_ELEMENT;
  }

  #close(): number {
    this.#depth--;
    return this.#after();
  }

  /** What comes after a value. */
  #after(): number {
    if (this.#depth === 0) return COMPLETE;
    return this.#levels[this.#depth - 1] === OPEN_OBJECT ? AFTER_MEMBER : AFTER_ELEMENT;
  }
}
