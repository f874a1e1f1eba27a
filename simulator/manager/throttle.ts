/** The requests of one port to each domain: as many at once as `throttle` says, the others one after the other. */
export class Throttle {
  readonly #active = new Map<string, number>();
  readonly #waiting = new Map<string, (() => void)[]>();

  /** Waits until it is the request's turn. @returns what says that it is over */
  async enter(limit: number, url: string): Promise<() => void> {
    const domain = domainOf(url);
    const active = (this.#active.get(domain) ?? 0) + 1;
    this.#active.set(domain, active);
    if (active > limit) {
      const waiting = this.#waiting.get(domain) ?? [];
      this.#waiting.set(domain, waiting);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return () => this.#leave(domain);
  }

  /** Lets all go on that wait. */
  release(): void {
    for (const waiting of this.#waiting.values()) for (const goOn of waiting.splice(0)) goOn();
  }

  #leave(domain: string): void {
    this.#active.set(domain, (this.#active.get(domain) ?? 0) - 1);
    this.#waiting.get(domain)?.shift()?.();
  }
}

export const domainOf = (url: string): string =>
  /^(?:https?:\/\/)?(?:[^@]+@)?(?:www\.)?([^:/?]+)/i.exec(url)?.[1] ?? "";
