/** What a thing is a part of, as its name says: an entry of a list. */
export const wholeOf = (thing: string): string | undefined => / in (.*)/.exec(thing)?.[1];

/** The highest numbers that name things, by their sort: of `port 24000` and `port 24001`, that is 24001. */
export class Highest {
  readonly #bySort = new Map<string, number>();

  of(sort: string): number | undefined {
    return this.#bySort.get(sort);
  }

  raise(thing: string): void {
    const [, sort = "", digits] = /^(\S+) (\d+)$/.exec(thing) ?? [];
    const number = Number(digits);
    if (number > (this.#bySort.get(sort) ?? -1)) this.#bySort.set(sort, number);
  }

  absorb(other: Highest): void {
    for (const [sort, number] of other.#bySort) this.raise(`${sort} ${number}`);
  }
}
