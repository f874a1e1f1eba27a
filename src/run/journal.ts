import { BrightDataError } from "../base/errors";
import type { JsonObject } from "../base/json";
import { secondsLeft } from "../http/end";
import type { Deadline } from "../lifecycle/deadline";
import type { Journal, Noted } from "../lifecycle/lifecycle";
import { changed, newMark, originOf } from "../lifecycle/mark";
import { type Intent, type Intents, isKnownByDifference, type Purpose, placeId } from "./intents";
import { concerns, isChangeOf, isHere, isOf, mayBeAnotherStacks, meaningOf, type Subject } from "./meaning";
import { isAlive, isOfAnotherUpdate, isOfSameUpdate } from "./writer";

/** The journal of one operation, over what this and earlier processes have begun. */
export class RunJournal implements Journal {
  /** Made when it is first asked for: of what stays as it is, nobody does. */
  #mark: string | undefined;
  readonly #subject: Subject;
  readonly #intents: Intents;
  readonly #place: string;
  /** Of its resource, those before, too. */
  readonly #places: readonly string[];
  #unfinished: Intent[];
  #left: Intent[];
  readonly #undecided = new Set<Intent>();
  /** How many intents it has written. */
  #begun = 0;
  /** When it has written the latest, in milliseconds since 1970. */
  #latest = 0;
  /** Ends the operation; `undefined` where it has not settled. */
  #signal: AbortSignal | undefined;

