import { pause } from "./pause";

/**
 * Lets a bounded number of requests run at once, spaces them where a rate is set, and holds all of them back when the
 * service has asked for a pause: one request that is told to slow down speaks for its neighbours.
 */
export class Limiter {
  readonly #atOnce: number;
  readonly #spacingMs: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #next = 0;

  /**
   * @param atOnce how many requests may run at the same time
   * @param perMinute how many may start in a minute; 0 for no limit
   */
  constructor(atOnce: number, perMinute: number) {
    this.#atOnce = atOnce;
    this.#spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute;
  }

  /** Runs `task` when its turn has come; rejects when `signal` ends the wait. */
  async run<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    try {
      await this.#turn(signal);
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Starts nothing for this many seconds. */
  hold(seconds: number): void {
    this.#next = Math.max(this.#next, Date.now() + seconds * 1000);
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const now = Date.now();
    const start = Math.max(now, this.#next);
    if (this.#spacingMs > 0) this.#next = start + this.#spacingMs;
    if (start > now) await pause(start - now, signal);
  }
}
