const LIFETIME_MS = 1000;

/**
 * A value that many ask for at the same time and that is fetched once: all the reads of a refresh use one list.
 * It is good for a second, and not across a change.
 */
export class Shared<T> {
  readonly #load: () => Promise<T>;
  #value: Promise<T> | undefined;
  #goodUntil = 0;

  constructor(load: () => Promise<T>) {
    this.#load = load;
  }

  /** @param signal ends the waiting of the one who asks; others may go on */
  get(signal: AbortSignal): Promise<T> {
    if (this.#value === undefined || Date.now() > this.#goodUntil) this.#fetch();
    return unlessAborted(this.#value as Promise<T>, signal);
  }

  /** Makes the next one who asks fetch it anew. */
  forget(): void {
    this.#value = undefined;
  }

  #fetch(): void {
    const value = this.#load();
    this.#value = value;
    this.#goodUntil = Number.POSITIVE_INFINITY;
    // Unless it has been forgotten meanwhile, and another is there in its place.
    const ifCurrent = (settle: () => void) => () => {
      if (this.#value === value) settle();
    };
    value.then(
      ifCurrent(() => {
        this.#goodUntil = Date.now() + LIFETIME_MS;
      }),
      ifCurrent(() => this.forget()),
    );
  }
}

function unlessAborted<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
