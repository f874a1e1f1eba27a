import { isUtf8 } from "node:buffer";
import { succeeds } from "../base/cause";
import { counted } from "../base/counted";
import { itemEnds, withoutBlanks } from "./arrayItems";

/** How the service lays records out: one a line, or as rows under a line of names. */
export type Layout = "ndjson" | "csv";

/** The text is not what its format makes it. The message does not quote it. */
export class MalformedRecordsError extends Error {}

export class OversizedRecordError extends Error {}

/** So few that they stay in the processor's cache until they are written. */
const BLOCK_BYTES = 256 * 1024;
/** Behind what has been filled of a block: for a line end, and because reading outside of it is slow. */
const SPARE_BYTES = 2;

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

const BYTE_ORDER_MARK = Buffer.from("\ufeff");

/**
 * Reads a text that comes in pieces, and counts its records.
 *
 * What it returns is the text as it was written, without the line of names, blanks around records, and empty lines; of an array in a
 * line of NDJSON, a line for each item. Of a line of NDJSON it checks that it begins and ends as a value of JSON does, and that it is UTF-8; a value without brackets and a last line
 * without an end, which may be cut short, it parses. Of a row of CSV it checks the quotes, the number of cells, and that it is UTF-8.
 */
export class RecordReader {
  readonly #records: Records;
  #block: Buffer;
  #filled = 0;

  /** Reads records of up to `limit` bytes: `blockBytes` at once, or more where a record is larger than that. */
  constructor(layout: Layout, limit: number, blockBytes = BLOCK_BYTES) {
    this.#block = Buffer.allocUnsafeSlow(blockBytes + SPARE_BYTES);
    this.#records = layout === "csv" ? new CsvRecords(limit) : new LineRecords(limit);
  }

  get records(): number {
    return this.#records.count;
  }

  /** For CSV the line with the names, once it has been read. */
  get header(): Buffer | undefined {
    return this.#records.header;
  }

  /** Takes a piece; returns what has been read, which is less or more than the piece. Each is good until the next one. */
  *read(piece: Uint8Array): Generator<Buffer> {
    for (let from = 0; from < piece.length; ) {
      const stretch = piece.subarray(from, from + this.#room);
      this.#block.set(stretch, this.#filled);
      this.#filled += stretch.length;
      from += stretch.length;
      if (this.#room === 0) yield* this.#readBlock();
    }
  }

  /** Returns the rest; throws when the text is cut short. */
  *end(): Generator<Buffer> {
    yield* this.#readBlock();
    if (this.#filled > 0) {
      this.#records.checkLast(this.#block.subarray(0, this.#filled));
      this.#block[this.#filled++] = NEWLINE;
      yield* this.#readBlock();
    }
    this.#records.end(this.#filled);
  }

  get #room(): number {
    return this.#block.length - SPARE_BYTES - this.#filled;
  }

  /** Reads the records that are complete, and begins a new block with the one that is not. */
  *#readBlock(): Generator<Buffer> {
    const block = this.#block;
    const filled = this.#filled;
    const kept = new KeptStretch(block);
    const end = this.#records.read(block, filled, kept);
    yield kept.bytes;
    this.#filled = filled - end;
    // Twice the rest: a record of many blocks must not be read anew for each of them.
    const bytes = 2 * this.#filled + SPARE_BYTES;
    if (bytes > block.length) this.#block = Buffer.allocUnsafeSlow(bytes);
    block.copy(this.#block, 0, end, filled);
  }
}

/** What goes to the file of a block; moved together, so that it is one stretch. */
class KeptStretch {
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

abstract class Records {
  count = 0;
  header: Buffer | undefined;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reads what is complete of a block up to `filled`, and says what to keep. Returns where the rest begins: the record that is not
   * complete.
   */
  abstract read(block: Buffer, filled: number, kept: KeptStretch): number;

  /** Looks at a last line that has no end, before it is read. */
  checkLast(_line: Buffer): void {}

  /** There is nothing more to read but a rest of so many bytes. */
  abstract end(rest: number): void;

  protected checkSize(bytes: number): void {
    if (bytes > this.#limit) throw new OversizedRecordError(`a record is larger than ${this.#limit} bytes`);
  }
}

/** Brackets that a value of JSON begins with, and those that it then ends with. */
const BRACKETS: Readonly<Record<number, number>> = { 91: 0x5d, 123: 0x7d };

class LineRecords extends Records {
  #isBegun = false;

