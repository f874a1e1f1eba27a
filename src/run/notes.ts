import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isObject } from "../base/json";
import type { Noted } from "../lifecycle/lifecycle";
import { backend } from "./backend";
import { isThisProcess, type Writer } from "./writer";

/** How long a note is kept of which nothing was heard again. */
const KEPT_MS = 90 * 86_400_000;

/** What was begun: something new, something in the place of the resource with a mark, or a change of that. */
export type Purpose = { kind: "create" } | { kind: "replace" | "change"; of: string };

/** What a file holds. Whether it was told stands in the file's name. */
export interface Note extends Noted {
  purpose: Purpose;
  /** Stands for the kind, and for the place in a program. */
  place: string;
  /** Stands for the backend that has the state. */
  backend: string;
  /** Stands for where the service is. */
  service: string;
  /** Stands for the account there, where that is known. */
  account?: string;
  writer: Writer;
  /** The names of notes that are history with this one: of what was begun with the same resource before. */
  follows?: readonly string[];
  /** Whether the engine saves its state only at the end, long after it has answered the program. */
  isSavedLast?: true;
  /** Whether the engine was told what became of it. Whether it has recorded that is another question. */
  isTold?: boolean;
}

/** What this process has found, or written itself: what others write meanwhile is not its business. */
class Notebook {
  readonly folder = folder();
  readonly #byMark = new Map<string, Note>();

  constructor() {
    for (const entry of quietly(() => readdirSync(this.folder)) ?? []) {
      const file = join(this.folder, entry);
      const note = entry.endsWith(ENDING) ? quietly(() => read(file)) : undefined;
      if (note !== undefined) this.#byMark.set(note.mark, note);
      else quietly(() => isOld(statSync(file).mtimeMs) && rmSync(file, { force: true }));
    }
  }

  /** The eldest first. Nothing but what was told in this run: all else may have been lost, or done by another process. */
  those(isMeant: (note: Note) => boolean): Note[] {
    const open = [...this.#byMark.values()].filter(
      (note) => isMeant(note) && !(note.isTold && isThisProcess(note.writer)),
    );
    return open.sort((left, right) => left.began.localeCompare(right.began));
  }

  get(mark: string): Note | undefined {
    return this.#byMark.get(mark);
  }

  write(note: Note): void {
    this.erase(note.mark);
    this.#byMark.set(note.mark, note);
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const draft = `${this.#fileOf(note)}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
      renameSync(draft, this.#fileOf(note));
    } catch (error) {
      warn(this.folder, error);
    }
  }

  /** Notes that the engine is told what has become of it: in this run, also where an earlier one has told it before. */
  tell(mark: string): void {
    const note = this.#byMark.get(mark);
    if (note === undefined) return;
    const told = { ...note, isTold: true };
    this.#byMark.set(mark, told);
    quietly(() => {
      const now = new Date();
      utimesSync(this.#fileOf(note), now, now);
      renameSync(this.#fileOf(note), this.#fileOf(told));
    });
  }

  erase(mark: string): void {
    const note = this.#byMark.get(mark);
    if (note === undefined) return;
    this.#byMark.delete(mark);
    quietly(() => rmSync(this.#fileOf(note), { force: true }));
  }

  #fileOf(note: Note): string {
    return join(this.folder, `${nameOf(note)}${note.isTold ? TOLD : ""}${ENDING}`);
  }
}

/** What a note is called, whether it was told or not. */
export const nameOf = ({ place, mark }: Note): string => `${place}~${mark}`;

const markIn = (name: string): string => name.split("~")[1] ?? "";

const ENDING = ".json";
const TOLD = ".told";

/** Stands for the kind, and for the place in a program. */
export const placeId = (kind: string, place: string): string =>
  createHash("sha256")
    .update(JSON.stringify([kind, place]))
    .digest("base64url")
    .slice(0, PLACE_LENGTH);

const PLACE_LENGTH = 16;

/**
 * Forgets what was told of resources at places of which the engine has recorded that: it has answered the program, which it does
 * once the state is saved, unless it was told to save that at the end.
 *
 * @param since what was told before is of another run; in milliseconds since 1970
 */
export function acknowledge(places: ReadonlySet<string>, since: number): void {
  for (const entry of quietly(() => readdirSync(folder())) ?? []) {
    const [place = ""] = entry.split("~");
    if (!places.has(place) || !entry.endsWith(TOLD + ENDING)) continue;
    const file = join(folder(), entry);
    const note = quietly(() => (statSync(file).mtimeMs >= since ? read(file) : undefined));
    // A stack of the same name with another backend has the same places.
    if (note === undefined || note.isSavedLast || note.backend !== backend()) continue;
    const { follows = [] } = note;
    const names = [entry, ...follows.flatMap((name) => [name + ENDING, name + TOLD + ENDING])];
    for (const name of names) quietly(() => rmSync(join(folder(), name), { force: true }));
  }
}

/** Small files beside the CLI's own: one for each creation, or change, that no state tells of yet. */
const folder = (): string => join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", "notes");

let notebook: Notebook | undefined;

export function notes(): Notebook {
  if (notebook?.folder !== folder()) notebook = new Notebook();
  return notebook;
}

/** Forgets what a state knows of: it has this mark. */
export function recognize(mark: string): void {
  const { follows = [] } = notes().get(mark) ?? {};
  for (const known of [mark, ...follows.map(markIn)]) notes().erase(known);
}

function read(file: string): Note | undefined {
  const noted: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(noted) || ![noted.facts, noted.writer].every(isObject)) return undefined;
  const { began, mark, place, service, backend, purpose } = noted;
  const isWhole = [began, mark, place, service, backend].every((text) => typeof text === "string");
  if (!isWhole || !isPurpose(purpose) || isOld(Date.parse(String(began)))) return undefined;
  return { ...(noted as unknown as Note), isTold: file.endsWith(TOLD + ENDING) };
}

/** A later version may have others. */
const isPurpose = (purpose: unknown): boolean =>
  isObject(purpose) &&
  (purpose.kind === "create" ||
    ((purpose.kind === "replace" || purpose.kind === "change") && typeof purpose.of === "string"));

/** Also where there is no telling. */
const isOld = (ms: number): boolean => !(Date.now() - ms <= KEPT_MS);

let isWarned = false;

/** A note that cannot be written is no reason to fail, but for a word. */
function warn(within: string, error: unknown): void {
  if (isWarned) return;
  isWarned = true;
  const { code = "" } = error as NodeJS.ErrnoException;
  console.log(
    `brightdata: Nothing can be noted in ${within} (${code}). If this update is killed, the next one cannot tell what it has created, and refuses it as somebody else's.`,
  );
}

function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
