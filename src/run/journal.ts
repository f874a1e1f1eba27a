import type { JsonObject } from "../base/json";
import type { Deadline } from "../lifecycle/deadline";
import type { Journal, Noted } from "../lifecycle/lifecycle";
import { changed, newMark, originOf } from "../lifecycle/mark";
import { backend } from "./backend";
import { type Note, nameOf, notes, type Purpose, placeId } from "./notes";
import { isAlive, thisProcess } from "./writer";

/** An operation on a resource: `of` is the mark of the one that is there. */
export type Operation = { kind: "create" } | { kind: "replace" | "change" | "delete"; of: string };

/** What a journal is about. */
export interface Subject {
  kind: string;
  place: string | undefined;
  operation: Operation;
  /** Stands for where the service is, and for the account there, where that is known. */
  service: string;
  account?: string | undefined;
  /** Whether what is made bears the mark: then it shows by itself which service it is with. */
  isMarked?: boolean;
}

/**
 * What a note means to an operation: it goes on with what is `unfinished`; nothing goes on with what is `left`, and a person is
 * told; and the rest is another operation's.
 */
type Meaning = "unfinished" | "left" | "another's";

/** What was begun for the same place, or with the same resource, by the operation that finds the note of it. */
const MEANINGS: Readonly<Record<Purpose["kind"], Readonly<Record<Operation["kind"], Meaning>>>> = {
  create: { create: "unfinished", replace: "unfinished", change: "left", delete: "left" },
  // What was to be replaced is gone by then, where it had to make room.
  replace: { create: "unfinished", replace: "unfinished", change: "left", delete: "left" },
  // The deletion of what is replaced goes on with it.
  change: { create: "another's", replace: "another's", change: "unfinished", delete: "unfinished" },
};

/** How long a process is waited for that is still at what it has noted: an engine that was killed leaves its processes behind. */
const ENDING_SECONDS = 10;

/** The journal of one operation, over the notes that this and earlier processes have made. */
export class RunJournal implements Journal {
  /** The mark of what is made, or that the state has once it tells of the change. */
  mark: string;
  readonly #subject: Subject;
  readonly #place: string;
  #unfinished: Note[] = [];
  #left: Note[] = [];
  #hasBegun = false;

  constructor(subject: Subject) {
    const { kind, place } = subject;
    this.#subject = subject;
    this.#place = placeId(kind, place ?? "");
    this.#sort();
    this.mark = this.#markNow();
  }

  /** Waits for what other processes may still do, and for states that the engine has not told of yet. */
  async settle(deadline: Deadline): Promise<void> {
    const isEnding = () => this.#unfinished.some(({ writer }) => isAlive(writer));
    if (isEnding()) {
      const end = Date.now() + ENDING_SECONDS * 1000;
      await deadline.poll(
        "waiting for the process of an update that was cut short to end",
        async () => !isEnding() || Date.now() >= end || undefined,
      );
    }
    // Without its engine a process ends within seconds: one that lives on has an engine, and its own state.
    const isOpen = ({ mark, writer }: Note) => notes().get(mark) !== undefined && !isAlive(writer);
    this.#unfinished = this.#unfinished.filter(isOpen);
    this.#left = this.#left.filter(isOpen);
    // That of a creation which a state has by now is another resource's.
    this.mark = this.#markNow();
  }

  get unfinished(): Noted | undefined {
    const note = this.#unfinished.at(-1);
    return note === undefined || this.#isHere(note) ? note : { ...note, isElsewhere: true };
  }

