import { readFileSync, statSync } from "node:fs";
import { replaceFile } from "../../base/disk";
import { ArgumentError } from "../../base/errors";
import { parsed } from "../../settings/values";
import { jsonOf } from "../outputs/formats";
import { requireFile } from "./place";

/** By it, a file is known to be one that may be replaced. */
const MARK = "# Written by pulumi-brightdata: changes are lost.\n";

/**
 * @param isForced whether it may be somebody else's
 * @throws {ArgumentError} when there cannot be such a file, or somebody else has written it
 */
export function requireWritable(file: string, isForced: boolean): void {
  requireFile(file);
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || isForced || isOwn(readFileSync(file, "utf8"), found.mode)) return;
  throw new ArgumentError(`${file} is there already. Name another file, or replace it with --force.`);
}

/** JSON has no comments: what has its owner's permissions alone, variables alone, and this form is taken for our own. */
function isOwn(text: string, mode: number): boolean {
  if (text.startsWith(MARK)) return true;
  // Windows tells of no permissions.
  const isForAll = process.platform !== "win32" && (mode & 0o077) !== 0;
  if (isForAll || !text.startsWith("{")) return false;
  const found = parsed(text);
  const isVariable = ([name, value]: [string, unknown]) => /^[A-Z_][A-Z0-9_]*$/.test(name) && typeof value === "string";
  return Object.entries(Object(found)).every(isVariable) && jsonOf(found) === text;
}

/** Writes a file that only its owner can read. */
export const writeVariables = (file: string, text: string): void =>
  replaceFile(file, text.startsWith("{") ? text : `${MARK}${text}`, 0o600);
