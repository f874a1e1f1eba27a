/**
 * Who has what in one run of the engine. The provider's process lives as long as that run, so it can tell that a thing which
 * one resource is about to delete is another's by now: after a rename, a move or a forced replacement.
 *
 * A thing is named by its kind and its identity with the service, such as `Zone web` or `ZoneAccess web/allowedIps`.
 */
export class Ownership {
  readonly #made = new Set<string>();
  readonly #declared = new Declarations();
  readonly #adopted = new Declarations();
  readonly #places = new Set<string | undefined>();
  readonly #highest = { made: new Map<string, number>(), expected: new Map<string, number>() };
  readonly #left = new Set<string>();

  /** Notes that a resource has made, adopted or written these things in this run. */
  claim(things: readonly string[]): void {
    for (const thing of things) {
      this.#made.add(thing);
      raise(this.#highest.made, thing);
    }
  }

  /** Notes that the resource at a place has these things, declares them and stays. */
  declare(things: readonly string[], place?: string): void {
    this.#places.add(place);
    this.#declared.add(things, place);
  }

  /** Notes that the resource at a place, which declares these things, is to make them, or to make them anew. */
  expect(things: readonly string[], place?: string): void {
    this.#places.add(place);
    this.#declared.remove(things, place);
    for (const thing of things) raise(this.#highest.expected, thing);
  }

  /** Notes that the resource at a place takes over those of these things that it finds. */
  adopt(things: readonly string[], place?: string): void {
    this.#places.add(place);
    this.#adopted.add(things, place);
  }

  /**
   * The highest number that names a thing of a kind which resources of this run have `made`, or are `expected` to make or have
   * made by now; `undefined` where none is named by a number.
   */
  highest(kind: string, which: "made" | "expected"): number | undefined {
    return this.#highest[which].get(kind);
  }

  /** Notes that a resource has gone in this run and left the thing, which cannot be deleted. */
  leave(thing: string): void {
    this.#left.add(thing);
  }

  /** Whether a resource of this run has left the thing: to what comes in its place, that is nobody else's. */
  isLeft(thing: string): boolean {
    return this.#left.has(thing);
  }

  /**
   * Whether a resource of this run has the thing.
   *
   * @param place of a resource whose declarations do not count: it asks about others. What has been made counts all the same,
   *   for a resource that is replaced has the place of its successor.
   */
  has(thing: string, place?: string): boolean {
    return this.#made.has(thing) || this.#declared.isAnothers(thing, place);
  }

  /**
   * Whether the resource at a place may let go of the thing: another has it, or takes it over. That another is merely to make
   * it is no reason: it could not as long as the thing is there.
   */
  mayGo(thing: string, place?: string): boolean {
    // A state may have the place from which a resource was moved, or none: what takes the thing over could be its successor.
    const isKnown = place !== undefined && this.#places.has(place);
    return this.has(thing, place) || (isKnown && this.#adopted.isAnothers(thing, place));
  }
}

/** Which resources have said something of a thing, by their places in the program. */
class Declarations {
  readonly #places = new Map<string, Set<string | undefined>>();

  add(things: readonly string[], place: string | undefined): void {
    for (const thing of things) {
      const places = this.#places.get(thing);
      if (places === undefined) this.#places.set(thing, new Set([place]));
      else places.add(place);
    }
  }

  remove(things: readonly string[], place: string | undefined): void {
    for (const thing of things) this.#places.get(thing)?.delete(place);
  }

  /** Whether one has that is not at the place; of those without a place nobody knows which they are. */
  isAnothers(thing: string, place: string | undefined): boolean {
    for (const other of this.#places.get(thing) ?? []) if (other === undefined || other !== place) return true;
    return false;
  }
}

/** Notes the number that names a thing, if one does, by its kind. */
function raise(highest: Map<string, number>, thing: string): void {
  const [, kind = "", digits] = /^(\S+) (?:.*\/)?(\d+)$/.exec(thing) ?? [];
  const number = Number(digits);
  if (number > (highest.get(kind) ?? -1)) highest.set(kind, number);
}
