import { failuresInShort } from "../base/inShort";
import type { JsonObject } from "../base/json";
import { once } from "../base/once";

/** Where a resource stands in its program, and what it is called there. */
export interface Declarer {
  place: string | undefined;
  /** Its logical name; `undefined` where a class of an earlier version has registered it. */
  name: string | undefined;
}

/** What the program declares of one account, or of one Proxy Manager, as far as it has been told in this run. */
export class Declarations {
  readonly #declarers = new Map<string, Map<string, Declarer>>();
  readonly #named = new Map<string, JsonObject>();

  /**
   * Notes that a resource declares things which can be declared once.
   *
   * @returns what is wrong where another resource does too, a sentence for each thing, of many in short
   */
  declareOnce(kind: string, things: readonly string[], declarer: Declarer): string[] {
    const { place } = declarer;
    if (place === undefined) return [];
    const failures = things.flatMap((thing) => {
      const known = once(this.#declarers, thing, () => new Map<string, Declarer>()).set(place, declarer);
      const other = [...known].find(([where]) => where !== place)?.[1];
      return other === undefined ? [] : [declaredTwice(kind, thing, declarer, other)];
    });
    return failuresInShort(failures);
  }

  /** Whether a resource at another place declares a thing. */
  isDeclaredElsewhere(thing: string, place: string | undefined): boolean {
    return [...(this.#declarers.get(thing)?.keys() ?? [])].some((where) => where !== place);
  }

  /** Notes the inputs of a resource that has a name at its service. */
  name(kind: string, inputs: JsonObject): void {
    if (typeof inputs.name === "string") this.#named.set(`${kind} ${inputs.name}`, inputs);
  }

  /** The inputs of the resource that has a name at its service. */
  named(kind: string, name: unknown): JsonObject | undefined {
    return this.#named.get(`${kind} ${String(name)}`);
  }

  absorb(other: Declarations): void {
    for (const [thing, declarers] of other.#declarers)
      this.#declarers.set(thing, new Map([...(this.#declarers.get(thing) ?? []), ...declarers]));
    for (const [name, inputs] of other.#named) this.#named.set(name, inputs);
  }
}

function declaredTwice(kind: string, thing: string, { name }: Declarer, other: Declarer): string {
  const [one, two] = [other.name, name].map((known) => (known === undefined ? `a ${kind}` : JSON.stringify(known)));
  return `${thing} is declared twice, by ${one} and by ${two}. Declare it once: each of them would change, and delete, what the other has.`;
}
