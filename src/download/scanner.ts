import { SCANNER } from "./scannerBinary";

/** What is taken of <https://www.w3.org/TR/wasm-js-api/>: TypeScript has it in the types of browsers only. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }

  class Instance {
    readonly exports: Exports;
    constructor(module: Module, imports: Record<string, Record<string, unknown>>);
  }

  class Memory {
    readonly buffer: ArrayBuffer;
    constructor(size: { initial: number });
    grow(pages: number): number;
  }
}

interface Exports {
  valueEnd(from: number, levels: number, lines: boolean): number;
}

const PAGE_BYTES = 64 * 1024;
/** The scanner compares 16 bytes at once, so that it reads some behind the last one. */
const SPARE_BYTES = 64;

let compiled: WebAssembly.Module | undefined;

/** Finds where JSON values end in a block of bytes. */
export class Scanner {
  readonly #memory: WebAssembly.Memory;
  readonly #exports: Exports;
  #block: Buffer;

  constructor(bytes: number) {
    compiled ??= new WebAssembly.Module(Buffer.from(SCANNER, "base64"));
    this.#memory = new WebAssembly.Memory({ initial: pagesFor(bytes) });
    const { exports } = new WebAssembly.Instance(compiled, { env: { memory: this.#memory } });
    this.#exports = exports;
    this.#block = this.#blockOf(bytes);
  }

  /** The bytes to scan. Another one after each `grow`. */
  get block(): Buffer {
    return this.#block;
  }

  grow(bytes: number): void {
    const missing = pagesFor(bytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing > 0) this.#memory.grow(missing);
    this.#block = this.#blockOf(bytes);
  }

  /**
   * The end of the JSON value that begins at `from`, which is the index behind it; where it is broken or cut short, the
   * complement (`~`) of the index of the first byte that does not fit. The bytes must end with a 0, which fits nowhere.
   *
   * @param lines whether a value may have several lines
   */
  valueEnd(from: number, lines: boolean): number {
    return this.#exports.valueEnd(from, this.#block.length + SPARE_BYTES, lines);
  }

  #blockOf(bytes: number): Buffer {
    return Buffer.from(this.#memory.buffer, 0, bytes);
  }
}

/** For a block, and for its levels of nesting: at most one for each byte. */
const pagesFor = (bytes: number): number => Math.ceil((2 * bytes + SPARE_BYTES) / PAGE_BYTES);
