import { waitLeft } from "./end";

// A timer that comes this late counts as one that came in time: added up, the delays would lower the rate.
const TIMER_LATENESS_MS = 20;

interface Waiting {
  signal: AbortSignal | undefined;
  enter(): void;
  leave(reason: Error): void;
}

/**
 * Lets a bounded number of requests run at once, spaces them where a rate is set, and holds all of them back when the
 * service has asked for a pause: one request that is told to slow down speaks for its neighbours.
 */
export class Limiter {
  #atOnce: number;
  readonly #spacingMs: number;
  /** In the order in which they came. */
  readonly #waiting = new Set<Waiting>();
  #running = 0;
  /** The earliest moment of the next start. */
  #next = 0;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param atOnce how many requests may run at the same time
   * @param perMinute how many may start in a minute; 0 for no limit
   */
  constructor(atOnce: number, perMinute: number) {
    this.#atOnce = atOnce;
    this.#spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute;
  }

  /** How many requests may run at the same time. Those that run already are not ended. */
  set atOnce(most: number) {
    this.#atOnce = most;
    this.#admit();
  }

  /** Runs `task` when its turn has come; rejects when `signal` ends the wait. */
  async run<T>(signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    await this.#turn(signal);
    try {
      return await task();
    } finally {
      this.#running--;
      this.#admit();
    }
  }

  hold(seconds: number): void {
    this.#next = Math.max(this.#next, performance.now() + seconds * 1000);
  }

  /** Rejects everything that waits and is to end within this many seconds, if it does not start. */
  turnAway(reason: Error, seconds = Number.POSITIVE_INFINITY): void {
    for (const { signal, leave } of [...this.#waiting]) if (waitLeft(signal) <= seconds) leave(reason);
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => waiting.leave(signal?.reason);
      const gone = () => {
        signal?.removeEventListener("abort", abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        signal,
        enter: () => {
          gone();
          resolve();
        },
        leave: (reason) => {
          gone();
          // With nobody left to wake, the timer would only keep the process alive.
          if (this.#waiting.size === 0) this.#stopTimer();
          reject(reason);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiting);
      this.#admit();
    });
  }

  /** Lets in whoever may start now, and comes back when the next may. */
  #admit(): void {
    this.#stopTimer();
    for (const { enter } of this.#waiting) {
      if (this.#running >= this.#atOnce) return;
      const now = performance.now();
      if (now < this.#next) {
        this.#timer = setTimeout(() => this.#admit(), Math.ceil(this.#next - now));
        return;
      }
      this.#next = (now - this.#next < TIMER_LATENESS_MS ? this.#next : now) + this.#spacingMs;
      this.#running++;
      enter();
    }
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
