import type { JsonObject } from "../base/json";
import type { DefaultTimeouts } from "../declaration/kind";
import type { Who } from "../lifecycle/claims";
import { PartialFailure, type Step } from "../lifecycle/lifecycle";
import { originOf } from "../lifecycle/mark";
import type { RunJournal } from "./journal";
import type { Undertaking } from "./meaning";
import type { Recorded } from "./recorded";

/** A call of an operation on a resource with these properties: the inputs that it is to have, or what the state has. */
export interface OperationCall {
  operation: keyof DefaultTimeouts;
  props: JsonObject;
  /** Of what is deleted, the program tells where it stands. */
  place?: string | undefined;
  /** What is noted of it, if anything. */
  subject?: Undertaking;
  known?: Recorded;
  /** How long the engine allows it; `undefined` where it does not say. The input `timeouts` comes before. */
  seconds: number | undefined;
  /** In whose place something is created. */
  replaced?: Recorded | undefined;
}

/** What an operation works with. */
export interface Work {
  step: Step & { me: Who };
  journal: RunJournal | undefined;
  /** Stands for the account, where that is known. */
  account: string | undefined;
  /** The mark that the state is to have. */
  mark(): string;
}

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
