/** What time it is at a service, as the `Date` of its answers says, whatever this machine's clock says. */
export class ServiceClock {
  #aheadMs: number | undefined;

  /** @param date the header of an answer that has just come */
  learn(date: unknown): void {
    const ms = typeof date === "string" ? Date.parse(date) : Number.NaN;
    if (!Number.isNaN(ms)) this.#aheadMs = ms - Date.now();
  }

  /** In milliseconds since 1970, exact to a second or so; `undefined` while no answer has told. */
  get now(): number | undefined {
    return this.#aheadMs === undefined ? undefined : Date.now() + this.#aheadMs;
  }
}
