import { waitLeft } from "./end";

// A timer that comes this late counts as one that came in time: added up, the delays would lower the rate.
const TIMER_LATENESS_MS = 20;

/** Tasks with `shared` run at the same time, one with `exclusive` beside none that has either. */
export type CallLock = "shared" | "exclusive";

interface Waiting {
  signal: AbortSignal | undefined;
  lock: CallLock | undefined;
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
  readonly #locked: Record<CallLock, number> = { shared: 0, exclusive: 0 };
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
  async run<T>(signal: AbortSignal | undefined, task: () => Promise<T>, lock?: CallLock): Promise<T> {
    await this.#turn(signal, lock);
    try {
      return await task();
    } finally {
      this.#running--;
      if (lock !== undefined) this.#locked[lock]--;
      this.#admit();
    }
  }

  hold(seconds: number): void {
    this.#next = Math.max(this.#next, performance.now() + seconds * 1000);
  }

  /** Rejects everything that waits and is to end within this many seconds, if it does not start. */
  turnAway(reason: Error, seconds = Number.POSITIVE_INFINITY): void {
    for (const { signal, leave } of [...this.#waiting]) if (waitLeft(signal) <= seconds) leave(reason);
    this.#admit();
  }

  #turn(signal: AbortSignal | undefined, lock: CallLock | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const abort = () => {
        waiting.leave(signal?.reason);
        this.#admit();
      };
      const gone = () => {
        signal?.removeEventListener("abort", abort);
        this.#waiting.delete(waiting);
      };
      const waiting: Waiting = {
        signal,
        lock,
        enter: () => {
          gone();
          resolve();
        },
        leave: (reason) => {
          gone();
          reject(reason);
        },
      };
      signal?.addEventListener("abort", abort, { once: true });
      this.#waiting.add(waiting);
      this.#admit();
    });
  }

  /** Lets in whoever may start now, and comes back when the next may: with nobody left, a timer would only keep the process alive. */
  #admit(): void {
    this.#stopTimer();
    let isHeld = false;
    for (const { lock, enter } of this.#waiting) {
      if (this.#running >= this.#atOnce) return;
      // Who comes later is not let in before one that waits for a lock, or that would wait for ever.
      isHeld ||= lock !== undefined && !this.#isFree(lock);
      if (isHeld && lock !== undefined) continue;
      const now = performance.now();
      if (now < this.#next) {
        this.#timer = setTimeout(() => this.#admit(), Math.ceil(this.#next - now));
        return;
      }
      this.#next = (now - this.#next < TIMER_LATENESS_MS ? this.#next : now) + this.#spacingMs;
      this.#running++;
      if (lock !== undefined) this.#locked[lock]++;
      enter();
    }
  }

  #isFree(lock: CallLock): boolean {
    const { shared, exclusive } = this.#locked;
    return exclusive === 0 && (lock === "shared" || shared === 0);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
