import {
  AuthenticationError,
  BrightDataError,
  ConnectionError,
  PermissionError,
  RateLimitError,
} from "../../base/errors";
import { CancelledError, type Deadline, EndedError } from "../../lifecycle/deadline";
import { PartialFailure } from "../../lifecycle/lifecycle";

const MOST_REASONS = 20;
const MOST_KEYS = 5;

/** Several ports of a set could not be made what they were to be. */
export class PortsError extends BrightDataError {}

/** What went wrong with the ports of a set, each reason with the keys of its ports. */
export class Failures {
  readonly #total: number;
  readonly #deadline: Deadline;
  readonly #keys = new Map<string, string[]>();
  #first: unknown;
  #count = 0;
  #isOver = false;

  /** @param total how many ports there is something to do with */
  constructor(total: number, deadline: Deadline) {
    this.#total = total;
    this.#deadline = deadline;
  }

  /** Whether no more ports should be tried: the next one would meet the same, or the update is to end. */
  get isOver(): boolean {
    return this.#isOver || this.#deadline.isCancelled;
  }

  add(key: string, error: unknown): void {
    const cause = error instanceof PartialFailure ? error.cause : error;
    // What is no failure of a port, but a defect, is told as such.
    if (this.#count === 0 || !(cause instanceof BrightDataError)) this.#first = cause;
    this.#count++;
    this.#isOver ||= isEverybodys(cause);
    const words = cause instanceof Error ? cause.message : String(cause);
    const keys = this.#keys.get(words);
    if (keys === undefined) this.#keys.set(words, [key]);
    else keys.push(key);
  }

  /**
   * Why not all is done, `undefined` where it is.
   *
   * @param tried with how many ports it was tried
   */
  error(tried: number): Error | undefined {
    const untried = this.#total - tried;
    const all = `of ${this.#total.toLocaleString("en")} ${this.#total === 1 ? "port" : "ports"}`;
    if (this.#count === 0) {
      return untried === 0
        ? undefined
        : new CancelledError(
            `The update was cancelled: ${untried.toLocaleString("en")} ${all} were not tried. ${REST}`,
          );
    }
    if (!(this.#first instanceof BrightDataError)) return this.#first as Error;
    const reasons = [...this.#keys];
    const told = reasons.slice(0, MOST_REASONS).map(([words, keys]) => `  ${inShort(keys)}: ${words}`);
    const more = reasons.slice(MOST_REASONS).reduce((sum, [, keys]) => sum + keys.length, 0);
    return new PortsError(
      [
        `${this.#count.toLocaleString("en")} ${all} failed. ${REST}`,
        ...told,
        ...(more > 0 ? [`  and ${more.toLocaleString("en")} more, each for a reason of its own`] : []),
        ...(untried > 0 ? [`  ${untried.toLocaleString("en")} more were not tried: ${this.#whyUntried}.`] : []),
      ].join("\n"),
      { cause: this.#first },
    );
  }

  get #whyUntried(): string {
    return this.#deadline.isCancelled ? "the update was cancelled" : "they would have met the same";
  }
}

const REST = "The next `pulumi up` goes on with what is left.";

/** Whether a failure is nothing of one port's own. */
const isEverybodys = (error: unknown): boolean =>
  error instanceof EndedError ||
  error instanceof RateLimitError ||
  error instanceof AuthenticationError ||
  error instanceof PermissionError ||
  (error instanceof ConnectionError && error.settled) ||
  !(error instanceof BrightDataError);

/** Keys in words, at most a few. */
export function inShort(keys: readonly string[]): string {
  const more = keys.length - MOST_KEYS;
  return keys.slice(0, MOST_KEYS).join(", ") + (more > 0 ? ` and ${more.toLocaleString("en")} more` : "");
}
