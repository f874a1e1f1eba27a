import { Claims, type Who } from "./claims";
import type { Deadline } from "./deadline";
import { Declarations } from "./declarations";

/** That nothing but one task changes what some keys stand for, in any process of the run. */
export interface Turn {
  /** Whether another process may have changed it since this one last had: what is known of it may be out of date. */
  wasAnothers: boolean;
  end(): void;
}

/** Runs a task while no other update on this machine is at what some names stand for, which is waited for until the deadline. */
export type OnMachine = <T>(names: readonly string[], task: () => Promise<T>, deadline: Deadline) => Promise<T>;

/** What all resources share, in one run, that are of one account or of one Proxy Manager: who has what, and who is at what. */
export class Scope {
  /** By which the processes of a run know it. */
  readonly names = new Set<string>();
  readonly claims = new Claims();
  readonly declarations = new Declarations();
  readonly #locks = new Map<string, Promise<unknown>>();
  #take: ((keys: readonly string[]) => Promise<Turn>) | undefined;
  #onMachine: OnMachine | undefined;

  /** Has other processes of the run asked for the turn, too, from now on. */
  takeTurns(take: (keys: readonly string[]) => Promise<Turn>): void {
    this.#take = take;
  }

  /** Has other updates on this machine waited for, too, by who asks for that. */
  waitOnMachine(onMachine: OnMachine): void {
    this.#onMachine = onMachine;
  }

  /**
   * Runs a task when those that were given one of its keys before are over.
   *
   * @param task is told whether another process may have changed what the keys stand for
   * @param deadline until which the tasks of all updates on this machine are waited for, too; otherwise only those of the run are
   * @param others scopes in which the keys stand for what may be the same
   */
  async alone<T>(
    keys: readonly string[],
    task: (wasAnothers: boolean) => Promise<T>,
    deadline?: Deadline,
    others: readonly Scope[] = [],
  ): Promise<T> {
    const all = [...new Set([this, ...others])];
    const each = all.flatMap((scope) => keys.map((key) => [scope.#locks, key] as const));
    const names = () => all.flatMap((scope) => scope.#named(keys));
    const earlier = each.flatMap(([locks, key]) => locks.get(key) ?? []);
    const onMachine = deadline === undefined ? undefined : this.#onMachine;
    const inTurn = (was: boolean) => onMachine?.(names(), () => task(was), deadline as Deadline) ?? task(was);
    const turn = Promise.allSettled(earlier).then(() =>
      keys.length === 0 ? inTurn(false) : this.#inTurn(names(), inTurn),
    );
    for (const [locks, key] of each) locks.set(key, turn);
    try {
      return await turn;
    } finally {
      for (const [locks, key] of each) if (locks.get(key) === turn) locks.delete(key);
    }
  }

  async #inTurn<T>(names: readonly string[], task: (wasAnothers: boolean) => Promise<T>): Promise<T> {
    if (this.#take === undefined) return task(false);
    const { wasAnothers, end } = await this.#take(names);
    return task(wasAnothers).finally(end);
  }

  /** Each process knows what a key stands for by one of these. */
  #named(keys: readonly string[]): string[] {
    return [...this.names].flatMap((name) => keys.map((key) => `${name} ${key}`));
  }

  /**
   * Whether another resource of the program has a thing, or one that is replaced in this run; `undefined` where another declares
   * it, or is to take it over, and nobody can tell yet whether that has it, or comes to it.
   */
  isHad(thing: string, me: Who = {}): boolean | undefined {
    const strength = this.claims.whoHas(thing, me);
    if (strength === "has" || this.claims.renewed.has(thing)) return true;
    return strength === "adopts" || this.declarations.isDeclaredElsewhere(thing, me.place) ? undefined : false;
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
