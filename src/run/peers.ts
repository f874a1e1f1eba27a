import { appendFileSync } from "node:fs";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import { Claims, type Told } from "../lifecycle/claims";
import { codeOf } from "./intentFiles";
import { factsFile, Tail, unwrittenFile } from "./runFiles";

/** What a process of the provider tells the others of the same run: what has come to be claimed of an account, or of a manager. */
interface Fact {
  /** Names the process. */
  by: string;
  /** Names of the scope; the others may know it by another of them. */
  of: readonly string[];
  /** Absent where the names are all that is told. */
  told?: Told;
}

/**
 * The processes of one run: each explicit provider has its own. What one is about to delete another may have, or be about to take
 * over.
 */
export class Peers {
  readonly #own: string;
  readonly #tail: Tail;
  readonly #unwritten: string[] = [];
  /** What was told of scopes that are not known here yet. */
  readonly #pending: Fact[] = [];
  /** What scopes were known to be called together. */
  readonly #called = new Set<string>();

  /** @param programs the file of the run's program; `own` names this process */
  constructor(
    readonly programs: string,
    own: string,
  ) {
    this.#own = own;
    this.#tail = new Tail(factsFile(programs));
  }

  tell(of: Iterable<string>, told?: Told): void {
    const fact: Fact = { by: this.#own, of: [...of], ...(told && { told }) };
    // Before the engine is answered, and all that comes together at once.
    if (this.#unwritten.push(`${JSON.stringify(fact)}\n`) === 1) queueMicrotask(() => this.#write());
  }

  #write(): void {
    const lines = this.#unwritten.splice(0).join("");
    try {
      appendFileSync(this.#tail.file, lines, { mode: 0o600 });
    } catch (error) {
      quietly(() => appendFileSync(unwrittenFile(this.programs, codeOf(error)), ""));
    }
  }

  /**
   * Hears what others have told since the last time.
   *
   * @param claimsOf the claims of a scope by its names; `undefined` where none of them is known here
   */
  hear(claimsOf: ClaimsOf): void {
    this.#pass(
      this.#tail
        .unread()
        .filter(isFact)
        .filter(({ by }) => by !== this.#own),
      claimsOf,
    );
  }

  /** Hears, besides, what was told of scopes that are known only by now. */
  hearAgain(claimsOf: ClaimsOf): void {
    this.#pass(this.#pending.splice(0), claimsOf);
    this.hear(claimsOf);
  }

  /** What was told of scopes that are not known here yet, if those of their names are meant. */
  unknown(isMeant: (name: string) => boolean): Claims {
    const claims = new Claims();
    for (const { of, told } of this.#pending) if (told !== undefined && of.every(isMeant)) claims.hear(told);
    return claims;
  }

  #pass(facts: readonly Fact[], claimsOf: ClaimsOf): void {
    for (const fact of facts) {
      const claims = claimsOf(fact.of);
      if (claims === undefined) {
        this.#pending.push(fact);
        continue;
      }
      // What was told before under a name that is known by now comes first.
      const called = JSON.stringify(fact.of);
      if (!this.#called.has(called)) {
        this.#called.add(called);
        this.#pass(this.#pending.splice(0), claimsOf);
      }
      if (fact.told !== undefined) claims.hear(fact.told);
    }
  }
}

type ClaimsOf = (names: readonly string[]) => Claims | undefined;

const isFact = (said: unknown): said is Fact =>
  isObject(said) &&
  Array.isArray(said.of) &&
  (said.told === undefined || (isObject(said.told) && typeof said.told.call === "string"));
