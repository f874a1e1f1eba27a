import { isDeepStrictEqual } from "node:util";
import type { BoxEvent, Start } from "../box.mts";
import type { Deployment } from "../boxState.mts";
import { typeOf } from "../boxState.mts";
import { type Doing, deploymentOf, type Operation, type Snapshot, type State } from "./state.mts";
import type { Step } from "./step.mts";
import { Signal, type Task } from "./tasks.mts";

const UNSAVED = "failed to save snapshot: the state cannot be saved";

const DOING: Readonly<Record<string, Doing>> = {
  create: "creating",
  "create-replacement": "creating",
  update: "updating",
  delete: "deleting",
  "delete-replaced": "deleting",
  import: "importing",
};

const isOurs = ({ res }: Step): boolean => res.type.startsWith(typeOf(""));

/** Whether a step changes the state of a resource of ours. */
const isCounted = (step: Step): boolean => isOurs(step) && step.op !== "same" && step.op !== "replace";

/** Saves the state as the engine's own backends do, and says what it has saved. */
export class Journal {
  saved: Deployment | undefined;
  isFrozen = false;
  readonly #base: Snapshot;
  readonly #broken: Start["broken"];
  readonly #tell: (event: Omit<BoxEvent, "run">) => void;
  /** What this run has processed, in that order. */
  readonly #news: State[] = [];
  /** What is not in the state any more. */
  readonly #dones = new Set<State>();
  readonly #operations: Operation[] = [];
  readonly #ended = new Set<State>();
  #hasLeftOut = true;
  #isFull = false;
  #begun = 0;
  #recorded = 0;

  constructor(base: Snapshot, { state, broken }: Start, tell: (event: Omit<BoxEvent, "run">) => void) {
    this.#base = base;
    this.#broken = broken;
    this.#tell = tell;
    this.saved = (state ?? undefined) as Deployment | undefined;
  }

  freeze(): void {
    this.isFrozen = true;
  }

  *begin(step: Step): Task {
    const type = DOING[step.op];
    if (type !== undefined) {
      this.#operations.push({ resource: step.res, type });
      this.#save();
    }
    if (!isCounted(step) || step.op === "refresh") return;
    if (this.#broken.begun === this.#begun) yield* this.#stop();
    this.#begun++;
  }

  *end(step: Step, isSuccess: boolean): Task {
    const isChange = isSuccess && isCounted(step);
    if (isChange && this.#broken.unsaved === this.#recorded) {
      this.#isFull = true;
      this.freeze();
    }
    const failure = this.#attempt(() => this.#enter(step, isSuccess));
    if (isSuccess && isOurs(step)) {
      const { op, urn, after: { id = "", initErrors = [] } = {} } = step;
      const isPartial = initErrors.length > 0;
      const saved = !this.isFrozen;
      this.#tell({
        kind: "recorded",
        op,
        urn,
        ...(id !== "" && { id }),
        ...(isPartial && { isPartial }),
        ...(saved && { saved }),
      });
    }
    if (isChange) {
      if (this.#broken.recorded === this.#recorded) yield* this.#stop();
      this.#recorded++;
    }
    if (failure !== undefined) throw failure;
  }

  /** Saves what has not been worth it. */
  close(): Error | undefined {
    return this.#hasLeftOut ? this.#attempt(() => this.#save()) : undefined;
  }

  #attempt(task: () => void): Error | undefined {
    try {
      task();
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }

  #enter(step: Step, isSuccess: boolean): void {
    const { op } = step;
    if (op === "replace") return;
    if (op === "refresh") {
      this.#hasLeftOut = true;
      return;
    }
    this.#ended.add(step.res);
    if (isSuccess && op === "same") {
      this.#enterSame(step);
      return;
    }
    if (isSuccess) this.#enterChange(step);
    this.#save();
  }

  #enterChange(step: Step): void {
    const { op, before, after } = step;
    const isMade = op === "create" || op === "create-replacement" || op === "import";
    if (before !== undefined && (isMade ? before.pendingReplacement : this.#isDone(step, before))) {
      this.#dones.add(before);
    }
    if (after !== undefined) this.#news.push(after);
  }

  /** What is deleted to make room for another stays until that is there. */
  #isDone({ op }: Step, before: State): boolean {
    return op === "update" || op === "remove-pending-replace" || !before.pendingReplacement;
  }

  #enterSame(step: Step): void {
    const { before, after } = step as Step & { before: State; after: State };
    this.#dones.add(before);
    const isChanged = !step.isSkipped && !isSame(before, after);
    if (!step.isSkipped) this.#news.push(after);
    if (isChanged) this.#save();
    else this.#hasLeftOut = true;
  }

  #save(): void {
    this.#hasLeftOut = false;
    if (this.#isFull) throw new Error(UNSAVED);
    if (!this.isFrozen) this.saved = deploymentOf(this.#snapshot());
  }

  #snapshot(): Snapshot {
    const resources = [...this.#news, ...this.#base.resources].filter((state) => !this.#dones.has(state));
    // What was being created when a run was cut short is only a warning, but stays.
    const left = this.#base.operations.filter(({ type }) => type === "creating");
    const operations = [...this.#operations.filter(({ resource }) => !this.#ended.has(resource)), ...left];
    return { resources, operations };
  }

  /** Until the run is killed. */
  *#stop(): Task {
    this.freeze();
    this.#tell({ kind: "stopped" });
    yield* new Signal().wait();
  }
}

/** Whether it is not worth saving. */
function isSame(before: State, after: State): boolean {
  const said = ({ urn, provider, parent, deletedWith, inputs, outputs, dependencies }: State) => [
    ...[urn, provider, parent, deletedWith, inputs, outputs],
    [...dependencies].sort(),
  ];
  return isDeepStrictEqual(said(before), said(after));
}
