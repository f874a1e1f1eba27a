import { createHash } from "node:crypto";
import { quietly } from "../base/disk";
import { BrightDataError } from "../base/errors";
import { isObject, type JsonObject } from "../base/json";
import type { Noted } from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";
import { backend, hasOrganizations } from "./backend";
import { notesIn, reportCreations } from "./formerNotes";
import {
  close,
  codeOf,
  create,
  entriesOf,
  filesIn,
  type IntentFile,
  intentsFolder,
  newFile,
  removeOlder,
  takeUp,
  tell,
} from "./intentFiles";
import type { Heir, Writer } from "./writer";

/** How long an intent is kept of which nothing was heard again. */
const KEPT_MS = 90 * 86_400_000;

/** How long a file may be under way to its first line. */
const UNSENT_MS = 3_600_000;

/** What was begun: something new, something in the place of the resource with a mark, or a change of that. */
export type Purpose = { kind: "create" } | { kind: "replace" | "change"; of: string };

/** Work that was begun and that no state records yet, as its file says. */
export interface Begun extends Omit<Noted, "at"> {
  purpose: Purpose;
  /** Stands for the kind, and for the place in a program. */
  place: string;
  /** Stands for both where nobody tells the place, if that is something else. */
  urnPlace?: string | undefined;
  /** Stand for both where it stood before, as the program says. */
  stood?: readonly string[] | undefined;
  /** Stands for the backend that has the state. */
  backend: string;
  /** Stands for where the service is. */
  service: string;
  /** Stands for the account there, where that is known. */
  account?: string | undefined;
  writer: Writer;
  /** The marks of intents that are history with this one: of what was begun with the same resource before. */
  follows?: readonly string[] | undefined;
  /** Whether the engine saves its state only at the end, long after it has answered the program. */
  isSavedLast?: true | undefined;
}

export interface Intent extends Begun {
  at?: IntentFile;
}

/** What cannot be read. Without a place it may be about anything. */
type Damage = Partial<IntentFile> & { words: string };

/** What this process has found, or written itself: what others write meanwhile is not its business. */
export class Intents {
  /** Stands for the backend of its engine. */
  readonly backend: string;
  /** Whether several organizations may have a stack of one name there. */
  readonly hasOrganizations: boolean;
  readonly #folder = intentsFolder();
  /** The latest last: what is begun anew under a mark stands over what was begun before, until that is settled. */
  readonly #byMark = new Map<string, Intent[]>();
  readonly #damages: Damage[] = [];
  readonly #say: (words: string) => void;
  #isWarned = false;

