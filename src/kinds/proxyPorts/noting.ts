import type { JsonObject } from "../../base/json";
import type { Step } from "../../lifecycle/lifecycle";
import { proxyPort } from "../proxyPort/declaration";

/** What is noted of ports before they are made: the paths of what is declared, and what begins the mark of each. */
export interface SetFacts extends JsonObject {
  mark: string;
  declared: string[];
  /** Whether all that have been begun so far name their numbers: no other one may come. */
  isNumbered?: true;
}

/** How long one port may take to be made: for so long, a port that a killed update has begun may come yet. */
const PORT_SECONDS = proxyPort.timeouts.create;

/** Makes a port, which its intent outlasts. */
export type Make = <T>(task: (step: Step) => Promise<T>) => Promise<T>;

/**
 * Ports are made one after another under one intent. A set may take much longer than each of them, so the intent lasts twice as
 * long as a port may take, and is renewed as long as there are more.
 */
export function noting(facts: SetFacts, advice: string, step: Step): Make {
  let until = 0;
  let noted = Promise.resolve();
  return async (task) => {
    if (Date.now() + PORT_SECONDS * 1000 > until) {
      until = Date.now() + 2 * PORT_SECONDS * 1000;
      const times = { until: new Date(until).toISOString() };
      noted = step.journal?.begin(facts, advice, undefined, times) ?? noted;
    }
    await noted;
    return step.deadline.within(PORT_SECONDS, (part) => task({ ...step, deadline: part }));
  };
}