  constructor(subject: Subject, intents: Intents) {
    const { kind, place, former, stood = [] } = subject;
    this.#intents = intents;
    this.#subject = subject;
    this.#place = placeId(kind, place ?? "");
    const known = [place, former, ...stood].filter((each) => each !== undefined);
    this.#places = known.map((each) => placeId(kind, each));
    const saved = this.#historyOf(this.#known);
    const found = intents.those(
      (intent) => concerns(intent, subject, this.#places),
      (intent) => isChangeOf(intent, subject.operation) && !saved.includes(intent.mark),
    );
    const meanings = found.map((intent) =>
      meaningOf(intent, {
        ...subject,
        backend: intents.backend,
        hasOrganizations: intents.hasOrganizations,
        isAlive: isAlive(intent.writer, intents.writer, intent.until),
        isOfAnotherUpdate: isOfAnotherUpdate(intent.writer, intents.writer),
      }),
    );
    const unfinished = found.filter((_, index) => meanings[index] === "unfinished");
    const forgotten = unfinished.filter((intent) => isForgotten(intent, unfinished.at(-1)));
    this.#unfinished = unfinished.filter((intent) => !forgotten.includes(intent));
    this.#left = found.filter((intent, index) => meanings[index] === "left" || forgotten.includes(intent));
  }

  /** The mark of what is made, or that the state has once it tells of the change. */
  get mark(): string {
    this.#mark ??= this.#markNow();
    return this.#mark;
  }

  /**
   * Waits for what other processes may still do, and for states that the engine has not told of yet.
   *
   * @throws {BrightDataError} where another process is still at it when the operation's time is over, or where what is to be deleted
   *   may have more than its state tells of, and that cannot be read
   */
  async settle(deadline: Deadline): Promise<void> {
    this.#signal = deadline.signal;
    await this.#untilWritten(deadline);
    this.#requireAlone();
    const { isExpectedElsewhere, place, operation, resumes } = this.#subject;
    if (operation.kind === "delete" && resumes)
      this.#intents.requireReadable(
        this.#places,
        originOf(operation.of),
        "deleted: there may be more than the state tells of",
      );
    const isMoved = () => place !== undefined && isExpectedElsewhere?.(place) === true;
    const isExpected = ({ isTold, purpose }: Intent) => isTold === true && purpose.kind !== "change" && isMoved();
    for (const each of [...this.#unfinished, ...this.#left]) if (isExpected(each)) this.#undecided.add(each);
    const isOpen = (each: Intent) => this.#intents.get(each.mark) !== undefined && !this.#undecided.has(each);
    this.#unfinished = this.#unfinished.filter(isOpen);
    this.#left = this.#left.filter(isOpen);
    // That of a creation which a state has by now is another resource's.
    this.#mark = undefined;
  }

  get unfinished(): Noted | undefined {
    const intent = this.#unfinished.at(-1);
    return intent === undefined || isHere(intent, this.#subject) ? intent : { ...intent, isElsewhere: true };
  }

  /**
   * What a person should know of what nothing goes on with any more: a sentence or more for each.
   *
   * @param isHad whether a resource of the program has a thing; where nobody can tell yet, the intent stays open
   */
  advice(isHad: (thing: string) => boolean | undefined): string[] {
    const words: string[] = [];
    for (const intent of this.#left) {
      const had = intent.thing === undefined ? false : isHad(intent.thing);
      if (had === undefined) this.#undecided.add(intent);
      else if (!had && intent.advice !== undefined) {
        words.push(this.#isDoubtful(intent) ? `${intent.advice} ${OF_ANOTHER_STACK}` : intent.advice);
      }
    }
    return words;
  }

  /** The mark that the state has when the operation has succeeded; `undefined` where it has begun nothing that is noted. */
  get outcome(): string | undefined {
    return this.#begun > 0 ? this.mark : this.#unfinished.at(-1)?.mark;
  }

  async begin(
    facts: JsonObject,
    advice?: string,
    thing?: string,
    { serviceTime, until }: Pick<Noted, "serviceTime" | "until"> = {},
  ): Promise<void> {
    const { kind, operation, service, account, urnPlace, stood = [] } = this.#subject;
    if (operation.kind !== "change") this.#requireUnpaid();
    const owner = operation.kind === "create" ? undefined : originOf(operation.of);
    const purpose: Purpose =
      owner === undefined
        ? { kind: "create" }
        : { kind: operation.kind === "replace" ? "replace" : "change", of: owner };
    const before = this.#unfinished.filter(({ mark }) => mark !== this.mark);
    const history = this.#historyOf(...before, this.#known);
    const began = this.#now();
    const begun = {
      began: new Date(began).toISOString(),
      until: until ?? this.#until(began),
      serviceTime,
      mark: this.mark,
      purpose,
      facts,
      advice,
      thing,
      place: this.#place,
      urnPlace: urnPlace === undefined ? undefined : placeId(kind, urnPlace),
      stood: stood.length === 0 ? undefined : stood.map((each) => placeId(kind, each)),
      backend: this.#intents.backend,
      service,
      account,
      writer: this.#intents.writer,
      isSavedLast: savesLast() ? (true as const) : undefined,
      follows: history.length === 0 ? undefined : history,
    };
    await this.#intents.begin(begun, owner, this.#begun > 0);
    this.#begun++;
  }

  /** Nothing goes on with what was begun: the resource that it was begun with is gone. */
  abandon(): void {
    this.#left = [...this.#left, ...this.#unfinished];
    this.#unfinished = [];
  }

  forget(): void {
    for (const { mark } of this.#unfinished) this.#intents.close(mark);
    this.#unfinished = [];
    if (this.#begun > 0) this.#intents.close(this.mark);
    this.#begun = 0;
  }

  takeBack(): void {
    for (; this.#begun > 0; this.#begun--) this.#intents.takeBack(this.mark);
  }

  /**
   * Forgets all that was begun with the resource at its service: there is nothing left of it there, but for what another may have,
   * of which a person was not told.
   */
  close(): void {
    const { operation } = this.#subject;
    this.#unfinished = this.#unfinished.filter((intent) => isHere(intent, this.#subject));
    this.forget();
    if (operation.kind !== "delete") return;
    const isIts = (intent: Intent) => originOf(intent.mark) === originOf(operation.of) || isOf(intent, operation);
    for (const intent of this.#intents.those(isIts))
      if (isHere(intent, this.#subject) && !this.#undecided.has(intent)) this.#intents.close(intent.mark);
  }

  /**
   * Notes that the engine is told what has become of it, and a person of all else.
   *
   * @param advised what was begun before and turned out to be something else
   */
  tell(advised = new WeakSet<object>()): void {
    const before = this.#unfinished.at(-1);
    if (this.#begun === 0 && before !== undefined && advised.has(before)) this.forget();
    else if (this.outcome !== undefined) this.#intents.tell(this.outcome);
    for (const intent of this.#left) {
      const isSaid = intent.backend === this.#intents.backend && !this.#undecided.has(intent);
      if (isSaid) this.#intents.close(intent.mark);
    }
    this.#left = [];
  }

  /** What this run has told of, and the state has by now. */
  get #known(): Intent | undefined {
    const { operation } = this.#subject;
    return operation.kind === "change" ? this.#intents.toldNow(operation.of) : undefined;
  }

  /** The marks of intents, and of all that is history with them. */
  #historyOf(...intents: readonly (Intent | undefined)[]): string[] {
    return [...new Set(intents.flatMap((each) => (each === undefined ? [] : [each.mark, ...(each.follows ?? [])])))];
  }

  #isDoubtful(intent: Intent): boolean {
    return mayBeAnotherStacks(intent, this.#subject, this.#intents.hasOrganizations);
  }

  /** @throws {BrightDataError} where what is begun may be what was begun before, and would be paid for twice */
  #requireUnpaid(): void {
    const paid = this.#left.find((intent) => isKnownByDifference(intent.facts) && this.#isDoubtful(intent));
    if (paid === undefined) return;
    throw new BrightDataError(
      `Nothing was sent: an earlier update may have bought the same already. Look whether a stack has it, also one of the same name in another organization, and give back what none has and you do not need. Then delete ${paid.at?.file} and run again.`,
    );
  }

  #markNow(): string {
    const { operation } = this.#subject;
    if (operation.kind === "change" || operation.kind === "delete") return changed(operation.of);
    return this.#unfinished.at(-1)?.mark ?? newMark();
  }

  /** Later than what was begun before, whatever the clock says. */
  #now(): number {
    const before = [...this.#unfinished.map(({ began }) => Date.parse(began)), this.#latest];
    this.#latest = Math.max(Date.now(), ...before.map((ms) => ms + 1));
    return this.#latest;
  }

  /** When the operation's time is over that goes on from then, in milliseconds since 1970. */
  #until(from: number): string {
    const seconds = secondsLeft(this.#signal);
    return new Date(from + (Number.isFinite(seconds) ? seconds : UNTIMED_SECONDS) * 1000).toISOString();
  }

  /** What another process has begun and has told nobody of, it may still send, and it may still be answered. */
  #writing(): Intent | undefined {
    return [...this.#unfinished, ...this.#left].find(({ mark, writer, until }) => {
      if (!isAlive(writer, this.#intents.writer, until)) return false;
      this.#intents.refresh(mark);
      return this.#intents.get(mark)?.isTold === false;
    });
  }

  /** @throws {BrightDataError} where another update, whose engine has ended, goes on with the same, and may make it yet */
  #requireAlone(): void {
    const { writer: own } = this.#intents;
    const until = this.#until(Date.now());
    for (const { mark } of this.#unfinished) {
      const heirs = this.#intents.takeUp(mark, until);
      const other = heirs.find((heir) => !isOfSameUpdate(heir, own) && isAlive(heir, own, heir.until));
      if (other !== undefined) throw stillAtIt(other.pid);
    }
  }

  async #untilWritten(deadline: Deadline): Promise<void> {
    const writing = this.#writing();
    if (writing === undefined) return;
    const { pid } = writing.writer;
    const doing = `waiting for process ${pid} of an earlier update to end`;
    await deadline
      .poll(doing, async () => this.#writing() === undefined || undefined)
      .catch((error: unknown) => {
        if (!deadline.signal.aborted) throw error;
        throw stillAtIt(pid, error);
      });
  }
}

const stillAtIt = (pid: number, cause?: unknown): BrightDataError =>
  new BrightDataError(
    `Nothing was done: process ${pid} of an earlier update is still at it, and what it makes yet would be in no state. Wait until it has ended, or end it (\`kill ${pid}\`), then run again.`,
    { cause },
  );

/** Whether what was begun was not known where the latest was: nothing goes on with it, as with that. */
const isForgotten = ({ mark }: Intent, latest: Intent | undefined): boolean =>
  latest !== undefined && mark !== latest.mark && latest.follows?.includes(mark) !== true;

const OF_ANOTHER_STACK = "Look first whether a stack of the same name in another organization has it.";

/** How long an operation may take that has no time of its own. */
const UNTIMED_SECONDS = 600;

/** Whether the engine, whose environment this process has, was told to save its state only at the end. */
const savesLast = (): boolean => /^(1|true)$/i.test(process.env.PULUMI_SKIP_CHECKPOINTS ?? "");
