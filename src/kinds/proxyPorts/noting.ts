import type { JsonObject } from "../../base/json";
import type { Step } from "../../lifecycle/lifecycle";
import { proxyPort } from "../proxyPort/declaration";

/** What is noted of ports before they are made. */
export interface SetFacts {
  /** Begins the mark of each. */
  mark: string;
  /** Paths of what is declared. */
  declared: string[];
  /** Whether all that have been begun so far name their numbers: no other one may come. */
  isNumbered?: true;
}

/** How long one port may take to be made: for so long, a port that a killed update has begun may come yet. */
const PORT_SECONDS = proxyPort.timeouts.create;

/**
 * The intent of ports that are made one after another. A set may take much longer than each of them, so the intent lasts twice as
 * long as a port may take, and is renewed as long as there are more.
 */
export class Noting {
  readonly #facts: JsonObject;
  readonly #advice: string;
  readonly #step: Step;
  #until = 0;
  #noted = Promise.resolve();

  constructor(facts: JsonObject, advice: string, step: Step) {
    this.#facts = facts;
    this.#advice = advice;
    this.#step = step;
  }

  /** Makes a port, which the intent outlasts. */
  async make<T>(task: (step: Step) => Promise<T>): Promise<T> {
    const { deadline } = this.#step;
    await this.#note();
    return deadline.within(PORT_SECONDS, (part) => task({ ...this.#step, deadline: part }));
  }

  #note(): Promise<void> {
    if (Date.now() + PORT_SECONDS * 1000 > this.#until) {
      this.#until = Date.now() + 2 * PORT_SECONDS * 1000;
      const until = new Date(this.#until).toISOString();
      this.#noted = this.#step.journal?.begin(this.#facts, this.#advice, undefined, { until }) ?? this.#noted;
    }
    return this.#noted;
  }
}
