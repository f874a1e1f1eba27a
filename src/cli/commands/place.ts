import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { isFolder, isPlainOrFree } from "../../base/disk";
import { ArgumentError } from "../../base/errors";

/** @throws {ArgumentError} where something else is in the place of a folder, or of one above it */
export function requireFolder(folder: string): void {
  for (let path = resolve(folder); ; path = dirname(path)) {
    if (isFolder(path)) return;
    if (existsSync(path)) throw new ArgumentError(`${path} is a file. Nothing was written. Name a folder.`);
  }
}

/** @throws {ArgumentError} when there cannot be such a file */
export function requireFile(file: string): void {
  const folder = dirname(file);
  if (!isFolder(folder)) throw new ArgumentError(`There is no folder ${folder}: make it, or name another file.`);
  if (isFolder(file)) throw new ArgumentError(`${file} is a folder: name a file.`);
  if (!isPlainOrFree(file)) throw new ArgumentError(`${file} is a link, a pipe or a device: name a plain file.`);
}
