import type { JsonObject } from "../base/json";
import type { Claimed, Claims } from "../lifecycle/claims";
import type { Declared, Lifecycle } from "../lifecycle/lifecycle";
import { keysOf } from "../lifecycle/paths";

/** What resources of one kind have of their service, and claim of it. */
export class Holdings {
  readonly #kind: string;
  readonly #lifecycle: Lifecycle;

  constructor(kind: string, lifecycle: Lifecycle) {
    this.#kind = kind;
    this.#lifecycle = lifecycle;
  }

  /** What a state has; of inputs alone, which have no id, what they name for certain. */
  of(id: string | undefined, state: JsonObject): string[] {
    return this.#lifecycle.holds?.(id, state) ?? (id === undefined ? [] : [`${this.#kind} ${id}`]);
  }

  /** What a resource of the state claims that stays: what it keeps of what it has, and what its inputs name besides. */
  staying(id: string, state: JsonObject, declared: Declared, inputs: JsonObject): Claimed {
    const kept = this.kept(id, state, declared, inputs);
    const added = difference(this.of(id, inputs), this.of(id, state));
    // What it has in addition it writes over whatever is there, unless its kind says what it takes over.
    if (this.#lifecycle.adopts === undefined) return { has: [...kept, ...added] };
    const adopted = this.#adopted(inputs).filter((thing) => added.includes(thing));
    return { has: kept, adopts: adopted, expects: difference(added, adopted) };
  }

  /** What a resource claims that is to be created. */
  coming(inputs: JsonObject): Claimed {
    const adopts = this.#adopted(inputs);
    return { adopts, expects: difference(this.of(undefined, inputs), adopts) };
  }

  /** What a state has, and its resource keeps. */
  kept(id: string, state: JsonObject, declared: Declared, inputs: JsonObject): string[] {
    const { keeps } = this.#lifecycle;
    if (keeps !== undefined) return keeps(id, state, declared, inputs);
    const taken = [...declared].map((path) => keysOf(path)[0] as string).filter((name) => inputs[name] === undefined);
    const after = { ...without(state, taken), ...inputs };
    const named = this.of(id, after);
    return this.of(id, state).filter((thing) => named.includes(thing));
  }

  /** What a state has and another resource has taken over, or deleted, in this run, where the resource can do without. */
  lost(id: string, state: JsonObject, mark: string, claims: Claims): string[] {
    if (this.#lifecycle.without === undefined || this.#lifecycle.isShared === true) return [];
    return this.of(id, state).filter((thing) => claims.isTaken(thing, mark));
  }

  /** The state without what is another resource's of this program by now. */
  without(state: JsonObject, others: readonly string[]): JsonObject {
    return others.length === 0 ? state : (this.#lifecycle.without?.(state, new Set(others)) ?? state);
  }

  #adopted(inputs: JsonObject): string[] {
    const { adopts } = this.#lifecycle;
    return adopts?.(inputs) ?? (inputs.adopt === true ? this.of(undefined, inputs) : []);
  }
}

const without = (values: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));

function difference(things: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others);
  return things.filter((thing) => !left.has(thing));
}
