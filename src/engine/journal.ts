import { createHash, randomBytes } from "node:crypto";
import type { JsonObject } from "../json";
import type { Journal, Noted } from "../lifecycle/lifecycle";
import { erase, eraseAtTheEnd, type Note, notesAt, write } from "./notes";

/** The resource that the engine's state has at the place of an operation. */
export interface Over {
  id: string;
  /** Whether another is made in its place; otherwise it is changed or deleted. */
  isReplaced: boolean;
}

/**
 * What a note means to an operation: it takes up what is `unfinished`; nothing ever takes up what is `left`; what is `awaited`, the
 * deletion of the resource takes up that is replaced; and the rest is of an older day.
 */
type Meaning = "unfinished" | "left" | "awaited" | "past";

/**
 * The journal of one resource's creation. A note that cannot be read or written is no reason to fail: without it, what a killed
 * process has made is refused as something foreign, and not taken up.
 */
export class CreationJournal implements Journal {
  readonly mark: string;
  /** Where it stands, and where it stood before it was renamed. */
  readonly #places: readonly [string, string];
  readonly #service: string;
  readonly #over: Over | undefined;
  readonly #name: string;
  #found: ReadonlyMap<string, Note> | undefined;

  /**
   * @param key stands for the resource's place in its program
   * @param former stands for the place that it had before it was renamed
   * @param service what it is made with: the same program may run against another
   * @param over what there is at that place
   */
  constructor(kind: string, key: string, former: string, service: string, over?: Over) {
    this.mark = `${key}-${randomBytes(4).toString("hex")}`;
    this.#places = [digest(kind, key), digest(kind, former)];
    this.#service = digest(service);
    this.#over = over;
    this.#name = digest(kind, key, service, purposeOf(over) ?? "");
  }

  get unfinished(): Noted | undefined {
    return this.#those("unfinished").at(-1)?.[1];
  }

  /** What a person should know of creations that nothing takes up any more: a sentence or more for each. */
  get left(): string[] {
    return this.#those("left").flatMap(([, { left = [] }]) => left);
  }

  begin(facts: JsonObject, left?: string): void {
    const over = purposeOf(this.#over);
    const note = {
      began: new Date().toISOString(),
      mark: this.mark,
      facts,
      ...(left === undefined ? {} : { left }),
      place: this.#places[0],
      service: this.#service,
      ...(over === undefined ? {} : { over }),
    };
    // What is noted from here on is this creation's.
    this.#found ??= this.#find();
    write(this.#name, note);
  }

  forget(): void {
    for (const [name, { place }] of this.#those("unfinished")) erase(name, place);
    erase(this.#name, this.#places[0]);
  }

  /** Forgets all that was begun at this place: there is nothing left, and nothing to come. */
  close(): void {
    for (const [name, { place }] of this.#notes) erase(name, place);
    erase(this.#name, this.#places[0]);
  }

  /** Notes that the engine was told what was made. */
  tell(): void {
    for (const [name, note] of this.#notes) if (this.#meaningOf(note) !== "awaited") eraseAtTheEnd(name);
    eraseAtTheEnd(this.#name);
  }

  /** What was noted before this operation, read when it is asked for. */
  get #notes(): ReadonlyMap<string, Note> {
    this.#found ??= this.#find();
    return this.#found;
  }

  #find(): ReadonlyMap<string, Note> {
    return new Map(this.#places.flatMap(notesAt));
  }

  /** The eldest first. */
  #those(meaning: Meaning): [name: string, note: Note][] {
    return [...this.#notes]
      .filter(([, note]) => this.#meaningOf(note) === meaning)
      .sort(([, left], [, right]) => left.began.localeCompare(right.began));
  }

  #meaningOf({ over, service }: Note): Meaning {
    const isHere = service === this.#service;
    if (this.#over === undefined) {
      // What was replaced is gone since, where it had to make room.
      const isCreation = over === undefined || over.startsWith(REPLACEMENT);
      return isCreation ? (isHere ? "unfinished" : "left") : "past";
    }
    const { id, isReplaced } = this.#over;
    if (over === REPLACEMENT + id) return isReplaced && isHere ? "unfinished" : "left";
    if (over === CHANGE + id) return isReplaced ? "awaited" : isHere ? "unfinished" : "past";
    return "past";
  }
}

const REPLACEMENT = "replacement of ";
const CHANGE = "change of ";

const purposeOf = (over: Over | undefined): string | undefined =>
  over && (over.isReplaced ? REPLACEMENT : CHANGE) + over.id;

const digest = (...parts: string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
