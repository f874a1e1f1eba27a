import { type RequestContext, RequestError } from "../base/errors";
import { ofThing } from "../base/memory";

interface End {
  /** When the signal ends what it was given to, by `performance.now()`. */
  at: number;
  /** Ends what is not sent yet. */
  unsent: AbortSignal | undefined;
}

const unknownEnd = (): End => ({ at: Number.POSITIVE_INFINITY, unsent: undefined });

/** What is known of a signal. */
const endOf = (signal: AbortSignal): End => ofThing(signal, unknownEnd);

/**
 * Makes it known when a signal ends what it is given to: a wait beyond that need not begin. Timers end it, so that it is reckoned by
 * their clock: this machine's may be set meanwhile, and goes on while that sleeps.
 *
 * @param unsent ends what is not sent: requests that change something, and the pauses of others. What became of one that is
 * being sent would be unknown.
 */
export function endsIn(seconds: number, signal: AbortSignal, unsent?: AbortSignal): void {
  Object.assign(endOf(signal), { at: performance.now() + seconds * 1000, unsent });
}

/** For a request that others wait for, too: a signal that ends what is not sent of it, as `signal` does, and nothing else. */
export function unsentEnd(signal: AbortSignal): AbortSignal {
  const shared = new AbortController().signal;
  endsIn(Number.POSITIVE_INFINITY, shared, endOf(signal).unsent);
  return shared;
}

/** Seconds until a signal ends what it was given to; infinitely many where that is not known. */
export const secondsLeft = (signal: AbortSignal | undefined): number =>
  signal === undefined ? Number.POSITIVE_INFINITY : (endOf(signal).at - performance.now()) / 1000;

/** Whether a request with this signal, where it is not sent yet, is not to be waited for any more. */
export const isCalledOff = (signal: AbortSignal | undefined): boolean =>
  signal !== undefined && endOf(signal).unsent?.aborted === true;

export const calledOff = (context: RequestContext, cause: unknown): RequestError =>
  new RequestError(context, "nothing was sent, because the update was cancelled", "Run it again.", true, { cause });

/** Seconds for which a request with this signal may wait before it is sent. */
export const waitLeft = (signal: AbortSignal | undefined): number =>
  isCalledOff(signal) ? 0 : Math.max(0, secondsLeft(signal));

/** What ends the wait of a request with this signal while it is not sent. */
export function waitEnd(signal: AbortSignal | undefined): AbortSignal | undefined {
  if (signal === undefined) return undefined;
  const end = endOf(signal);
  if (end.unsent === undefined) return signal;
  const either = AbortSignal.any([signal, end.unsent]);
  Object.assign(endOf(either), end);
  return either;
}
