import { SCANNER } from "./scannerBinary";

/** What is taken of <https://www.w3.org/TR/wasm-js-api/>: TypeScript has it in the types of browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    readonly exports: unknown;
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(size: { initial: number });
    grow(pages: number): number;
  }
}

/** What `assembly/scanner.ts` exports. */
interface Exports {
  valuesEnd(from: number, levels: number, lines: boolean): number;
  rowsEnd(from: number, filled: number, commas: number): number;
  begin: { readonly value: number };
  before: { readonly value: number };
  largest: { readonly value: number };
  commas: { readonly value: number };
}

const PAGE_BYTES = 64 * 1024;
/** The scanner compares 16 bytes at once, so that it reads some behind the last one. */
const SPARE_BYTES = 64;

let compiled: WebAssembly.Module | undefined;

/** Finds where JSON values and rows of CSV end in a block of bytes. */
export class Scanner {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  #block: Buffer;

  constructor(bytes: number) {
    compiled ??= new WebAssembly.Module(Buffer.from(SCANNER, "base64"));
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(bytes) });
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.#exports = exports as Exports;
    this.#block = this.#blockOf(bytes);
  }

  /** The bytes to scan. Another one after each `grow`. */
  get block(): Buffer {
    return this.#block;
  }

  /** Makes the block as large as that; it keeps what is in it. */
  grow(bytes: number): void {
    const missing = pagesFor(bytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) this.#memory.grow(missing);
    this.#block = this.#blockOf(bytes);
  }

  /**
   * Finds JSON values one behind the other, the first one at `from`, as long as nothing but a line end stands between them; or a
   * comma and blanks, where a value may have several lines. Returns the end of the last one, which is the index behind it; where
   * it is broken or cut short, the complement (`~`) of the index of the first byte that does not fit. The bytes must end with a
   * 0, which fits nowhere.
   *
   * @param lines whether a value may have several lines
   */
  valuesEnd(from: number, lines: boolean): number {
    return this.#exports.valuesEnd(from, this.#block.length + SPARE_BYTES, lines);
  }

  /**
   * Finds rows of CSV one behind the other, the first one at `from`, up to one that has another number of commas, is empty, or
   * has more than a newline for its end. Returns the end of that one, its line end included, or the complement of `filled` where
   * it is cut short.
   */
  rowsEnd(from: number, filled: number, commas: number): number {
    return this.#exports.rowsEnd(from, filled, commas);
  }

  /** Where the last of the records begins that have been found, be it complete or not. */
  get begin(): number {
    return this.#exports.begin.value;
  }

  /** How many were found before it. */
  get before(): number {
    return this.#exports.before.value;
  }

  /** The bytes of the largest of them, without a line end. */
  get largest(): number {
    return this.#exports.largest.value;
  }

  /** Commas between the cells of the last row. */
  get commas(): number {
    return this.#exports.commas.value;
  }

  #blockOf(bytes: number): Buffer {
    return Buffer.from(this.#memory.buffer, 0, bytes);
  }
}

/** For a block, and for its levels of nesting: at most one for each byte. */
const pagesFor = (bytes: number): number => Math.ceil((2 * bytes + SPARE_BYTES) / PAGE_BYTES);
