import { appendFileSync } from "node:fs";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import type { Claims, Told } from "../lifecycle/claims";
import { newProcessFile, peerFiles, Tail } from "./runFiles";

/** What a process of the provider tells the others of the same run: what has come to be claimed of an account, or of a manager. */
interface Fact {
  /** Names of the scope; the others may know it by another of them. */
  of: readonly string[];
  told: Told;
}

/**
 * The processes of one run: each explicit provider has its own. What one is about to delete another may have, or be about to take
 * over.
 */
export class Peers {
  readonly #own: string;
  readonly #tails = new Map<string, Tail>();
  readonly #unwritten: string[] = [];
  /** What was told of scopes that are not known here yet. */
  #pending: Fact[] = [];

  /** @param programs the file of the run's program */
  constructor(readonly programs: string) {
    this.#own = newProcessFile(programs);
  }

  tell(of: Iterable<string>, told: Told): void {
    const fact: Fact = { of: [...of], told };
    // Before the engine is answered, and all that comes together at once.
    if (this.#unwritten.push(`${JSON.stringify(fact)}\n`) === 1) queueMicrotask(() => this.#write());
  }

  #write(): void {
    const lines = this.#unwritten.splice(0).join("");
    quietly(() => appendFileSync(this.#own, lines, { mode: 0o600 }));
  }

  /** @param claimsOf the claims of a scope by one of its names; `undefined` where it is not known here */
  hear(claimsOf: (name: string) => Claims | undefined): void {
    for (const file of peerFiles(this.programs, this.#own))
      if (!this.#tails.has(file)) this.#tails.set(file, new Tail(file));
    const fresh = [...this.#tails.values()].flatMap((tail) => tail.unread().filter(isFact));
    this.#pending = [...this.#pending, ...fresh].filter(({ of, told }) => {
      const claims = of.map(claimsOf).find((known) => known !== undefined);
      claims?.hear(told);
      return claims === undefined;
    });
  }
}

const isFact = (said: unknown): said is Fact =>
  isObject(said) && Array.isArray(said.of) && isObject(said.told) && typeof said.told.call === "string";
