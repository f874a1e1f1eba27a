import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { RecordSource } from "../account/snapshot";
import { csvLine } from "./csv";

export const RECORD_FORMATS = ["json", "ndjson", "jsonl", "csv"] as const;
export type RecordFormat = (typeof RECORD_FORMATS)[number];

export const CONTENT_TYPES: Readonly<Record<RecordFormat, string>> = {
  json: "application/json; charset=utf-8",
  ndjson: "application/x-ndjson; charset=utf-8",
  jsonl: "application/jsonl; charset=utf-8",
  csv: "text/csv; charset=utf-8",
};

/** Which records: from the first, up to but not with the last. */
export interface RecordRange {
  from: number;
  to: number;
}

const CHUNK_LENGTH = 64 * 1024;

/** The records in the given format, a chunk at a time, so that a snapshot of any size takes the same memory. */
export async function* recordStream(
  records: RecordSource,
  { from, to }: RecordRange,
  format: RecordFormat,
): AsyncGenerator<string> {
  const { begin, write, between, end } = writerOf(format, () => (from < to ? Object.keys(records.at(from)) : []));
  let chunk = begin;
  for (let index = from; index < to; index++) {
    chunk += (index === from ? "" : between) + write(records.at(index));
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = "";
  }
  yield chunk + end;
}

interface Writer {
  begin: string;
  write(record: Record<string, unknown>): string;
  between: string;
  end: string;
}

function writerOf(format: RecordFormat, columnsOfFirst: () => string[]): Writer {
  if (format === "json") return { begin: "[", write: (record) => JSON.stringify(record), between: ",", end: "]" };
  if (format !== "csv") return { begin: "", write: (record) => `${JSON.stringify(record)}\n`, between: "", end: "" };
  const columns = columnsOfFirst();
  const write: Writer["write"] = (record) => csvLine(columns.map((column) => record[column]));
  return { begin: csvLine(columns), write, between: "", end: "" };
}

/** The same, as a gzip file. */
export const gzipped = (chunks: AsyncIterable<string>): AsyncIterable<Buffer> =>
  // Whoever stops reading early ends the whole pipeline; that is not an error of anybody's.
  pipeline(Readable.from(chunks), createGzip(), () => {});
