import type { JsonObject } from "../base/json";
import { PartialFailure } from "../lifecycle/lifecycle";

/** What has become of a resource. */
export interface Outcome {
  id: string;
  state: JsonObject;
  mark: string;
  /** Stands for where its service is. */
  location: string | undefined;
}

/** A failure after which there is something to record. */
export class Unfinished extends PartialFailure {
  readonly outcome: Outcome;

  constructor(outcome: Outcome, cause: PartialFailure) {
    super(outcome.id, outcome.state, cause.cause);
    this.outcome = outcome;
  }
}
