import type { SnapshotFormat } from "../model/snapshot";
import { Scanner } from "./scanner";

/** The text is not what its format makes it. The message does not quote it. */
export class MalformedRecordsError extends Error {}

/** A record is larger than the limit. */
export class OversizedRecordError extends Error {}

/** So few that they stay in the processor's cache until they are written. */
const BLOCK_BYTES = 256 * 1024;
/** Behind what has been filled of a block there is room for a line end and for the 0 that ends the reading. */
const SPARE_BYTES = 2;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/**
 * Reads a text that comes in pieces, counts its records and checks each of them.
 *
 * What it returns is the text as it was written, without the brackets of an array, the line of names, blanks around records,
 * and empty lines.
 */
export class RecordReader {
  readonly #layout: Layout;
  readonly #scanner: Scanner;
  #filled = 0;
  #lastByte = NEWLINE;

  /** Reads records of up to `limit` bytes: `blockBytes` at once, or more where a record is larger than that. */
  constructor(format: SnapshotFormat, limit: number, blockBytes = BLOCK_BYTES) {
    const scanner = new Scanner(blockBytes + SPARE_BYTES);
    this.#scanner = scanner;
    this.#layout =
      format === "csv"
        ? new CsvLayout(scanner, limit)
        : format === "json"
          ? new ArrayLayout(scanner, limit)
          : new LineLayout(scanner, limit);
  }

  get records(): number {
    return this.#layout.records;
  }

  /** For CSV the line with the names, once it has been read. */
  get header(): Buffer | undefined {
    return this.#layout.header;
  }

  /** Takes a piece; returns what has been read, which is less or more than the piece. Each is good until the next one. */
  *read(piece: Uint8Array): Generator<Buffer> {
    for (let from = 0; from < piece.length; ) {
      const stretch = piece.subarray(from, from + this.#room);
      this.#scanner.block.set(stretch, this.#filled);
      this.#filled += stretch.length;
      from += stretch.length;
      if (this.#room === 0) yield* this.#readBlock();
    }
    this.#lastByte = piece.at(-1) ?? this.#lastByte;
  }

  /** Returns the rest; throws when the text is cut short. */
  *end(): Generator<Buffer> {
    // The last line may lack its end.
    if (this.#lastByte !== NEWLINE) this.#scanner.block[this.#filled++] = NEWLINE;
    yield* this.#readBlock();
    this.#layout.end(this.#filled);
  }

  get #room(): number {
    return this.#scanner.block.length - SPARE_BYTES - this.#filled;
  }

  /** Reads the records that are complete, and begins a new block with the one that is not. */
  *#readBlock(): Generator<Buffer> {
    const { block } = this.#scanner;
    const filled = this.#filled;
    block[filled] = 0;
    const kept = new Kept(block);
    const end = this.#layout.read(filled, kept);
    yield kept.bytes;
    block.copyWithin(0, end, filled);
    this.#filled = filled - end;
    // Twice the rest: a record of many blocks must not be read anew for each of them.
    const bytes = 2 * this.#filled + SPARE_BYTES;
    if (bytes > block.length) this.#scanner.grow(bytes);
  }
}

/** What goes to the file of a block; moved together, so that it is one stretch. */
class Kept {
  readonly #block: Buffer;
  #from = 0;
  #to = 0;

  constructor(block: Buffer) {
    this.#block = block;
  }

  get bytes(): Buffer {
    return this.#block.subarray(this.#from, this.#to);
  }

  /** Everything before `to` must have been read: it may be overwritten. */
  add(from: number, to: number): void {
    if (this.#from === this.#to) this.#from = this.#to = from;
    if (from !== this.#to) this.#block.copyWithin(this.#to, from, to);
    this.#to += to - from;
  }
}

/** How a format lays its records out. */
abstract class Layout {
  records = 0;
  header: Buffer | undefined;
  protected readonly scanner: Scanner;
  readonly #limit: number;

  constructor(scanner: Scanner, limit: number) {
    this.scanner = scanner;
    this.#limit = limit;
  }

  /**
   * Reads what is complete of the scanner's block, which is filled up to `filled` and has a 0 there, and says what to keep.
   * Returns the index where the rest begins: the record that is not complete.
   */
  abstract read(filled: number, kept: Kept): number;

  /** There is nothing more to read but a rest of so many bytes. */
  abstract end(rest: number): void;

  protected checkSize(bytes: number): void {
    if (bytes > this.#limit) throw new OversizedRecordError(`a record is larger than ${this.#limit} bytes`);
  }
}

const isBlank = (byte: number | undefined): boolean =>
  byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;

/** Where a text of JSON is between its records. */
type Place = "before" | "first" | "next" | "behind" | "after";

/** What to do with a byte between the records: a record begins with it, or it goes to the file, or it does not. */
type Step = "begin" | "keep" | "skip";

abstract class JsonLayout extends Layout {
  protected place: Place = "before";
  /** Whether a record may have several lines. */
  protected abstract readonly hasLines: boolean;

  read(filled: number, kept: Kept): number {
    const { block } = this.scanner;
    let at = 0;
    while (at < filled) {
      const step = this.step(block[at]);
      if (step === "begin") {
        const end = this.#recordEnd(at);
        if (~end === filled) return at;
        if (end < 0) throw this.#broken(~end - at);
        this.records++;
        this.place = "behind";
        kept.add(at, end);
        at = end;
      } else {
        if (step === "keep") kept.add(at, at + 1);
        at++;
      }
    }
    return at;
  }

  protected abstract step(byte: number | undefined): Step;

  #recordEnd(from: number): number {
    const end = this.scanner.valueEnd(from, this.hasLines);
    this.checkSize((end < 0 ? ~end : end) - from);
    return end;
  }

  #broken(bytes: number): MalformedRecordsError {
    return new MalformedRecordsError(`record ${this.records + 1} is not JSON, or is cut short (after ${bytes} bytes)`);
  }
}

class LineLayout extends JsonLayout {
  protected readonly hasLines = false;