  read(block: Buffer, filled: number, kept: KeptStretch): number {
    const text = block.subarray(0, filled);
    const isText = isTextToLineEnd(text);
    let from = this.#begin(text);
    for (let newline = text.indexOf(NEWLINE); newline >= 0; newline = text.indexOf(NEWLINE, from)) {
      this.#addLine(text, from, newline, kept);
      from = newline + 1;
    }
    if (!isText) throw new MalformedRecordsError(`one of the first ${counted(this.count, "record")} is not UTF-8`);
    this.checkSize(filled - from);
    return from;
  }

  override checkLast(line: Buffer): void {
    const text = line.toString().trim();
    if (text !== "" && !isJson(text)) throw this.#broken(this.count + 1);
  }

  end(): void {}

  /** Where the text begins that a block begins with. */
  #begin(text: Buffer): number {
    if (this.#isBegun || text.length < BYTE_ORDER_MARK.length) return 0;
    this.#isBegun = true;
    return text.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  }

  #addLine(block: Buffer, from: number, newline: number, kept: KeptStretch): void {
    const [begin, end] = withoutBlanks(block, from, newline);
    if (begin === end) return;
    this.checkSize(end - begin);
    if (block[begin] === OPENING_BRACKET) this.#addItems(block, begin, end, kept);
    else this.#add(block, begin, end, newline, kept);
  }

  /** The records of an array, where a service that knows no NDJSON answers one. */
  #addItems(block: Buffer, begin: number, end: number, kept: KeptStretch): void {
    const [first, last] = withoutBlanks(block, begin + 1, end - 1);
    let from = begin + 1;
    let isWhole = false;
    for (const to of itemEnds(block, begin, end)) {
      isWhole = to === end - 1 && block[to] === CLOSING_BRACKET;
      if (isWhole && first >= last) break;
      const [itemBegin, itemEnd] = withoutBlanks(block, from, to);
      from = to + 1;
      block[to] = NEWLINE;
      this.#add(block, itemBegin, itemEnd, to, kept);
    }
    if (!isWhole) throw this.#broken(this.count + 1);
  }

  /** @param newline where its line end stands */
  #add(block: Buffer, begin: number, end: number, newline: number, kept: KeptStretch): void {
    this.count++;
    const closing = BRACKETS[block[begin] ?? 0];
    const looksWhole = closing === undefined ? isJson(block.toString("utf8", begin, end)) : block[end - 1] === closing;
    if (!looksWhole) throw this.#broken(this.count);
    kept.add(begin, end);
    kept.add(newline, newline + 1);
  }

  #broken(record: number): MalformedRecordsError {
    return new MalformedRecordsError(`record ${record} is not JSON, or is cut short`);
  }
}

/** Whether the lines that have an end are UTF-8. To be asked before any record is moved: that may cut a character. */
const isTextToLineEnd = (text: Buffer): boolean => isUtf8(text.subarray(0, text.lastIndexOf(NEWLINE) + 1));

const isJson = (text: string): boolean => succeeds(() => JSON.parse(text));

/** A record a line, except that quoted cells may hold line ends. */
class CsvRecords extends Records {
  /** Commas between the names; none before there are any. */
  #columns = -1;

  read(block: Buffer, filled: number, kept: KeptStretch): number {
    const isText = isTextToLineEnd(block.subarray(0, filled));
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
    if (!isText) throw new MalformedRecordsError(`the CSV is not UTF-8, in record ${this.count + 1} or before`);
    this.checkSize(withoutReturn(block, from, filled) - from);
    return from;
  }

  end(rest: number): void {
    if (rest > 0) throw new MalformedRecordsError(`the CSV is cut short after ${counted(this.count, "record")}`);
    if (this.header === undefined) throw new MalformedRecordsError("the CSV has no line of names");
  }

  #addRow(block: Buffer, from: number, newline: number, commas: number, kept: KeptStretch): void {
    const end = withoutReturn(block, from, newline);
    this.checkSize(end - from);
    if (this.header === undefined) this.#begin(block.subarray(from, end), commas);
    else if (this.#isRecord(end - from, commas)) {
      this.count++;
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
      `record ${this.count + 1} has something behind the quotes of a cell (after ${bytes} bytes)`,
    );
  }

  #isRecord(bytes: number, commas: number): boolean {
    // With one column an empty line is a record with an empty cell.
    if (bytes === 0 && this.#columns > 0) return false;
    if (commas === this.#columns) return true;
    throw new MalformedRecordsError(
      `record ${this.count + 1} has ${commas + 1} cells under ${this.#columns + 1} names`,
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
