import { codeOf, messageOf } from "../base/cause";
import { ArgumentError } from "../base/errors";
import { contextOf } from "../remote/badSnapshot";
import { RecordTooLargeError } from "../remote/snapshotErrors";
import { MalformedRecordsError } from "./recordReader";

/** Whether the bytes are not what they should be: cut short, or none of the format. */
export const isMalformed = (error: unknown): error is Error =>
  error instanceof MalformedRecordsError || codeOf(error)?.startsWith("Z_") === true;

export const tooLarge = (id: string, part: number, limit: number): RecordTooLargeError =>
  new RecordTooLargeError(
    contextOf(id),
    `a record of part ${part}`,
    limit,
    "Allow larger ones with `maxRecordBytes` (--max-record-bytes), or check what the service answers.",
  );

export const unwritable = (file: string, error: unknown): ArgumentError =>
  new ArgumentError(`Cannot write ${file}: ${messageOf(error)}`, { cause: error });
