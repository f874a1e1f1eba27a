import { codeOf } from "../base/cause";
import { type RequestContext, ResponseFormatError } from "../base/errors";
import { RecordTooLargeError } from "../remote/snapshotErrors";
import { MalformedRecordsError } from "./recordReader";

/** Whether the bytes are not what they should be: cut short, or none of the format. */
export const isMalformed = (error: unknown): error is Error =>
  error instanceof MalformedRecordsError || (error instanceof Error && codeOf(error)?.startsWith("Z_") === true);

export const tooLarge = (id: string, part: number, limit: number): RecordTooLargeError =>
  new RecordTooLargeError(
    contextOf(id),
    `a record of part ${part}`,
    limit,
    "Allow larger ones with `maxRecordBytes` (--max-record-bytes), or check what the service answers.",
  );

export const malformed = (id: string, problem: string): ResponseFormatError =>
  new ResponseFormatError(contextOf(id), problem);

export const contextOf = (id: string): RequestContext => ({
  service: "remote",
  operation: `download snapshot ${JSON.stringify(id)}`,
  method: "GET",
  url: `/datasets/v3/snapshot/${encodeURIComponent(id)}`,
});