  /**
   * What a person should know of what nothing goes on with any more: a sentence or more for each.
   *
   * @param isHad whether a resource of the program has a thing
   */
  advice(isHad: (thing: string) => boolean): string[] {
    return this.#left.flatMap(({ advice, thing }) =>
      advice === undefined || (thing !== undefined && isHad(thing)) ? [] : [advice],
    );
  }

  /** The mark that the state has when the operation has succeeded; `undefined` where it has begun nothing that is noted. */
  get outcome(): string | undefined {
    return this.#hasBegun ? this.mark : this.#unfinished.at(-1)?.mark;
  }

  begin(facts: JsonObject, advice?: string, thing?: string): void {
    const { operation, service, account } = this.#subject;
    const purpose: Purpose =
      operation.kind === "create"
        ? { kind: "create" }
        : { kind: operation.kind === "replace" ? "replace" : "change", of: originOf(operation.of) };
    const follows = this.#unfinished.filter(({ mark }) => mark !== this.mark);
    this.#hasBegun = true;
    notes().write({
      began: new Date().toISOString(),
      mark: this.mark,
      purpose,
      facts,
      ...(advice === undefined ? {} : { advice }),
      ...(thing === undefined ? {} : { thing }),
      place: this.#place,
      backend: backend(),
      service,
      ...(account === undefined ? {} : { account }),
      writer: thisProcess(),
      ...(savesLast() ? { isSavedLast: true } : {}),
      ...(follows.length === 0 ? {} : { follows: follows.flatMap((note) => [nameOf(note), ...(note.follows ?? [])]) }),
    });
  }

  forget(): void {
    for (const { mark } of this.#unfinished) notes().erase(mark);
    this.#unfinished = [];
    this.takeBack();
  }

  takeBack(): void {
    if (!this.#hasBegun) return;
    this.#hasBegun = false;
    const former = this.#unfinished.at(-1);
    if (former?.mark === this.mark) notes().write(former);
    else notes().erase(this.mark);
  }

  /** Forgets all that was begun with the resource: there is nothing left of it. */
  close(): void {
    const { operation } = this.#subject;
    this.forget();
    if (operation.kind !== "delete") return;
    for (const { mark } of notes().those((note) => originOf(note.mark) === originOf(operation.of) || this.#isOf(note)))
      notes().erase(mark);
  }

  /** Notes that the engine is told what has become of it, and a person of all else. */
  tell(): void {
    if (this.outcome !== undefined) notes().tell(this.outcome);
    for (const { mark, backend: where } of this.#left) if (where === backend()) notes().erase(mark);
    this.#left = [];
  }

  #markNow(): string {
    const { operation } = this.#subject;
    if (operation.kind === "change" || operation.kind === "delete") return changed(operation.of);
    return this.#unfinished.at(-1)?.mark ?? newMark();
  }

  #sort(): void {
    const found = notes().those((note) => (note.place === this.#place && this.#isOfPlace(note)) || this.#isOf(note));
    const meant = (meaning: Meaning) => found.filter((note) => this.#meaningOf(note) === meaning);
    this.#unfinished = meant("unfinished");
    this.#left = meant("left");
  }

  #isOfPlace({ purpose }: Note): boolean {
    return this.#subject.place !== undefined && purpose.kind !== "change";
  }

  #isOf({ purpose }: Note): boolean {
    const { operation } = this.#subject;
    return purpose.kind !== "create" && operation.kind !== "create" && originOf(purpose.of) === originOf(operation.of);
  }

  #meaningOf(note: Note): Meaning {
    const { operation, isMarked } = this.#subject;
    // Of a stack of the same name with another backend. What that was told of stands in a state that cannot be seen here.
    const isForeign = note.backend !== backend();
    if (isForeign && (operation.kind !== "create" || note.isTold || isAlive(note.writer))) return "another's";
    const meaning = MEANINGS[note.purpose.kind][operation.kind];
    if (meaning === "left") return isAlive(note.writer) ? "another's" : "left";
    if (meaning === "unfinished" && (isForeign || !(this.#isHere(note) || isMarked))) return "left";
    return meaning;
  }

  #isHere({ service, account }: Note): boolean {
    const here = this.#subject;
    const isSameAccount = account === undefined || here.account === undefined || account === here.account;
    return service === here.service && isSameAccount;
  }
}

/** Whether the engine, whose environment this process has, was told to save its state only at the end. */
const savesLast = (): boolean => /^(1|true)$/i.test(process.env.PULUMI_SKIP_CHECKPOINTS ?? "");
