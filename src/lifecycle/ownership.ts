/**
 * Who has what in one run of the engine. The provider's process lives as long as that run, so it can tell that a thing which
 * one resource is about to delete is another's by now: after a rename, a move or a forced replacement.
 *
 * A thing is named by its kind and its identity with the service, such as `Zone web` or `ZoneAccess web/allowedIps`.
 */
export class Ownership {
  readonly #made = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #expected = new Set<string>();
  readonly #highest = { made: new Map<string, number>(), expected: new Map<string, number>() };
  readonly #left = new Set<string>();

  /** Notes that a resource has made, adopted or written these things in this run. */
  claim(things: readonly string[]): void {
    for (const thing of things) {
      this.#made.add(thing);
      raise(this.#highest.made, thing);
    }
  }

  /** Notes that a resource that stays as it is declares these things. */
  declare(things: readonly string[]): void {
    for (const thing of things) this.#declared.add(thing);
  }

  /** Notes that the resource which declares these things is to be made, or made anew. */
  expect(things: readonly string[]): void {
    for (const thing of things) {
      this.#declared.delete(thing);
      this.#expected.add(thing);
      raise(this.#highest.expected, thing);
    }
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

  /** Whether a resource of this run has the thing. */
  has(thing: string): boolean {
    return this.#made.has(thing) || this.#declared.has(thing);
  }

  /** Whether a resource of this run has the thing, or is about to make it or to take it over. */
  wants(thing: string): boolean {
    return this.has(thing) || this.#expected.has(thing);
  }

  /** Those of the things that a resource of this run has. */
  among(things: readonly string[]): string[] {
    return things.filter((thing) => this.has(thing));
  }
}

/** Notes the number that names a thing, if one does, by its kind. */
function raise(highest: Map<string, number>, thing: string): void {
  const [, kind = "", digits] = /^(\S+) (?:.*\/)?(\d+)$/.exec(thing) ?? [];
  const number = Number(digits);
  if (number > (highest.get(kind) ?? -1)) highest.set(kind, number);
}
