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

  get(): Promise<T> {
    if (this.#value === undefined || Date.now() > this.#goodUntil) {
      const value = this.#load();
      this.#value = value;
      this.#goodUntil = Number.POSITIVE_INFINITY;
      value.then(
        () => {
          this.#goodUntil = Date.now() + LIFETIME_MS;
        },
        () => this.forget(),
      );
    }
    return this.#value;
  }

  /** Makes the next one who asks fetch it anew. */
  forget(): void {
    this.#value = undefined;
  }
}
