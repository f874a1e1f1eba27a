import { BrightDataError } from "../errors";
import { pause } from "../http/pause";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2000;

/** The time for a whole operation on a resource is over. */
export class DeadlineError extends BrightDataError {}

/** The end of the time that an operation on a resource may take. */
export class Deadline {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #doing = "finishing";

  /**
   * @param seconds the time allowed
   * @param argument what allows more, such as `timeouts.create`
   */
  constructor(seconds: number, argument: string) {
    this.signal = this.#controller.signal;
    this.#timer = setTimeout(() => {
      const words = `Gave up after ${seconds} s, ${this.#doing}. Allow more time with \`${argument}\` (in seconds).`;
      this.#controller.abort(new DeadlineError(words));
    }, seconds * 1000);
  }

  /** Asks until there is an answer, less and less often. `doing` completes "Gave up after 60 s, …". */
  async poll<T>(doing: string, probe: () => Promise<T | undefined>): Promise<T> {
    this.#doing = doing;
    for (let ms = FIRST_PAUSE_MS; ; ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
      const found = await probe();
      if (found !== undefined) {
        this.#doing = "finishing";
        return found;
      }
      await pause(ms, this.signal);
    }
  }

  /** Ends the timer, and with it the signal's chance to fire. */
  release(): void {
    clearTimeout(this.#timer);
  }
}
