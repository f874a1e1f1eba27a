import type { SnapshotFormat } from "../remote/snapshots";

/** Cuts a text that comes in pieces into its records, each as it was written, and checks them on the way. */
export interface RecordSplitter {
  /** For CSV the line with the names, once it has come. */
  readonly header: Buffer | undefined;
  /** The records that this piece completes. */
  push(piece: Uint8Array): Buffer[];
  /** What is left; throws when the text is cut short. */
  end(): Buffer[];
}

/** The text is not what its format makes it. The message does not quote it. */
export class MalformedRecordsError extends Error {}

/** A record is larger than the limit. */
export class OversizedRecordError extends Error {}

/** A splitter that holds no more of a record than `limit` bytes. */
export const recordSplitter = (format: SnapshotFormat, limit: number): RecordSplitter => {
  const begun = new Begun(limit);
  return format === "csv"
    ? new CsvSplitter(begun)
    : format === "json"
      ? new ArraySplitter(begun)
      : new LineSplitter(begun);
};

const code = (character: string): number => character.charCodeAt(0);

const NEWLINE = code("\n");
const RETURN = code("\r");
const QUOTE = code('"');
const BACKSLASH = code("\\");
const COMMA = code(",");
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [code("["), code("]"), code("{"), code("}")];
const BLANKS = new Set([code(" "), code("\t"), NEWLINE, RETURN]);

/** A record of which only the beginning has come. */
class Begun {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #length = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get empty(): boolean {
    return this.#pieces.length === 0;
  }

  keep(piece: Buffer): void {
    this.#grow(piece);
    if (piece.length > 0) this.#pieces.push(piece);
  }

  complete(end: Buffer): Buffer {
    this.#grow(end);
    const whole = this.empty ? end : Buffer.concat([...this.#pieces, end]);
    this.#pieces = [];
    this.#length = 0;
    return whole;
  }

  #grow(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > this.#limit) throw new OversizedRecordError(`a record is larger than ${this.#limit} bytes`);
  }
}

/** A record a line. */
class LineSplitter implements RecordSplitter {
  readonly header = undefined;
  readonly #begun: Begun;
  #count = 0;

  constructor(begun: Begun) {
    this.#begun = begun;
  }

  push(piece: Uint8Array): Buffer[] {
    const bytes = asBuffer(piece);
    const records: Buffer[] = [];
    let from = 0;
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.#add(records, this.#begun.complete(bytes.subarray(from, end)));
      from = end + 1;
    }
    this.#begun.keep(bytes.subarray(from));
    return records;
  }

  end(): Buffer[] {
    const records: Buffer[] = [];
    this.#add(records, this.#begun.complete(Buffer.alloc(0)));
    return records;
  }

  #add(records: Buffer[], line: Buffer): void {
    const record = trimmed(line);
    if (record.length === 0) return;
    records.push(checkedJson(record, ++this.#count));
  }
}

/** One JSON array. */
class ArraySplitter implements RecordSplitter {
  readonly header = undefined;
  readonly #begun: Begun;
  #place: "before" | "between" | "inside" | "after" = "before";
  #depth = 0;
  #quoted = false;
  #escaped = false;
  #afterComma = false;
  #count = 0;

  constructor(begun: Begun) {
    this.#begun = begun;
  }

  push(piece: Uint8Array): Buffer[] {
    const bytes = asBuffer(piece);
    const records: Buffer[] = [];
    let from = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      if (this.#place === "inside") {
        if (!this.#endsRecord(byte)) continue;
        const record = trimmed(this.#begun.complete(bytes.subarray(from, index)));
        records.push(checkedJson(record, ++this.#count));
        this.#place = byte === COMMA ? "between" : "after";
        this.#afterComma = byte === COMMA;
      } else if (!BLANKS.has(byte)) {
        this.#step(byte);
        if (this.#inside()) from = index--;
      }
    }
    if (this.#inside()) this.#begun.keep(bytes.subarray(from));
    return records;
  }

  end(): Buffer[] {
    if (this.#place !== "after")
      throw new MalformedRecordsError(`the JSON array is cut short after ${this.#count} records`);
    return [];
  }

  #inside(): boolean {
    return this.#place === "inside";
  }

  /** A byte outside of the records. */
  #step(byte: number): void {
    if (this.#place === "before" && byte === OPEN_ARRAY) this.#place = "between";
    else if (this.#place === "between" && byte === CLOSE_ARRAY && !this.#afterComma) this.#place = "after";
    else if (this.#place === "between" && byte !== CLOSE_ARRAY) this.#place = "inside";
    else throw new MalformedRecordsError(`it is not one JSON array (after ${this.#count} records)`);
  }

  /** Whether the byte is the comma or bracket behind a record. */
  #endsRecord(byte: number): boolean {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false;
      else if (byte === BACKSLASH) this.#escaped = true;
      else if (byte === QUOTE) this.#quoted = false;
      return false;
    }
    if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) return true;
    if (byte === QUOTE) this.#quoted = true;
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    return false;
  }
}

/** A line of names, then a line a record; a quoted cell may hold line ends. */
class CsvSplitter implements RecordSplitter {
  header: Buffer | undefined;
  readonly #begun: Begun;
  #quoted = false;
  #commas = 0;
  #columns = 0;
  #count = 0;

  constructor(begun: Begun) {
    this.#begun = begun;
  }

  push(piece: Uint8Array): Buffer[] {
    const bytes = asBuffer(piece);
    const records: Buffer[] = [];
    let from = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      // A quote within a quoted cell is written twice, which changes nothing in the end.
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      else if (this.#quoted) continue;
      else if (byte === COMMA) this.#commas++;
      else if (byte === NEWLINE) {
        this.#add(records, this.#begun.complete(bytes.subarray(from, index)));
        from = index + 1;
      }
    }
    this.#begun.keep(bytes.subarray(from));
    return records;
  }

  end(): Buffer[] {
    if (this.#quoted) throw new MalformedRecordsError(`the CSV is cut short after ${this.#count} records`);
    const records: Buffer[] = [];
    if (!this.#begun.empty) this.#add(records, this.#begun.complete(Buffer.alloc(0)));
    if (this.header === undefined) throw new MalformedRecordsError("the CSV has no line of names");
    return records;
  }

  #add(records: Buffer[], line: Buffer): void {
    const commas = this.#commas;
    this.#commas = 0;
    const row = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
    if (this.header === undefined) {
      if (row.length === 0) return;
      this.header = Buffer.from(row);
      this.#columns = commas;
      return;
    }
    // With one column an empty line is a record with an empty cell.
    if (row.length === 0 && this.#columns > 0) return;
    if (commas !== this.#columns) {
      throw new MalformedRecordsError(
        `record ${this.#count + 1} has ${commas + 1} cells under ${this.#columns + 1} names`,
      );
    }
    this.#count++;
    records.push(row);
  }
}

function checkedJson(record: Buffer, number: number): Buffer {
  try {
    JSON.parse(record.toString("utf8"));
  } catch {
    throw new MalformedRecordsError(`record ${number} is not JSON, or is cut short (${record.length} bytes)`);
  }
  return record;
}

function trimmed(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && BLANKS.has(bytes[end - 1] as number)) end--;
  return bytes.subarray(0, end);
}

const asBuffer = (piece: Uint8Array): Buffer => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
