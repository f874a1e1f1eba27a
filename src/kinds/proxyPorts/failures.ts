import { AuthenticationError, BrightDataError, ConnectionError, PermissionError, RateLimitError } from "../../errors";
import { EndedError } from "../../lifecycle/deadline";
import { PartialFailure } from "../../lifecycle/lifecycle";

const MOST_REASONS = 20;
const MOST_KEYS = 5;

/** Several ports of a set could not be made what they were to be. */
export class PortsError extends BrightDataError {}

/** What went wrong with the ports of a set, each reason with the keys of its ports. */
export class Failures {
  readonly #what: string;
  readonly #keys = new Map<string, string[]>();
  #first: unknown;
  #count = 0;
  #isOver = false;

  /** @param what was to be done, as in `make 3 of the 1,000 ports` */
  constructor(what: string) {
    this.#what = what;
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the next port would meet the same. */
  get isOver(): boolean {
    return this.#isOver;
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

  /** @param untried how many ports were left alone */
  error(untried: number): Error {
    if (!(this.#first instanceof BrightDataError)) return this.#first as Error;
    const reasons = [...this.#keys];
    const told = reasons.slice(0, MOST_REASONS).map(([words, keys]) => `  ${inShort(keys)}: ${words}`);
    const more = reasons.slice(MOST_REASONS).reduce((sum, [, keys]) => sum + keys.length, 0);
    return new PortsError(
      [
        `${this.#count.toLocaleString("en")} ${this.#what} failed. The next \`pulumi up\` goes on with what is left.`,
        ...told,
        ...(more > 0 ? [`  and ${more.toLocaleString("en")} more, each for a reason of its own`] : []),
        ...(untried > 0
          ? [`  ${untried.toLocaleString("en")} more were not tried: they would have met the same.`]
          : []),
      ].join("\n"),
      { cause: this.#first },
    );
  }
}

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
