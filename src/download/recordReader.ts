import type { SnapshotFormat } from "../remote/snapshots";
import { JsonValue } from "./jsonValue";

/** Reads a text that comes in pieces, counts its records and checks each of them, and holds none. */
export interface RecordReader {
  /** Records that are complete. */
  readonly records: number;
  /** For CSV the line with the names, once it has come. */
  readonly header: Buffer | undefined;
  /**
   * Reads on. Returns what of the piece belongs to records or separates them, as it was written: without the brackets of an
   * array, the line of names, blanks around records, and empty lines.
   */
  read(piece: Uint8Array): Buffer[];
  /** Returns what the last record lacks; throws when the text is cut short. */
  end(): Buffer[];
}

/** The text is not what its format makes it. The message does not quote it. */
export class MalformedRecordsError extends Error {}

/** A record is larger than the limit. */
export class OversizedRecordError extends Error {}

/** A reader of records of up to `limit` bytes. */
export const recordReader = (format: SnapshotFormat, limit: number): RecordReader =>
  format === "csv" ? new CsvReader(limit) : format === "json" ? new ArrayReader(limit) : new LineReader(limit);

const code = (character: string): number => character.charCodeAt(0);

const NEWLINE = code("\n");
const RETURN = code("\r");
const QUOTE = code('"');
const COMMA = code(",");
const [OPEN_ARRAY, CLOSE_ARRAY] = [code("["), code("]")];
const BLANKS = new Set([code(" "), code("\t"), NEWLINE, RETURN]);

const LINE_END = Buffer.from("\n");

/** Stretches of a piece, in order. Those that touch become one. */
class Stretches {
  readonly #piece: Buffer;
  readonly #before: Buffer[] = [];
  #from = 0;
  #to = 0;

  constructor(piece: Buffer) {
    this.#piece = piece;
  }

  add(from: number, to: number): void {
    if (from !== this.#to) {
      this.#cut();
      this.#from = from;
    }
    this.#to = to;
  }

  all(): Buffer[] {
    this.#cut();
    return this.#before;
  }

  #cut(): void {
    if (this.#to > this.#from) this.#before.push(this.#piece.subarray(this.#from, this.#to));
  }
}

/** Counts the bytes of a record. */
class RecordSize {
  readonly #limit: number;
  bytes = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  grow(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.#limit) throw new OversizedRecordError(`a record is larger than ${this.#limit} bytes`);
  }
}

/** Where a text of JSON is: each layout begins with `before` and may have places of its own between two records. */
type Place = "before" | "first" | "next" | "inside" | "behind" | "after";

/** What to do with a byte outside of the records: a record begins with it, or it goes to the file, or it does not. */
type Step = "begin" | "keep" | "skip";

/** Records of JSON, in one of their layouts. */
abstract class JsonReader implements RecordReader {
  readonly header = undefined;
  records = 0;
  protected place: Place = "before";
  protected readonly value: JsonValue;
  readonly #size: RecordSize;

  constructor(value: JsonValue, limit: number) {
    this.value = value;
    this.#size = new RecordSize(limit);
  }

  read(piece: Uint8Array): Buffer[] {
    const bytes = asBuffer(piece);
    const kept = new Stretches(bytes);
    let at = 0;
    while (at < bytes.length) {
      if (this.place === "inside") {
        const from = at;
        at = this.value.read(bytes, from);
        kept.add(from, at);
        this.#size.grow(at - from);
        this.#settle();
      } else {
        const what = this.step(bytes[at] as number);
        if (what === "keep") kept.add(at, at + 1);
        if (what === "begin") this.#begin();
        else at++;
      }
    }
    return kept.all();
  }

  protected abstract step(byte: number): Step;

  abstract end(): Buffer[];

  protected endValue(): void {
    this.value.end();
    this.#settle();
    if (this.place === "inside") throw this.#broken();
  }

