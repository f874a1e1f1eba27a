import type { JsonObject } from "../base/json";
import type { Recorded } from "./recorded";

/** Where the resources of one kind stand in the program, as far as the engine has told this process. No place is nowhere. */
export class Places {
  readonly #declared = new Set<string>();
  readonly #staying = new Map<string, Recorded>();
  readonly #replaced = new Map<string, Recorded>();
  /** The inputs that there were before, by place. */
  readonly #previous = new Map<string, JsonObject>();
  /** By mark, where resources of the state stand in the program by now. */
  readonly #byMark = new Map<string, string>();
  /** By the place that a resource had in the program, where it stands by now. */
  readonly #byFormer = new Map<string, string>();

  /** The program declares a resource there: a refresh compares too, but updates nothing. */
  declare(place: string | undefined, former: string | undefined, previous: JsonObject | undefined): void {
    if (place === undefined) return;
    this.#declared.add(place);
    if (former !== undefined) this.#byFormer.set(former, place);
    if (previous !== undefined) this.#previous.set(place, previous);
  }

  /** The inputs that a resource there had before this run, as far as the engine has told. */
  previousAt(place: string | undefined): JsonObject | undefined {
    return place === undefined ? undefined : this.#previous.get(place);
  }

  isDeclared(place: string | undefined): boolean {
    return place !== undefined && this.#declared.has(place);
  }

  /** A resource of the state stands there by now. */
  see({ mark }: Recorded, place: string | undefined): void {
    if (place !== undefined) this.#byMark.set(mark, place);
  }

  of({ mark, place }: Recorded): string | undefined {
    return this.#byMark.get(mark) ?? (place === undefined ? undefined : (this.#byFormer.get(place) ?? place));
  }

  /** A resource of the state stays there, by its comparison. */
  stay(known: Recorded, place: string | undefined): void {
    if (place !== undefined) this.#staying.set(place, known);
  }

  /** A resource of the state is to be replaced there. */
  replace(known: Recorded, place: string | undefined): void {
    if (place !== undefined) this.#replaced.set(place, known);
  }

  replacedAt(place: string | undefined): Recorded | undefined {
    return place === undefined ? undefined : this.#replaced.get(place);
  }

  /**
   * Something is to be created there.
   *
   * @returns what stays there by its comparison: the engine replaces it all the same
   */
  succeed(place: string | undefined): Recorded | undefined {
    if (place === undefined) return undefined;
    const former = this.#staying.get(place);
    if (former === undefined) return undefined;
    this.#staying.delete(place);
    this.replace(former, place);
    return former;
  }
}
