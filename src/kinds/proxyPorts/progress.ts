const EVERY_MS = 5000;

/** Tells the person who waits how many of many things are done, every few seconds. */
export class Progress {
  readonly #total: number;
  readonly #say: ((words: string) => void) | undefined;
  #done = 0;
  #toldAt = performance.now();

  constructor(total: number, say: ((words: string) => void) | undefined) {
    this.#total = total;
    this.#say = say;
  }

  /** One more is done. */
  step(): void {
    this.#done++;
    const now = performance.now();
    if (now - this.#toldAt < EVERY_MS || this.#done === this.#total) return;
    this.#toldAt = now;
    this.#say?.(`${this.#done.toLocaleString("en")} of ${this.#total.toLocaleString("en")} ports`);
  }
}
