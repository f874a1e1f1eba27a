import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { ownFolder, quietly } from "../base/disk";
import { isObject, type JsonObject } from "../base/json";

/** A file of an intent. Its name says what it is about even where its text cannot be read. */
export interface IntentFile {
  file: string;
  place: string;
  mark: string;
  /** @returns `undefined` where another process has closed it by now */
  read(): IntentReading | undefined;
}

/** What a file says. */
export type IntentReading =
  /** `heirs` go on with it, in the order in which they came to it. */
  | { is: "open"; begun: JsonObject; isTold: boolean; heirs?: readonly JsonObject[] }
  | { is: "closed" }
  /** Its first line was cut off, so that the request never left. */
  | { is: "unsent" }
  | { is: "damaged"; why: string; isUnread?: true };

/** A line of a file: what was begun, who goes on with it, that the engine was told what became of it, or that nothing has come of it. */
export type Line = { begun: object } | { "taken up": object } | { told: string } | { "taken back": string };

/** Within the package's own folder, beside what the CLI keeps. */
export const intentsFolder = (): string => ownFolder("intents");

const ENDING = ".intent";

/** A file whose name no other has: an intent never overwrites another, not even one of the same mark. */
export function newFile(folder: string, place: string, mark: string): IntentFile {
  const name = `${place}~${mark}~${randomBytes(UNIQUE_BYTES).toString("base64url")}${ENDING}`;
  return fileAt(join(folder, name), place, mark);
}

const fileAt = (file: string, place: string, mark: string): IntentFile => ({
  file,
  place,
  mark,
  read: () => read(file),
});

const UNIQUE_BYTES = 6;

/**
 * The files of the intents that there are.
 *
 * @throws what the system says where there is a folder that cannot be read
 */
export function filesIn(folder: string): IntentFile[] {
  return entriesOf(folder).flatMap((entry) => {
    const [place, mark] = entry.split("~");
    if (!entry.endsWith(ENDING) || !place || !mark) return [];
    return [fileAt(join(folder, entry), place, mark)];
  });
}

/** Of a folder that is not there, and cannot be, there is nothing to read. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw error;
  }
}

export const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "UNKNOWN";

const sumOf = (text: string): string => createHash("sha256").update(text).digest("base64url").slice(0, SUM_LENGTH);

const SUM_LENGTH = 8;

export function lineOf(line: Line): string {
  const text = JSON.stringify(line);
  return `${sumOf(text)} ${text}\n`;
}

/** What a text says, line by line. What is cut off at its end was never flushed, so that nothing has followed from it. */
export function meaningOf(text: string): IntentReading {
  const lines = text.split("\n").slice(0, -1).map(parsed);
  if (lines.length === 0) return { is: "unsent" };
  const damaged = lines.indexOf(undefined);
  if (damaged >= 0) return { is: "damaged", why: `line ${damaged + 1} is not as it was written` };
  const whole = lines as JsonObject[];
  const begun = whole[0]?.begun;
  if (!isObject(begun)) return { is: "damaged", why: "it does not say what was begun" };
  if (whole.some((line) => "taken back" in line)) return { is: "closed" };
  const heirs = whole.map((line) => line["taken up"]).filter(isObject);
  return { is: "open", begun, isTold: whole.some((line) => "told" in line), heirs };
}

function parsed(line: string): JsonObject | undefined {
  const text = line.slice(SUM_LENGTH + 1);
  if (line !== `${sumOf(text)} ${text}`) return undefined;
  const value: unknown = JSON.parse(text);
  return isObject(value) ? value : undefined;
}

/** @param meaning what a text says */
export function read(file: string, meaning: (text: string) => IntentReading = meaningOf): IntentReading | undefined {
  try {
    return meaning(readFileSync(file, "utf8"));
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" ? undefined : { is: "damaged", why: `it cannot be read (${code})`, isUnread: true };
  }
}

/**
 * Writes a file whose first line is this, and returns when it would outlast a loss of power. It is written at once: a process that
 * is killed while it waits for the disk has noted it.
 */
export async function create(folder: string, file: string, line: Line): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(file, lineOf(line), { flag: "wx", mode: 0o600 });
    await flush(file, "r+");
  } catch (error) {
    quietly(() => unlinkSync(file));
    throw error;
  }
  // Its name stands in the folder. Not every system lets a folder be flushed.
  await flush(folder, "r").catch(() => {});
}

async function flush(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags);
  await handle.sync().finally(() => handle.close());
}

/** Writes a line at a file's end, whole or not at all. It is not flushed: nothing is lost with it. */
function append(file: string, line: Line): void {
  // What an earlier version has written has no lines.
  if (!file.endsWith(ENDING)) return;
  const bytes = Buffer.from(lineOf(line));
  // A file that was closed meanwhile is not made anew.
  const descriptor = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    const { size } = fstatSync(descriptor);
    const written = quietly(() => writeSync(descriptor, bytes));
    // Behind half a line, no other one could be read. Windows cuts nothing that is open to be appended to.
    if (written !== bytes.length) truncateSync(file, size);
  } finally {
    closeSync(descriptor);
  }
}

/** Notes that the engine is told what has become of it. A full disk may keep that from being noted: a state tells of it, too. */
export const tell = (file: string): void => {
  quietly(() => append(file, { told: new Date().toISOString() }));
};

/** Notes who goes on with it. */
export const takeUp = (file: string, writer: object): void => {
  quietly(() => append(file, { "taken up": writer }));
};

/** Takes a file away, which a full disk allows. Where another program holds it, as on Windows, it says so itself. */
export function close(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") quietly(() => append(file, { "taken back": new Date().toISOString() }));
  }
}

/** Takes away what was not touched for so long. */
export function removeOlder(file: string, ms: number): void {
  quietly(() => Date.now() - statSync(file).mtimeMs > ms && rmSync(file, { force: true }));
}
