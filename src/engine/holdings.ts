import type { JsonObject } from "../json";
import type { Lifecycle } from "../lifecycle/lifecycle";

/** The things that inputs name: those that their resource has, those that it is to get, and what it takes over of all. */
interface Declarations {
  kept: string[];
  added: string[];
  adopted: string[];
}

/** What resources of one kind have of their service, under names that no other kind has. */
export class Holdings {
  readonly #lifecycle: Lifecycle;
  readonly #thing: string;

  constructor(kind: string, lifecycle: Lifecycle) {
    this.#lifecycle = lifecycle;
    this.#thing = lifecycle.thing ?? kind;
  }

  /** What a state has; of inputs alone, which have no id, what they name for certain. */
  of(id: string | undefined, state: JsonObject): string[] {
    const own = this.#lifecycle.holds?.(id, state) ?? (id === undefined ? [] : [id]);
    return own.map((identity) => this.#named(identity));
  }

  /** What a state has, and inputs do not name any more. */
  dropped(id: string, state: JsonObject, inputs: JsonObject): string[] {
    return difference(this.of(id, state), this.of(undefined, inputs));
  }

  /** The state without what is another resource's of this program by now. */
  without(state: JsonObject, others: readonly string[]): JsonObject {
    const identities = new Set(others.map((thing) => thing.slice(this.#thing.length + 1)));
    return others.length === 0 ? state : (this.#lifecycle.without?.(state, identities) ?? state);
  }

  /**
   * What a resource that the program declares keeps from others: from those that go, and from those that would take it over.
   *
   * @param known what the resource has: nothing in the check of a creation, and in that of a replacement after another
   * @param id of one that is certain not to be replaced: what it names stays as well where the inputs leave it to the service
   */
  declared(inputs: JsonObject, known: readonly string[], id?: string): Declarations {
    const { holds, adopts } = this.#lifecycle;
    const stays = id !== undefined;
    const things = (holds?.(id, inputs) ?? []).map((identity) => this.#named(identity));
    // What a resource that stays has in addition it writes over whatever is there, unless its kind says what it takes over.
    const added = stays && adopts === undefined ? [] : difference(things, known);
    const adopted = (adopts?.(inputs) ?? []).map((identity) => this.#named(identity));
    return { kept: difference(things, added), added, adopted };
  }

  #named(identity: string): string {
    return `${this.#thing} ${identity}`;
  }
}

function difference(things: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return things.filter((thing) => !left.has(thing));
}
