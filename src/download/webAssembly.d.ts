/** What the scanner takes of <https://www.w3.org/TR/wasm-js-api/>: TypeScript has it in the types of browsers only. */
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