  #begin(): void {
    this.value.reset();
    this.#size.bytes = 0;
    this.place = "inside";
  }

  #settle(): void {
    if (this.value.isBroken) throw this.#broken();
    if (!this.value.isComplete) return;
    this.records++;
    this.place = "behind";
  }

  #broken(): MalformedRecordsError {
    const { bytes } = this.#size;
    return new MalformedRecordsError(`record ${this.records + 1} is not JSON, or is cut short (after ${bytes} bytes)`);
  }
}

/** A record a line. */
class LineReader extends JsonReader {
  constructor(limit: number) {
    super(new JsonValue({ lines: false }), limit);
  }

  end(): Buffer[] {
    if (this.place === "inside") this.endValue();
    return this.place === "behind" ? [LINE_END] : [];
  }

  protected step(byte: number): Step {
    if (byte === NEWLINE && this.place === "behind") {
      this.place = "before";
      return "keep";
    }
    if (BLANKS.has(byte)) return "skip";
    if (this.place === "before") return "begin";
    throw new MalformedRecordsError(`record ${this.records} does not end its line`);
  }
}

/** One JSON array. */
class ArrayReader extends JsonReader {
  constructor(limit: number) {
    super(new JsonValue({ lines: true }), limit);
  }

  end(): Buffer[] {
    if (this.place === "after") return [];
    throw new MalformedRecordsError(`the JSON array is cut short after ${this.records} records`);
  }

  protected step(byte: number): Step {
    if (BLANKS.has(byte)) return this.place === "next" ? "keep" : "skip";
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
class CsvReader implements RecordReader {
  records = 0;
  header: Buffer | undefined;
  readonly #size: RecordSize;
  readonly #names: Buffer[] = [];
  #columns = 0;
  #commas = 0;
  #isQuoted = false;
  /** The carriage return that the piece before ended with: a line end may follow, of which it is a part. */
  #held: Buffer = Buffer.alloc(0);

  constructor(limit: number) {
    this.#size = new RecordSize(limit);
  }

  read(piece: Uint8Array): Buffer[] {
    const bytes = this.#withoutLastReturn(asBuffer(piece));
    const kept = new Stretches(bytes);
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      // A quote within a quoted cell is written twice, which changes nothing in the end.
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (byte > COMMA || this.#isQuoted) continue;
      else if (byte === COMMA) this.#commas++;
      else if (byte === NEWLINE) {
        this.#add(kept, bytes, from, at > from && bytes[at - 1] === RETURN ? at - 1 : at);
        if (this.#endRow()) kept.add(at, at + 1);
        from = at + 1;
      }
    }
    this.#add(kept, bytes, from, bytes.length);
    return kept.all();
  }

  end(): Buffer[] {
    if (this.#isQuoted) throw new MalformedRecordsError(`the CSV is cut short after ${this.records} records`);
    const isRecord = this.#size.bytes > 0 && this.#endRow();
    if (this.header === undefined) throw new MalformedRecordsError("the CSV has no line of names");
    return isRecord ? [LINE_END] : [];
  }

  #withoutLastReturn(piece: Buffer): Buffer {
    const bytes = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece]);
    const end = bytes.at(-1) === RETURN ? bytes.length - 1 : bytes.length;
    this.#held = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** Takes bytes of a row. */
  #add(kept: Stretches, bytes: Buffer, from: number, to: number): void {
    this.#size.grow(to - from);
    if (this.header === undefined) this.#names.push(bytes.subarray(from, to));
    else kept.add(from, to);
  }

  /** Whether the row is a record. */
  #endRow(): boolean {
    const { bytes } = this.#size;
    const commas = this.#commas;
    this.#size.bytes = 0;
    this.#commas = 0;
    if (this.header === undefined) {
      if (bytes === 0) return false;
      this.header = Buffer.concat(this.#names);
      this.#columns = commas;
      return false;
    }
    // With one column an empty line is a record with an empty cell.
    if (bytes === 0 && this.#columns > 0) return false;
    if (commas !== this.#columns) {
      throw new MalformedRecordsError(
        `record ${this.records + 1} has ${commas + 1} cells under ${this.#columns + 1} names`,
      );
    }
    this.records++;
    return true;
  }
}

const asBuffer = (piece: Uint8Array): Buffer => Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
