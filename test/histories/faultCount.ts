import { expect } from "vitest";
import type { Report } from "./play.mts";

/** Of a hundred histories, the engine itself fails in no more. Where it did in all, nothing would have been tried. */
const MOST_FAULTS = 8;

/** Counts the histories in which the engine itself has failed. */
export class FaultCount {
  #played = 0;
  readonly #faults: string[] = [];

  hear({ fault }: Report): void {
    this.#played++;
    if (fault !== undefined) this.#faults.push(fault);
  }

  expectFew(): void {
    expect(this.#played).toBeGreaterThan(0);
    expect(this.#faults.length, this.#faults[0]).toBeLessThanOrEqual((this.#played * MOST_FAULTS) / 100);
  }
}
