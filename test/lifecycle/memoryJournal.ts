import type { JsonObject } from "../../src/base/json";
import type { Journal, Noted } from "../../src/lifecycle/lifecycle";

/** A journal that is kept nowhere. Another one after it has what this one has noted. */
export class MemoryJournal implements Journal {
  readonly mark = "m.mark";
  noted: Noted | undefined;
  readonly unfinished: Noted | undefined;
  /** When what was begun was to come no more. Another journal counts that as over. */
  readonly untils: (string | undefined)[] = [];

  constructor(before?: MemoryJournal) {
    this.unfinished = before?.noted;
  }

  async begin(facts: JsonObject, advice?: string, thing?: string, times: Pick<Noted, "until"> = {}): Promise<void> {
    this.untils.push(times.until);
    const [began, until] = [new Date(0).toISOString(), new Date().toISOString()];
    const noted = { began, until, mark: this.mark, facts };
    this.noted = { ...noted, ...(advice === undefined ? {} : { advice }), ...(thing === undefined ? {} : { thing }) };
  }

  forget(): void {
    this.noted = undefined;
  }

  takeBack(): void {
    this.noted = this.unfinished;
  }
}
