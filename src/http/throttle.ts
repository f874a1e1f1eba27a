import { type Caused, originOf, RateLimitError, type RequestContext, ServiceError } from "../base/errors";
import type { RateBudget } from "./budget";
import { waitEnd, waitLeft } from "./end";
import { type CallLock, Limiter } from "./limiter";

export interface ThrottleOptions {
  atOnce: number;
  /** How many may start in a minute; 0 for no limit. */
  perMinute: number;
  budget: RateBudget;
}

export interface Ticket {
  context: RequestContext;
  signal?: AbortSignal | undefined;
  /** Whether it changes something: then it is not to begin when the update is cancelled. Others only do not wait for a pause. */
  changes?: boolean | undefined;
  /** Whether the service counts these requests apart: then a 429 says nothing of the others. */
  countedApart?: boolean | undefined;
  lock?: CallLock | undefined;
}

/** Paces the requests of one service, holds all of them back after a 429, and refuses them while the service is closed. */
export class Throttle {
  readonly #atOnce: number;
  readonly #limiter: Limiter;
  readonly #budget: RateBudget;

  constructor({ atOnce, perMinute, budget }: ThrottleOptions) {
    this.#atOnce = atOnce;
    this.#limiter = new Limiter(atOnce, perMinute);
    this.#budget = budget;
  }

  /** Seconds for which the service is held back; `undefined` while it is closed, and waiting makes no sense. */
  get heldSeconds(): number | undefined {
    return this.#budget.closed === undefined ? this.#budget.heldSeconds : undefined;
  }

  /**
   * Runs `task` when its turn has come.
   *
   * @throws {RateLimitError} without running it, while the service is closed, or when `signal` ends before the pause that a 429 asked for
   */
  async run<T>(ticket: Ticket, task: () => Promise<T>): Promise<T> {
    const { context, signal, changes, lock } = ticket;
    await this.#budget.refresh();
    const end = waitEnd(signal);
    const apply = () => this.#apply();
    apply();
    let begun = false;
    end?.addEventListener("abort", apply);
    try {
      if (this.#budget.closed !== undefined) throw CLOSED;
      if (this.#budget.heldSeconds > waitLeft(signal)) throw HELD;
      const watched = () => {
        begun = true;
        return this.#watched(ticket, task);
      };
      return await this.#limiter.run(changes ? end : signal, watched, lock);
    } catch (error) {
      if (error === CLOSED) throw this.#closedError(context);
      if (error === HELD) throw this.#heldError(context);
      if (!begun && signal?.aborted && this.#budget.heldSeconds > 0) throw this.#heldError(context, signal.reason);
      throw error;
    } finally {
      end?.removeEventListener("abort", apply);
    }
  }

  async #watched<T>(ticket: Ticket, task: () => Promise<T>): Promise<T> {
    const sentAt = performance.now();
    try {
      const result = await task();
      this.#passed(sentAt);
      return result;
    } catch (error) {
      if (error instanceof ServiceError && !ticket.countedApart) {
        if (error.status === 429) await this.#refused(sentAt, error.retryAfter);
        else this.#passed(sentAt);
      }
      throw error;
    }
  }

  #passed(sentAt: number): void {
    this.#budget.passed(sentAt);
    this.#apply();
  }

  async #refused(sentAt: number, retryAfter: number | undefined): Promise<void> {
    this.#budget.refused(sentAt, retryAfter);
    this.#apply();
    await this.#budget.share();
    this.#apply();
  }

  #apply(): void {
    const { heldSeconds } = this.#budget;
    if (heldSeconds > 0) {
      this.#limiter.hold(heldSeconds);
      this.#limiter.turnAway(HELD, heldSeconds);
    }
    this.#limiter.atOnce = this.#budget.atOnce(this.#atOnce);
    if (this.#budget.closed !== undefined) this.#limiter.turnAway(CLOSED);
  }

  #closedError(context: RequestContext): RateLimitError {
    const { until, why } = this.#budget.closed ?? { until: Date.now(), why: "answered 429 (too many requests)" };
    return notSent(context, until, "then", `nothing was sent, because ${originOf(context.url)} has ${why}`);
  }

  #heldError(context: RequestContext, reason?: unknown): RateLimitError {
    const until = Date.now() + this.#budget.heldSeconds * 1000;
    const problem = `${originOf(context.url)} answered 429 (too many requests) and asked for a pause that outlasts the time left`;
    return notSent(context, until, MORE_TIME, problem, { cause: reason });
  }
}

/** What those are turned away with whose time is over before the pause that a 429 asks for. */
const HELD = new Error("The service is held back.");

/** What those are turned away with that wait while the service closes. */
const CLOSED = new Error("The service is closed.");

/** While the service is held back, and not closed, whoever has the time waits. */
const MORE_TIME = "allow more time (the resource's `timeouts`), or";

/** @param otherwise what can be done besides, before fewer requests are sent */
function notSent(
  context: RequestContext,
  until: number,
  otherwise: string,
  problem: string,
  options?: Caused,
): RateLimitError {
  const retryAfter = Math.ceil((until - Date.now()) / 1000);
  const at = new Date(until).toISOString().replace(/\.\d+Z$/, "Z");
  const remedy = `Try again in ${retryAfter} s, at ${at}; ${otherwise} send fewer requests (brightdata:requestsPerMinute / BRIGHTDATA_REQUESTS_PER_MINUTE).`;
  return new RateLimitError(context, { status: 429, message: "", retryAfter, remedy }, { ...options, problem });
}
