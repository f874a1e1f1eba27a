import { setMaxListeners } from "node:events";
import { BrightDataError } from "../base/errors";
import { endsIn, secondsLeft } from "../http/end";
import { pause } from "../http/pause";

const FIRST_PAUSE_SECONDS = 0.25;
const LONGEST_PAUSE_SECONDS = 2;

/** Node.js fires a longer one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

// A person is told about a wait after this long, and then each time it has doubled.
const FIRST_REPORT_SECONDS = 10;

export class EndedError extends BrightDataError {}

export class DeadlineError extends EndedError {}

/** The person who runs the update has asked it to end. */
export class CancelledError extends EndedError {}

/** The end of the time that an operation on a resource may take. It serves as the options of a request, too: it has a signal. */
export class Deadline {
  /** Ends requests. A cancellation does not: their outcome would be unknown. */
  readonly signal: AbortSignal;
  readonly #seconds: number;
  readonly #argument: string | undefined;
  readonly #say: (words: string) => void;
  readonly #controller = new AbortController();
  readonly #cancelled: AbortSignal | undefined;
  /** Ends pauses. */
  readonly #waiting: AbortSignal;
  readonly #timer: NodeJS.Timeout;
  /** What the latest look of a wait was refused with. */
  #refusal: Error | undefined;

  /**
   * @param argument what allows more time, such as `timeouts.create`; `undefined` where nothing does
   * @param cancelled ends every wait at once
   */
  constructor(
    seconds: number,
    argument: string | undefined,
    say: (words: string) => void = () => {},
    cancelled?: AbortSignal,
  ) {
    this.#seconds = seconds;
    this.#argument = argument;
    this.#say = say;
    this.signal = this.#controller.signal;
    this.#cancelled = cancelled;
    this.#waiting = cancelled === undefined ? this.signal : AbortSignal.any([this.signal, cancelled]);
    // Many parts of an operation may be under way at the same time, and all wait for its end.
    setMaxListeners(0, this.signal, this.#waiting);
    for (const signal of [this.signal, this.#waiting]) endsIn(seconds, signal, cancelled);
    const end = () => this.#controller.abort(this.#expiry("before everything was done"));
    this.#timer = setTimeout(end, Math.min(seconds * 1000, LONGEST_TIMER_MS));
  }

  /**
   * Asks until there is an answer.
   *
   * @param doing completes "Gave up after 60 s, …"; a function where it changes on the way
   * @param everySeconds the pace, where the service has one; otherwise less and less often
   * @param moment when it asks in any case, in milliseconds since 1970: the next time may be too late
   */
  async poll<T>(
    doing: string | (() => string),
    probe: () => Promise<T | undefined>,
    everySeconds?: number,
    moment = 0,
  ): Promise<T> {
    const words = typeof doing === "string" ? () => doing : doing;
    const began = performance.now();
    let report = FIRST_REPORT_SECONDS;
    for (let seconds = everySeconds ?? FIRST_PAUSE_SECONDS; ; ) {
      const former = this.#refusal;
      const found = await probe().catch((error: unknown) => {
        throw this.#inWordsOf(words, error);
      });
      if (found !== undefined || this.#refusal === former) this.#refusal = undefined;
      if (found !== undefined) return found;
      const waited = (performance.now() - began) / 1000;
      if (waited >= report) {
        this.#say(`${words()}, ${Math.round(waited)} s so far, at most ${this.#seconds} s in all`);
        report = waited * 2;
      }
      const left = moment - Date.now();
      await pause(left > 0 ? Math.min(seconds * 1000, left) : seconds * 1000, this.#waiting).catch(
        (reason: unknown) => {
          throw this.isCancelled ? cancellation(words()) : this.#inWordsOf(words, reason);
        },
      );
      seconds = everySeconds ?? Math.min(seconds * 2, LONGEST_PAUSE_SECONDS);
    }
  }

  /** Runs a part of the operation that has no more time than this. */
  async within<T>(seconds: number, task: (part: Deadline) => Promise<T>): Promise<T> {
    if (secondsLeft(this.signal) <= seconds) return task(this);
    const part = new Deadline(seconds, undefined, this.#say, this.#cancelled);
    try {
      return await task(part);
    } finally {
      part.release();
    }
  }

  /** Notes a refusal that a wait goes on after: where it gives up in the end, that may be why. */
  passOver(refusal: Error): void {
    this.#refusal = refusal;
  }

  /** Waits for an answer that takes long itself. Unlike other requests it is given up at once on a cancellation. */
  async wait<T>(doing: string, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await ask(this.#waiting);
    } catch (error) {
      throw this.isCancelled ? cancellation(doing) : this.#inWordsOf(() => doing, error);
    }
  }

  /** Whether the person who runs the update has asked it to end: nothing more should be begun. */
  get isCancelled(): boolean {
    return this.#cancelled?.aborted === true;
  }

  /** @throws {EndedError} where nothing more should be begun; `doing` completes "The update was cancelled, …" */
  requireGoing(doing: string): void {
    if (this.isCancelled) throw cancellation(doing);
    if (this.signal.aborted) throw this.#expiry(doing);
  }

  /** Ends the timer, and with it the signal's chance to fire. */
  release(): void {
    clearTimeout(this.#timer);
  }

  /** An end of the time in the words of what it has ended: parts of an operation are under way at the same time. */
  #inWordsOf(doing: () => string, error: unknown): unknown {
    return error === this.signal.reason && error instanceof DeadlineError ? this.#expiry(doing()) : error;
  }

  #expiry(doing: string): DeadlineError {
    const last = this.#refusal === undefined ? "" : ` The last answer was a refusal: ${this.#refusal.message}`;
    const more = this.#argument === undefined ? "" : ` Allow more time with \`${this.#argument}\` (in seconds).`;
    return new DeadlineError(`Gave up after ${this.#seconds} s, ${doing}.${last}${more}`);
  }
}

const cancellation = (doing: string): CancelledError => new CancelledError(`The update was cancelled, ${doing}.`);
