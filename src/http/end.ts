interface End {
  /** When the signal ends what it was given to, in milliseconds since 1970. */
  at: number;
  /** Ends what is not sent yet. */
  unsent: AbortSignal | undefined;
}

/** By signal, what is known of it. */
const ends = new WeakMap<AbortSignal, End>();

/**
 * Makes it known when a signal ends what it is given to: a wait beyond that need not begin.
 *
 * @param unsent ends requests that change something and wait for their turn, and no others: what became of those would be unknown
 */
export function endsIn(seconds: number, signal: AbortSignal, unsent?: AbortSignal): void {
  ends.set(signal, { at: Date.now() + seconds * 1000, unsent });
}

/** Seconds until a signal ends what it was given to; infinitely many where that is not known. */
export function secondsLeft(signal: AbortSignal | undefined): number {
  const end = signal === undefined ? undefined : ends.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : (end.at - Date.now()) / 1000;
}

/** What ends a request with this signal while it is not sent yet; `undefined` where that is the signal alone. */
export const unsentEnd = (signal: AbortSignal | undefined): AbortSignal | undefined =>
  signal === undefined ? undefined : ends.get(signal)?.unsent;
