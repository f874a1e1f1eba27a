import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { ArgumentError } from "../base/errors";

/** By it, a file is known to be one that may be replaced. */
const MARK = "# Written by pulumi-brightdata: changes are lost.\n";

/** @throws {ArgumentError} when the file is there, and somebody else has written it */
export function refuseForeign(file: string): void {
  if (!existsSync(file) || readFileSync(file, "utf8").startsWith(MARK)) return;
  throw new ArgumentError(`${file} is there already. Name another file, or replace it with --force.`);
}

/** Writes a file that only its owner can read; a reader finds the old one or the new one, and nothing between. */
export function writeVariables(file: string, text: string): void {
  const partial = `${file}.${process.pid}.partial`;
  try {
    writeFileSync(partial, text.startsWith("{") ? text : `${MARK}${text}`, { mode: 0o600, flag: "wx" });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
