import type { JsonObject } from "../base/json";
import { PartialFailure } from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";

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

/** What a run has made in part. An error hook may have the engine go on with it by updates, before it has saved anything of it. */
export class Halves {
  readonly #origins = new Set<string>();

  add({ mark }: Outcome): void {
    this.#origins.add(originOf(mark));
  }

  /** What an update of a thing fails with: of such a thing, it tells the engine once more what there is. */
  readonly toldAgain =
    ({ id, state, mark, location }: Outcome) =>
    (cause: unknown): never => {
      if (cause instanceof Unfinished || !this.#origins.has(originOf(mark))) throw cause;
      throw new Unfinished({ id, state, mark, location }, new PartialFailure(id, state, cause));
    };
}
