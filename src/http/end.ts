/** By signal: when it ends what it was given to, in milliseconds since 1970. */
const ends = new WeakMap<AbortSignal, number>();

/** Makes it known when a signal ends what it is given to: a wait beyond that need not begin. */
export function endsIn(seconds: number, signal: AbortSignal): void {
  ends.set(signal, Date.now() + seconds * 1000);
}

/** Seconds until a signal ends what it was given to; infinitely many where that is not known. */
export function secondsLeft(signal: AbortSignal | undefined): number {
  const end = signal === undefined ? undefined : ends.get(signal);
  return end === undefined ? Number.POSITIVE_INFINITY : (end - Date.now()) / 1000;
}
