import type { SnapshotFormat } from "../model/snapshot";
import type { DownloadJournal } from "./journal";
import { type Layout, MalformedRecordsError, RecordReader } from "./recordReader";

interface Joined {
  /** Of the file. */
  format: SnapshotFormat;
  /** Of the service's answers. */
  form: { format: Layout };
  journal: DownloadJournal;
  /** Bytes that a record may have. */
  limit: number;
}

export class Joiner {
  readonly #format: SnapshotFormat;
  readonly #journal: DownloadJournal;
  readonly #reader: RecordReader;
  /** Whether something of this part has been returned. */
  #isOpened = false;
  /** For JSON: what is returned, each time in the same place. */
  #array = NOTHING;

  constructor({ format, form, journal, limit }: Joined) {
    this.#format = format;
    this.#journal = journal;
    this.#reader = new RecordReader(form.format, limit);
  }

  get records(): number {
    return this.#reader.records;
  }

  /** For CSV the line of names. */
  get header(): string | null {
    return this.#reader.header?.toString("utf8") ?? null;
  }

  async *join(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      for (const records of this.#reader.read(piece)) yield* this.#joined(records);
    }
    for (const records of this.#reader.end()) yield* this.#joined(records);
  }

  *#joined(records: Buffer): Generator<Buffer> {
    if (this.#format === "csv") yield* this.#names();
    if (records.length > 0) yield this.#format === "json" ? this.#elements(records) : records;
  }

  /** The line of names, which stands above the first part. */
  *#names(): Generator<Buffer> {
    const names = this.#reader.header;
    if (this.#isOpened || names === undefined) return;
    this.#isOpened = true;
    const { done, header } = this.#journal;
    // Its bytes as they came, whatever they stand for.
    if (done.length === 0) yield Buffer.concat([names, Buffer.from("\n")]);
    else if (header !== this.header) throw new MalformedRecordsError("it has other columns than the parts before");
  }

  /** Lines as elements of the array, with what stands before each; nothing behind, for they may be the last ones. */
  #elements(lines: Buffer): Buffer {
    // Each is at least two bytes, its end included, and takes one more.
    if (this.#array.length < 2 * lines.length) this.#array = Buffer.allocUnsafeSlow(2 * lines.length);
    let length = 0;
    let from = 0;
    for (let end = lines.indexOf(NEWLINE); end >= 0; end = lines.indexOf(NEWLINE, from)) {
      this.#array[length++] = this.#isOpened || this.#journal.records > 0 ? COMMA : OPEN_ARRAY;
      this.#array[length++] = NEWLINE;
      length += lines.copy(this.#array, length, from, end);
      from = end + 1;
      this.#isOpened = true;
    }
    return this.#array.subarray(0, length);
  }
}

const NEWLINE = 0x0a;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const NOTHING = Buffer.alloc(0);
const END_OF_ARRAY = Buffer.from("\n]\n");
const EMPTY_ARRAY = Buffer.from("[]\n");

/** What comes behind the last part. */
export function endOf(format: SnapshotFormat, records: number): Buffer {
  if (format !== "json") return NOTHING;
  return records > 0 ? END_OF_ARRAY : EMPTY_ARRAY;
}
