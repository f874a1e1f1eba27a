import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { csvLine } from "./csv";
import type { RecordSource } from "./snapshot";

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
  const columns = format === "csv" && from < to ? Object.keys(records.at(from)) : [];
  let chunk = format === "json" ? "[" : format === "csv" ? csvLine(columns) : "";
  for (let index = from; index < to; index++) {
    const record = records.at(index);
    if (format === "csv") chunk += csvLine(columns.map((column) => record[column]));
    else if (format === "json") chunk += `${index === from ? "" : ","}${JSON.stringify(record)}`;
    else chunk += `${JSON.stringify(record)}\n`;
    if (chunk.length >= CHUNK_LENGTH) {
      yield chunk;
      chunk = "";
    }
  }
  yield format === "json" ? `${chunk}]` : chunk;
}

/** The same, as a gzip file. */
export const gzipped = (chunks: AsyncIterable<string>): AsyncIterable<Buffer> =>
  // Whoever stops reading early ends the whole pipeline; that is not an error of anybody's.
  pipeline(Readable.from(chunks), createGzip(), () => {});
