import { ConnectionError, RateLimitError, ServerError, ServiceError, TimeoutError } from "../base/errors";
import type { CallOptions } from "./call";
import { isCalledOff, waitEnd } from "./end";
import { pause } from "./pause";

/** A `Retry-After` beyond this many seconds is not waited for. */
export const LONGEST_WAIT_SECONDS = 65;

const FIRST_DELAY_SECONDS = 0.5;
const LONGEST_BACKOFF_SECONDS = 8;

// `Date.parse` makes a date of nearly everything, "Foo, 5" included.
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds that `Retry-After` asks for: a number of seconds or an HTTP date. `undefined` when absent or unreadable. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  const value = header.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  const at = HTTP_DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now.getTime()) / 1000);
}

export interface FailedTry {
  error: unknown;
  /** 1 for the first one. */
  number: number;
  /** How many may follow the first one. */
  retries: number;
  /** Whether sending the request twice does no more than sending it once. */
  repeatable: boolean;
  /** Whether it was sent: nothing is while the service is held back for too long. */
  isSent: boolean;
  isAborted: boolean;
  secondsLeft: number;
  /** Seconds for which a 429 holds the service back; `undefined` while the service is closed. */
  heldSeconds: number | undefined;
  /** Whether a 429 is about requests of this kind only. */
  countedApart: boolean;
}

/** When to try again; or not, because the tries are used up (`spent`), or because it could do harm or cannot help (`final`). */
export type NextTry = Delay | "spent" | "final";

type Delay = { seconds: number; isHeld: boolean };

/** @param random from 0 to 1, for the jitter */
export function nextTry(failed: FailedTry, random: number): NextTry {
  const { error, number, repeatable, isSent } = failed;
  if (failed.isAborted || number > failed.retries) return "spent";
  if (!isHarmless(error) && !(repeatable && isPassing(error))) return "final";
  if (error instanceof RateLimitError && !(isSent && failed.countedApart)) {
    // What the service is to be spared now, it is to be spared on another try.
    const seconds = isSent ? failed.heldSeconds : undefined;
    return seconds === undefined ? "final" : { seconds, isHeld: true };
  }
  const asked = error instanceof ServiceError ? error.retryAfter : undefined;
  const seconds = asked || backoffSeconds(number, random);
  return seconds > Math.min(LONGEST_WAIT_SECONDS, failed.secondsLeft) ? "final" : { seconds, isHeld: false };
}

/** Waits until a call is to be sent again; throws the error of its last try where it must not be. */
export async function untilNext(next: Delay, { signal, mayRepeat }: CallOptions, error: unknown): Promise<void> {
  // The throttle lets nothing through while the service is held back.
  if (!next.isHeld)
    await pause(next.seconds * 1000, waitEnd(signal)).catch((reason: unknown) => {
      throw isCalledOff(signal) ? error : reason;
    });
  if (mayRepeat === undefined) return;
  if (!(await mayRepeat().catch(() => false)) || isCalledOff(signal)) throw error;
}

/** Seconds after failure `number`. Up to a quarter is taken off, so that many clients do not come back at once. */
export function backoffSeconds(number: number, random: number): number {
  return Math.min(FIRST_DELAY_SECONDS * 2 ** (number - 1), LONGEST_BACKOFF_SECONDS) * (1 - random / 4);
}

/** Whether sending again does no harm, because the service has certainly not carried the request out. */
const isHarmless = (error: unknown): boolean =>
  error instanceof RateLimitError || (error instanceof ConnectionError && error.settled);

/** Whether trying again may help. What an operation made of a refusal is its answer, whatever the status was. */
const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError || error instanceof TimeoutError || error instanceof ServerError;
