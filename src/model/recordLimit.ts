import { constants } from "node:buffer";
import { ArgumentError } from "../base/errors";

/** The size of the largest record that is read unless another is allowed, in bytes. */
export const RECORD_LIMIT = 64 * 1024 * 1024;

/** @throws {ArgumentError} for a limit that no record could be measured by, or that no text in memory could reach */
export function checkedRecordLimit(maxRecordBytes = RECORD_LIMIT): number {
  const largest = constants.MAX_STRING_LENGTH;
  if (Number.isInteger(maxRecordBytes) && maxRecordBytes >= 1 && maxRecordBytes <= largest) return maxRecordBytes;
  throw new ArgumentError(
    `maxRecordBytes is ${maxRecordBytes}: expected a whole number of bytes from 1 to ${largest}.`,
  );
}
