/** As many at a time as there are; the others wait for their turn. */
export class Workers {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(number: number) {
    this.#free = number;
  }

  async take(): Promise<void> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free--;
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