  end(): void {}

  protected step(byte: number | undefined): Step {
    if (byte === NEWLINE && this.place === "behind") {
      this.place = "before";
      return "keep";
    }
    if (isBlank(byte)) return "skip";
    if (this.place === "before") return "begin";
    throw new MalformedRecordsError(`record ${this.records} does not end its line`);
  }
}

class ArrayLayout extends JsonLayout {
  protected readonly hasLines = true;

  end(): void {
    if (this.place === "after") return;
    throw new MalformedRecordsError(`the JSON array is cut short after ${this.records} records`);
  }

  protected step(byte: number | undefined): Step {
    if (isBlank(byte)) return this.place === "next" ? "keep" : "skip";
    if (this.place === "next") return "begin";
    if (this.place === "first" && byte !== CLOSE_ARRAY) return "begin";
    if (this.place === "behind" && byte === COMMA) {
      this.place = "next";
      return "keep";
    }
    if (this.place === "before" && byte === OPEN_ARRAY) this.place = "first";
    else if (byte === CLOSE_ARRAY && (this.place === "first" || this.place === "behind")) this.place = "after";
    else throw new MalformedRecordsError(`it is not one JSON array (after ${this.records} records)`);
    return "skip";
  }
}

/** A record a line, except that quoted cells may hold line ends. */
class CsvLayout extends Layout {
  /** Commas between the names; none before there are any. */
  #columns = -1;

  read(filled: number, kept: Kept): number {
    const { block } = this.scanner;
    let from = 0;
    let commas = 0;
    for (let at = 0; at < filled; at++) {
      at = cellEnd(block, at, filled);
      if (at < 0) throw this.#broken(~at - from);
      if (block[at] === COMMA) commas++;
      else if (at < filled) {
        this.#addRow(block, from, at, commas, kept);
        from = at + 1;
        commas = 0;
      }
    }
    this.checkSize(withoutReturn(block, from, filled) - from);
    return from;
  }

  end(rest: number): void {
    if (rest > 0) throw new MalformedRecordsError(`the CSV is cut short after ${this.records} records`);
    if (this.header === undefined) throw new MalformedRecordsError("the CSV has no line of names");
  }

  #addRow(block: Buffer, from: number, newline: number, commas: number, kept: Kept): void {
    const end = withoutReturn(block, from, newline);
    this.checkSize(end - from);
    if (this.header === undefined) this.#begin(block.subarray(from, end), commas);
    else if (this.#isRecord(end - from, commas)) {
      this.records++;
      kept.add(from, end);
      kept.add(newline, newline + 1);
    }
  }

  /** The line of names is the first one that is not empty. */
  #begin(row: Buffer, commas: number): void {
    if (row.length === 0) return;
    if (row.includes(RETURN)) throw new MalformedRecordsError("the lines of the CSV do not end with a newline");
    this.header = Buffer.from(row);
    this.#columns = commas;
  }

  #broken(bytes: number): MalformedRecordsError {
    return new MalformedRecordsError(
      `record ${this.records + 1} has something behind the quotes of a cell (after ${bytes} bytes)`,
    );
  }

  #isRecord(bytes: number, commas: number): boolean {
    // With one column an empty line is a record with an empty cell.
    if (bytes === 0 && this.#columns > 0) return false;
    if (commas === this.#columns) return true;
    throw new MalformedRecordsError(
      `record ${this.records + 1} has ${commas + 1} cells under ${this.#columns + 1} names`,
    );
  }
}

/** The end of a row whose line end may be that of Windows. */
const withoutReturn = (block: Buffer, from: number, newline: number): number =>
  newline > from && block[newline - 1] === RETURN ? newline - 1 : newline;

/**
 * The index of the comma or newline behind the cell that begins at `from` (RFC 4180), or `filled` where there is none before
 * that; where something stands behind the quotes, the complement (`~`) of its index. A quote within a cell that does not
 * begin with one is a character like any other.
 */
function cellEnd(block: Buffer, from: number, filled: number): number {
  let at = from;
  // A quote within a quoted cell is written twice: the cell is left and entered again.
  while (block[at] === QUOTE) {
    do at++;
    while (block[at] !== QUOTE && at < filled);
    at++;
  }
  if (at > from && at < filled && !isCellEnd(block[at])) return ~at;
  while (block[at] !== COMMA && block[at] !== NEWLINE && at < filled) at++;
  return at < filled ? at : filled;
}

const isCellEnd = (byte: number | undefined): boolean => byte === COMMA || byte === NEWLINE || byte === RETURN;