  /**
   * @param writer this process
   * @param folder one of the project, by which its backend is known
   */
  constructor(
    readonly writer: Writer,
    folder: string,
    say: (words: string) => void,
  ) {
    this.#say = say;
    this.backend = backend(folder);
    this.hasOrganizations = hasOrganizations(folder);
    try {
      for (const found of [...notesIn(), ...filesIn(this.#folder)]) this.#take(found);
    } catch (error) {
      const words = `${this.#folder} cannot be read (${codeOf(error)}), and with it what updates that were cut short have begun. Make it readable to the user who runs the update.`;
      this.#damages.push({ words });
    }
    for (const intents of this.#byMark.values()) intents.sort(byAge);
    for (const { words } of this.#damages) this.#say(words);
    reportCreations(this.#say, isOld);
  }

  /**
   * The eldest first. Nothing but what was told in this run: all else may have been lost, or done by another process.
   *
   * @param isUnsaved whether the engine has shown that it has not saved what it was told of
   */
  those(isMeant: (intent: Intent) => boolean, isUnsaved: (intent: Intent) => boolean = () => false): Intent[] {
    const found: Intent[] = [];
    // As many times as there are resources, over what each of them has begun.
    for (const intents of this.#byMark.values()) {
      const latest = intents.at(-1);
      if (latest === undefined) continue;
      const isDone = this.#isToldNow(latest) && !isUnsaved(latest);
      if (!isDone && isMeant(latest)) found.push(latest);
    }
    return found.sort(byAge);
  }

  #isToldNow = ({ isTold, writer }: Intent): boolean => isTold === true && writer.run === this.writer.run;

  get(mark: string): Intent | undefined {
    return this.#byMark.get(mark)?.at(-1);
  }

  /** What was told of in this run under a mark: of what else stands under it, a state that has the mark says nothing. */
  toldNow(mark: string): Intent | undefined {
    return this.#byMark.get(mark)?.findLast(this.#isToldNow);
  }

  /**
   * Writes what is about to be begun, and returns when it is safe on the disk. What was begun before under the same mark stays
   * until this is settled: it is closed only with it, so that a kill in between loses neither.
   *
   * @param isFurther whether it tells more of what the operation has begun already: that is not sent again
   * @throws {BrightDataError} where it cannot be written, and a later run could do nothing but pay for it again
   */
  async begin(begun: Begun, owner: string | undefined, isFurther: boolean): Promise<void> {
    const { mark, place, facts } = begun;
    const isPaidTwice = !isFurther && isKnownByDifference(facts);
    if (isPaidTwice) this.requireReadable([place], owner, "sent: an earlier update may have bought the same already");
    const at = newFile(this.#folder, place, mark);
    try {
      await create(this.#folder, at.file, { begun });
      this.#add({ ...begun, at });
    } catch (error) {
      if (isPaidTwice && this.#isUsed(error)) throw unwritable(this.#folder, error);
      this.#warn(error);
      this.#add(begun);
    }
    if (isFurther) return;
    // Of three under a mark, the second was begun because nothing had come of the first.
    const all = this.#byMark.get(mark) ?? [];
    for (const settled of all.splice(0, all.length - 2)) closeFile(settled);
  }

  /** Notes that the engine is told what has become of it: in this run, also where an earlier one has told it before. */
  tell(mark: string): void {
    const intent = this.get(mark);
    if (intent === undefined) return;
    intent.isTold = true;
    if (intent.at !== undefined) tell(intent.at.file);
  }

  /**
   * Notes that this process goes on with it.
   *
   * @param until when its time is over (ISO 8601)
   * @returns who went on with it before
   */
  takeUp(mark: string, until: string): Heir[] {
    const at = this.get(mark)?.at;
    if (at === undefined) return [];
    takeUp(at.file, { ...this.writer, until });
    const reading = at.read();
    const heirs = ((reading?.is === "open" && reading.heirs) || []) as unknown as Heir[];
    const own = heirs.findIndex(({ run }) => run === this.writer.run);
    return heirs.slice(0, own < 0 ? undefined : own);
  }

  /** Takes back what was begun last under a mark: what was begun before still holds. */
  takeBack(mark: string): void {
    const last = this.#byMark.get(mark)?.pop();
    if (last !== undefined) closeFile(last);
    if (this.#byMark.get(mark)?.length === 0) this.#byMark.delete(mark);
  }

  /**
   * Forgets what a state knows of: it has this mark, and these things. What was begun of another thing in its place, by who could
   * not know that there is a state of it, stays.
   */
  recognize(mark: string, thingsOf: () => readonly string[]): void {
    const all = this.#byMark.get(mark);
    // What it was told in this run, the engine asks of again before it has saved it, as an error hook may have it do.
    if (all === undefined || all.some(this.#isToldNow)) return;
    const things = thingsOf();
    const known = all.findLastIndex(({ thing = "" }) => things.includes(thing));
    const latest = all[known] ?? all.findLast(({ thing }) => thing === undefined);
    const { follows = [], backend: where = this.backend } = latest ?? {};
    // A state of another backend may be a copy, with the same marks.
    if (where !== this.backend) return;
    const later = all.slice(known + 1).filter(({ thing }) => thing !== undefined);
    for (const each of all) if (!later.includes(each)) closeFile(each);
    this.#byMark.delete(mark);
    if (later.length > 0) this.#byMark.set(mark, later);
    for (const each of follows) this.close(each);
  }

  close(mark: string): void {
    for (const intent of this.#byMark.get(mark) ?? []) closeFile(intent);
    this.#byMark.delete(mark);
  }

  /** Looks what another process, which has written an intent and was waited for, has made of it. */
  refresh(mark: string): void {
    const intent = this.get(mark);
    if (intent?.at === undefined) return;
    const reading = intent.at.read();
    if (reading?.is === "open") intent.isTold = reading.isTold;
    else if (reading?.is !== "damaged") this.takeBack(mark);
  }

  #take(at: IntentFile): void {
    const { file, read } = at;
    const reading = read();
    if (reading?.is === "open") {
      const { begun, isTold } = reading;
      if (isBegun(begun)) this.#add({ ...begun, isTold, at });
      else removeOlder(file, KEPT_MS);
    } else if (reading?.is === "damaged") {
      const words = `${file} cannot be used: ${reading.why}. It says what an update that was cut short has begun. ${remedyFor(reading.isUnread === true)}`;
      this.#damages.push({ ...at, words });
    } else if (reading?.is === "closed") close(file);
    else removeOlder(file, UNSENT_MS);
  }

  #add(intent: Intent): void {
    const intents = this.#byMark.get(intent.mark) ?? [];
    this.#byMark.set(intent.mark, [...intents, intent]);
  }

  /**
   * @param places stand for where a resource stands, or stood; `owner`: for the resource itself, where there is one by now
   * @param what is not done, and why
   * @throws {BrightDataError} where it is not known whether something was begun with it
   */
  requireReadable(places: readonly string[], owner: string | undefined, what: string): void {
    const isMeant = (damage: Damage) =>
      damage.place === undefined ||
      places.includes(damage.place) ||
      (owner !== undefined && originOf(damage.mark ?? "") === owner);
    const damage = this.#damages.find(isMeant);
    if (damage === undefined) return;
    throw new BrightDataError(`Nothing was ${what}. ${damage.words} Then run again.`);
  }

  #warn(error: unknown): void {
    if (this.#isWarned) return;
    this.#isWarned = true;
    this.#say(
      `Nothing can be noted in ${this.#folder} (${codeOf(error)}). If this update is killed, the next one cannot tell what it has created: what has a name or a number it refuses as somebody else's, the rest it may create again.`,
    );
  }

  /**
   * To pay twice after a kill is worse than to refuse with a sentence. But where nothing was ever noted, as in a container
   * whose home is read-only, nothing could be done at all: there, a word has to do.
   */
  #isUsed(error: unknown): boolean {
    return FULL.has(codeOf(error)) || (quietly(() => entriesOf(this.#folder).length > 0) ?? true);
  }
}

/** What a person can help: there will be room again. */
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

const byAge = (left: Noted, right: Noted): number => left.began.localeCompare(right.began);

/** What is billed and bears no name or mark of its own: by what was there before, it is known, and by nothing else. */
export const isKnownByDifference = ({ before, stale, allocatedBefore }: JsonObject): boolean =>
  [before, stale, allocatedBefore].some(Array.isArray);

const WHAT_THERE_IS = "whether the service has something that no stack has, then delete the file.";

/** What a person can do about a file that says nothing. What nobody could read may be whole. */
const remedyFor = (isUnread: boolean): string =>
  isUnread
    ? `Make it readable to the user who runs the update; if it cannot be, look ${WHAT_THERE_IS}`
    : `Look ${WHAT_THERE_IS}`;

function closeFile({ at }: Intent): void {
  if (at !== undefined) close(at.file);
}

/** Stands for the kind, and for the place in a program. */
export const placeId = (kind: string, place: string): string =>
  createHash("sha256")
    .update(JSON.stringify([kind, place]))
    .digest("base64url")
    .slice(0, PLACE_LENGTH);

const PLACE_LENGTH = 16;

/** Whether something says all that is needed, in words of this version: a later one may have others. */
export function isBegun(begun: JsonObject | undefined): begun is JsonObject & Begun {
  if (begun === undefined || ![begun.facts, begun.writer].every(isObject)) return false;
  const { began, mark, place, service, backend: where, purpose } = begun;
  const isWhole = [began, mark, place, service, where].every((text) => typeof text === "string");
  return isWhole && isPurpose(purpose) && !isOld(Date.parse(String(began)));
}

const isPurpose = (purpose: unknown): boolean =>
  isObject(purpose) &&
  (purpose.kind === "create" ||
    ((purpose.kind === "replace" || purpose.kind === "change") && typeof purpose.of === "string"));

/** Also where there is no telling. */
const isOld = (ms: number): boolean => !(Date.now() - ms <= KEPT_MS);

const unwritable = (within: string, error: unknown): BrightDataError =>
  new BrightDataError(
    `Nothing was sent: it cannot be noted in ${within} (${codeOf(error)}). Were this update killed, the next one would buy the same again. Make room there, or make it writable to the user who runs the update, and run again.`,
    { cause: error },
  );
