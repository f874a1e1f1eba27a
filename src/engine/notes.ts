import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import { isObject } from "../json";
import type { Noted } from "../lifecycle/lifecycle";
import { wasCut } from "./cancellation";

/** How long a creation is remembered of which nothing was heard again. */
const KEPT_MS = 7 * 86_400_000;

/** What a file holds. */
export interface Note extends Noted {
  /** Stands for the kind, and for the place in a program. */
  place: string;
  /** Stands for the services. */
  service: string;
  /** What was replaced or changed. */
  over?: string;
}

/** By place and name, as this process has found or written them: those of other processes are of other programs. */
let known: { folder: string; notes: Map<string, Map<string, Note>> } | undefined;

/** The files of those creations whose outcome this process has told the engine. */
const told = new Set<string>();

/** Small files beside the CLI's own: one for each creation that no state tells of yet. */
const folder = (): string => join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "brightdata", "creations");

const fileOf = (name: string): string => join(folder(), `${name}.json`);

/** The notes of a place, by their names, but for those of which the engine has been told more. */
export const notesAt = (place: string): [name: string, note: Note][] =>
  [...(notes().get(place) ?? [])].filter(([name]) => !told.has(fileOf(name)));

export function write(name: string, note: Note): void {
  const file = fileOf(name);
  // What the engine was told of the resource before, such as its deletion in a replacement, says nothing of this creation.
  told.delete(file);
  quietly(() => {
    keep(notes(), name, note);
    mkdirSync(folder(), { recursive: true, mode: 0o700 });
    const draft = `${file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(note), { mode: 0o600 });
    renameSync(draft, file);
  });
}

export function erase(name: string, place: string): void {
  const file = fileOf(name);
  notes().get(place)?.delete(name);
  told.delete(file);
  quietly(() => rmSync(file, { force: true }));
}

/** Notes that the engine was told what was made. It has recorded that when it ends this process in good order. */
export function eraseAtTheEnd(name: string): void {
  told.add(fileOf(name));
  awaitTheEnd();
}

function notes(): Map<string, Map<string, Note>> {
  if (known?.folder !== folder()) known = { folder: folder(), notes: readAll(folder()) };
  return known.notes;
}

function keep(notes: Map<string, Map<string, Note>>, name: string, note: Note): void {
  notes.set(note.place, (notes.get(note.place) ?? new Map()).set(name, note));
}

function readAll(within: string): Map<string, Map<string, Note>> {
  const found = new Map<string, Map<string, Note>>();
  for (const entry of quietly(() => readdirSync(within)) ?? []) {
    const file = join(within, entry);
    const note = entry.endsWith(".json") ? quietly(() => read(file)) : undefined;
    if (note !== undefined) keep(found, basename(entry, ".json"), note);
    else quietly(() => isOld(statSync(file).mtimeMs) && rmSync(file, { force: true }));
  }
  return found;
}

function read(file: string): Note | undefined {
  const noted: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isObject(noted) || !isObject(noted.facts)) return undefined;
  const { began, mark, place, service } = noted;
  const isWhole = [began, mark, place, service].every((text) => typeof text === "string");
  return isWhole && !isOld(Date.parse(String(began))) ? (noted as unknown as Note) : undefined;
}

/** Also where there is no telling. */
const isOld = (ms: number): boolean => !(Date.now() - ms <= KEPT_MS);

let isAwaitingTheEnd = false;

/** The engine interrupts its processes when all is recorded; one that is killed, or cut, leaves its notes to the next. */
function awaitTheEnd(): void {
  if (isAwaitingTheEnd) return;
  isAwaitingTheEnd = true;
  process.once("SIGINT", () => {
    if (!wasCut()) for (const file of told) quietly(() => rmSync(file, { force: true }));
    process.kill(process.pid, "SIGINT");
  });
}

function quietly<T>(task: () => T): T | undefined {
  try {
    return task();
  } catch {
    return undefined;
  }
}
