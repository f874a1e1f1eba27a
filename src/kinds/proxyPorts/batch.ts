import { counted, grouped } from "../../base/counted";
import {
  AuthenticationError,
  BrightDataError,
  ConnectionError,
  PermissionError,
  RateLimitError,
} from "../../base/errors";
import { inShort } from "../../base/inShort";
import { once } from "../../base/once";
import { CancelledError, EndedError } from "../../lifecycle/deadline";
import { PartialFailure, type Step } from "../../lifecycle/lifecycle";
import { forEach } from "../../lifecycle/pool";

/**
 * How many ports are worked on at a time. To make, change and delete a port took the vendor's manager 15.0 ms with one at a time,
 * 12.2 with 4, 11.2 with 16 and 13.3 with 32 (`bench/concurrency.mts`).
 */
export const PORTS_AT_ONCE = 16;

const REPORT_MS = 5000;
const MOST_REASONS = 20;
const MOST_KEYS = 5;

class PortsError extends BrightDataError {}

/** What went wrong with some ports, in the words of the first of them. */
interface Reason {
  readonly words: string;
  readonly keys: string[];
  isNumbered: boolean;
}

/** Works on the ports of a set, several at a time. What fails with one is no reason to leave the others. */
export class Batch {
  /** By their words without numbers: each port has its own. */
  readonly #failed = new Map<string, Reason>();
  #first: Error | undefined;
  #failures = 0;
  #isHopeless = false;
  #tried = 0;
  #done = 0;
  #toldAt = performance.now();

  /** @param rest what to do about ports that are not done */
  constructor(
    readonly total: number,
    readonly of: string,
    readonly step: Step,
    readonly rest = REST,
  ) {}

  /** Begins with no more ports when the next one would meet the same failure, or the update is to end. */
  each<Port extends { key: string }>(ports: Iterable<Port>, task: (port: Port) => Promise<void>): Promise<void> {
    const attempt = async (port: Port) => {
      this.#tried++;
      await task(port).catch((error: unknown) => this.#fail(port.key, error));
      this.#done++;
      this.#report();
    };
    return forEach(ports, PORTS_AT_ONCE, attempt, () => this.#isHopeless || this.step.deadline.isCancelled);
  }

  /** Why not all is done, `undefined` where it is. */
  get failure(): Error | undefined {
    const untried = this.total - this.#tried;
    const all = `of ${counted(this.total, "port")}`;
    if (this.#first === undefined) {
      const words = `The update was cancelled: ${grouped(untried)} ${all} ${untried === 1 ? "was" : "were"} not tried. ${this.rest}`;
      return untried === 0 ? undefined : new CancelledError(words);
    }
    if (!(this.#first instanceof BrightDataError)) return this.#first;
    const reasons = [...this.#failed.values()];
    const more = reasons.slice(MOST_REASONS).reduce((sum, { keys }) => sum + keys.length, 0);
    const why = this.step.deadline.isCancelled ? "the update was cancelled" : "they would have met the same";
    return new PortsError(
      [
        `${grouped(this.#failures)} ${all} failed. ${this.rest}`,
        ...reasons.slice(0, MOST_REASONS).map(inWords),
        ...(more > 0 ? [`  and ${grouped(more)} more, each for a reason of its own`] : []),
        ...(untried > 0 ? [`  ${grouped(untried)} more ${untried === 1 ? "was" : "were"} not tried: ${why}.`] : []),
      ].join("\n"),
      { cause: this.#first },
    );
  }

  #fail(key: string, error: unknown): void {
    const reason = error instanceof PartialFailure ? error.cause : error;
    const cause = reason instanceof Error ? reason : new Error(String(reason));
    // What is no failure of a port, but a defect, is told as such.
    if (this.#failures === 0 || !(cause instanceof BrightDataError)) this.#first = cause;
    this.#failures++;
    this.#isHopeless ||= isEverybodys(cause);
    const alike = cause.message.replace(PORT_NUMBERS, "");
    const known = once(this.#failed, alike, () => ({ words: cause.message, keys: [], isNumbered: false }));
    known.keys.push(key);
    known.isNumbered ||= known.words !== cause.message;
  }

  #report(): void {
    const now = performance.now();
    if (now - this.#toldAt < REPORT_MS || this.#done === this.total) return;
    this.#toldAt = now;
    this.step.say?.(`${grouped(this.#done)} of ${counted(this.total, "port")}${this.of}`);
  }
}

const PORT_NUMBERS = /\b\d{4,5}\b/g;

const inWords = ({ words, keys, isNumbered }: Reason): string =>
  `  ${keysInShort(keys)}${isNumbered ? ", each with a number of its own" : ""}: ${words}`;

const REST = "The next `pulumi up` goes on with what is left.";

/** A deletion that fails changes no state: no `pulumi up` sees what is gone by then. */
export const REST_OF_DELETION =
  "The same command goes on with what is left. To keep the set instead, run `pulumi refresh` and `pulumi up`.";

/** Whether a failure is nothing of one port's own. */
const isEverybodys = (error: unknown): boolean =>
  error instanceof EndedError ||
  error instanceof RateLimitError ||
  error instanceof AuthenticationError ||
  error instanceof PermissionError ||
  (error instanceof ConnectionError && error.settled) ||
  !(error instanceof BrightDataError);

export const keysInShort = (keys: readonly string[]): string => inShort(keys, MOST_KEYS);
