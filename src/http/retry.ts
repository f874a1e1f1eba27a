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

/**
 * Seconds to wait before trying again, or `undefined` when the service asks for longer than is reasonable.
 *
 * @param attempt 1 after the first failure
 * @param retryAfter what the service asks for, in seconds: waited for to the letter, without jitter
 * @param random from 0 to 1; up to a quarter is taken off our own delay, so that many clients do not come back at once
 */
export function retryDelaySeconds(attempt: number, retryAfter: number | undefined, random: number): number | undefined {
  if (retryAfter !== undefined) return retryAfter <= LONGEST_WAIT_SECONDS ? retryAfter : undefined;
  const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (attempt - 1), LONGEST_BACKOFF_SECONDS);
  return delay * (1 - random / 4);
}
