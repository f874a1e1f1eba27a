import type { Recorded } from "./recorded";

/** Of all kinds: where a resource stands is told by its kind and its place. */
const declared = new Set<string>();
const staying = new Map<string, Recorded>();
const replaced = new Map<string, Recorded>();

/** By mark, where resources of the state stand in the program by now. */
const byMark = new Map<string, string>();

/** By the place that a resource had in the program, where it stands by now. */
const byFormer = new Map<string, string>();

/** Where resources of one kind stand in the program, as far as the engine has told this process. No place is nowhere. */
export class Places {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  /** The program declares a resource there: a refresh compares too, but updates nothing. */
  declare(place: string | undefined, former: string | undefined): void {
    if (place === undefined) return;
    declared.add(this.#at(place));
    if (former !== undefined) byFormer.set(this.#at(former), place);
  }

  isDeclared(place: string | undefined): boolean {
    return place !== undefined && declared.has(this.#at(place));
  }

  /** A resource of the state stands there by now. */
  see({ mark }: Recorded, place: string | undefined): void {
    if (place !== undefined) byMark.set(mark, place);
  }

  of({ mark, place }: Recorded): string | undefined {
    return byMark.get(mark) ?? (place === undefined ? undefined : (byFormer.get(this.#at(place)) ?? place));
  }

  /** A resource of the state stays there, by its comparison. */
  stay(known: Recorded, place: string | undefined): void {
    if (place !== undefined) staying.set(this.#at(place), known);
  }

  /** A resource of the state is to be replaced there. */
  replace(known: Recorded, place: string | undefined): void {
    if (place !== undefined) replaced.set(this.#at(place), known);
  }

  replacedAt(place: string | undefined): Recorded | undefined {
    return place === undefined ? undefined : replaced.get(this.#at(place));
  }

  /**
   * Something is to be created there.
   *
   * @returns what stays there by its comparison: the engine replaces it all the same
   */
  succeed(place: string | undefined): Recorded | undefined {
    if (place === undefined) return undefined;
    const former = staying.get(this.#at(place));
    if (former === undefined) return undefined;
    staying.delete(this.#at(place));
    this.replace(former, place);
    return former;
  }

  #at(place: string): string {
    return `${this.#kind} ${place}`;
  }
}
