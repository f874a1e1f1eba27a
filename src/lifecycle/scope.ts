import { Claims } from "./claims";
import { Declarations } from "./declarations";

/** What all resources share, in one run, that are of one account or of one Proxy Manager: who has what, and who is at what. */
export class Scope {
  /** By which the processes of a run know it. */
  readonly names = new Set<string>();
  readonly claims = new Claims();
  readonly declarations = new Declarations();
  readonly #locks = new Map<string, Promise<unknown>>();

  /** Runs a task when those that were given one of its keys before are over. */
  async alone<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const earlier = keys.flatMap((key) => this.#locks.get(key) ?? []);
    const turn = Promise.allSettled(earlier).then(task);
    for (const key of keys) this.#locks.set(key, turn);
    try {
      return await turn;
    } finally {
      for (const key of keys) if (this.#locks.get(key) === turn) this.#locks.delete(key);
    }
  }

  /** Takes in what is known of another scope that turns out to be the same. */
  absorb(other: Scope): void {
    for (const name of other.names) this.names.add(name);
    this.claims.absorb(other.claims);
    this.declarations.absorb(other.declarations);
    for (const [key, turn] of other.#locks) {
      const own = this.#locks.get(key);
      this.#locks.set(key, own === undefined ? turn : Promise.allSettled([own, turn]));
    }
  }
}
