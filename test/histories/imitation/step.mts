import { CallFailed, type Providers } from "./providers.mts";
import { copyOf, isProvider, type State } from "./state.mts";
import type { Signal, Task } from "./tasks.mts";

/** What the program is answered. */
export interface Result {
  state: State;
  result: "SUCCESS" | "FAIL" | "SKIP";
}

export type Op =
  | "same"
  | "create"
  | "create-replacement"
  | "update"
  | "replace"
  | "delete"
  | "delete-replaced"
  | "remove-pending-replace"
  | "refresh"
  | "import";

/** What came of a step. */
export interface Applied {
  /** It has failed, and may have done something all the same. */
  error?: Error;
  isPartial?: boolean;
  /** What is told when it is in the state. */
  complete?: () => void;
}

/** Something that the engine does with one resource. */
export interface Step {
  op: Op;
  urn: string;
  before?: State | undefined;
  after?: State | undefined;
  res: State;
  /** It is only told that it would be done. */
  isSkipped?: boolean;
  apply(): Applied | Task<Applied>;
  /** Answers the program that it has failed, or is not done because something else has. */
  end?(result: "FAIL" | "SKIP"): void;
}

type Done = Signal<Result> | undefined;

const telling = (done: Done, state: State) => () => done?.set({ state, result: "SUCCESS" });

const ending = (done: Done, state: State) => (result: "FAIL" | "SKIP") => done?.set({ state, result });

/** Makes the steps of a run. */
export class Steps {
  readonly #providers: Providers;
  readonly #isPreview: boolean;

  constructor(providers: Providers, isPreview: boolean) {
    this.#providers = providers;
    this.#isPreview = isPreview;
  }

  /** @param isTargeted whether the program has it, and not only another that needs it */
  same(done: Done, before: State, after: State, isTargeted = true): Step {
    const providers = this.#providers;
    return {
      ...{ op: "same", urn: after.urn, before, after, res: after, end: ending(done, after) },
      apply() {
        after.id = before.id;
        after.outputs = before.outputs;
        if (isProvider(after.type) && isTargeted) providers.same({ ...after, inputs: before.inputs });
        return { complete: telling(done, after) };
      },
    };
  }

  /** What would be made, was it a target. */
  skipped(done: Done, after: State): Step {
    const before = copyOf(after);
    return {
      ...{ op: "same", urn: after.urn, before, after, res: after, isSkipped: true, end: ending(done, after) },
      apply() {
        return { complete: telling(done, after) };
      },
    };
  }

  /** @param isFirst whether what it replaces is deleted later */
  create(done: Done, after: State, before?: State, isFirst = false): Step {
    const op: Op = before === undefined ? "create" : "create-replacement";
    const create = (): Task<Applied> => this.#create(after);
    return {
      ...{ op, urn: after.urn, before, after, res: after, end: ending(done, after) },
      *apply() {
        const { error, isPartial = false } = yield* create();
        if (error !== undefined && !isPartial) return { error };
        if (before !== undefined && isFirst) before.delete = true;
        return error === undefined ? { complete: telling(done, after) } : { error, isPartial };
      },
    };
  }

  *#create(after: State): Task<Applied> {
    if (!after.custom || (this.#isPreview && !isProvider(after.type))) return {};
    try {
      Object.assign(after, yield* this.#providers.create(after));
      return {};
    } catch (error) {
      if (!(error instanceof CallFailed) || error.made === undefined) return { error: error as Error };
      const { id, outputs, reasons: initErrors } = error.made;
      Object.assign(after, { id, outputs, initErrors });
      return { error, isPartial: true };
    }
  }

  update(done: Done, before: State, after: State): Step {
    const update = (): Task<Applied> => this.#update(before, after);
    return {
      ...{ op: "update", urn: after.urn, before, after, res: after, end: ending(done, after) },
      *apply() {
        after.id = before.id;
        const applied = yield* update();
        return applied.error === undefined ? { complete: telling(done, after) } : applied;
      },
    };
  }

  *#update(before: State, after: State): Task<Applied> {
    if (this.#isPreview && !isProvider(after.type)) return {};
    try {
      if (after.custom) after.outputs = yield* this.#providers.update(after, before);
      return {};
    } catch (error) {
      if (!(error instanceof CallFailed) || error.made === undefined) return { error: error as Error };
      const { outputs, reasons: initErrors } = error.made;
      // What has not been done is not in the state as if it had.
      Object.assign(after, { outputs, initErrors, inputs: before.inputs });
      return { error, isPartial: true };
    }
  }

  replace(before: State, after: State): Step {
    return {
      ...{ op: "replace", urn: after.urn, before, after, res: after },
      apply: () => ({}),
    };
  }

  /**
   * @param deleted URNs of all that is deleted
   * @param replaced whether another takes its place, and whether that is yet to come
   */
  delete(before: State, deleted: ReadonlySet<string>, replaced?: { isToCome: boolean }): Step {
    const op: Op = replaced === undefined ? "delete" : "delete-replaced";
    const isReal = () => !this.#isPreview && before.custom && !deleted.has(before.deletedWith);
    const providers = this.#providers;
    return {
      ...{ op, urn: before.urn, before, res: before },
      *apply() {
        try {
          if (isReal()) yield* providers.delete(before);
        } catch (error) {
          return { error: error as Error };
        }
        if (replaced?.isToCome === true) before.pendingReplacement = true;
        return {};
      },
    };
  }

  /** What has been deleted to make room for another is not made. */
  forget(before: State): Step {
    return {
      ...{ op: "remove-pending-replace", urn: before.urn, before, res: before },
      apply: () => ({}),
    };
  }

  refresh(before: State): Step {
    const read = (): Task<State | undefined> => this.#read(before);
    const step: Step = {
      ...{ op: "refresh", urn: before.urn, before, after: before, res: before },
      *apply() {
        if (!before.custom || isProvider(before.type) || before.pendingReplacement) return {};
        try {
          step.after = yield* read();
          return {};
        } catch (error) {
          return { error: error as Error };
        }
      },
    };
    return step;
  }

  *#read(before: State): Task<State | undefined> {
    const { id, outputs, inputs } = yield* this.#providers.read(before);
    if (id === "") return undefined;
    const after = { ...copyOf(before), id, outputs, inputs: inputs ?? before.inputs, initErrors: [] };
    // What an update would change is compared, for the person to see.
    yield* this.#providers.diff(after, after, before.inputs);
    return after;
  }

  /** A file says what there is of it. What is wrong with that is only said. */
  import(after: State): Step {
    const providers = this.#providers;
    return {
      ...{ op: "import", urn: after.urn, after, res: after },
      *apply() {
        try {
          yield* providers.check(after, after.inputs, after.inputs);
          return {};
        } catch (error) {
          return { error: error as Error };
        }
      },
    };
  }
}
