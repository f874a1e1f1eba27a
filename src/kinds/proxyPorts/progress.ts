const EVERY_MS = 5000;

/** Tells the person who waits how many of many things are done, every few seconds. */
export class Progress {
  readonly #total: number;
  readonly #of: string;
  readonly #say: ((words: string) => void) | undefined;
  #done = 0;
  #toldAt = performance.now();

  /** @param of says of which set the ports are */
  constructor(total: number, of: string, say: ((words: string) => void) | undefined) {
    this.#total = total;
    this.#of = of;
    this.#say = say;
  }

  /** One more is done. */
  step(): void {
    this.#done++;
    const now = performance.now();
    if (now - this.#toldAt < EVERY_MS || this.#done === this.#total) return;
    this.#toldAt = now;
    this.#say?.(`${this.#done.toLocaleString("en")} of ${this.#total.toLocaleString("en")} ports${this.#of}`);
  }
}
