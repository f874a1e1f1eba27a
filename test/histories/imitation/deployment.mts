import type { Start } from "../box.mts";
import { ordered } from "./chance.mts";
import { Bail, Executor, type Whole } from "./executor.mts";
import { Generator, type Parts } from "./generator.mts";
import { allNeedsOf, needsOf } from "./graph.mts";
import { defaultProvider, type Goal, Program, referenceOf } from "./program.mts";
import { dependenciesOf, PROVIDERS, STACK, type State, wire } from "./state.mts";
import type { Step } from "./step.mts";
import { anyOf, type Signal, type Task } from "./tasks.mts";

type Everything = Whole & Parts & { tell: ConstructorParameters<typeof Program>[2] };

/** What a run of the engine does, one thing after the other. */
export class Deployment {
  readonly #whole: Everything;
  /** Somebody asks it to end. */
  readonly #cancelled: Signal;
  readonly #start: Start;

  constructor(whole: Everything, cancelled: Signal) {
    this.#whole = whole;
    this.#start = whole.start;
    this.#cancelled = cancelled;
  }

  /** What is wrong is said. */
  *run(): Task {
    const { what, options } = this.#start;
    const isPreview = what === "preview";
    const word = isPreview ? "preview" : "update";
    const outcome = yield* this.#attempt(what, options.refresh === true);
    if (outcome !== undefined) this.#whole.say(`${word} ${outcome}`);
  }

  /** @returns how it ends, where it does not succeed */
  *#attempt(what: Start["what"], isRefreshed: boolean): Task<"failed" | "canceled" | undefined> {
    if (!this.#isSound()) return "failed";
    if (what === "import") return yield* this.#import();
    if (what === "refresh") return yield* this.#refresh();
    if (isRefreshed) {
      const outcome = yield* this.#refresh();
      if (outcome !== undefined) return outcome;
    }
    const { replace = [] } = this.#start.options;
    if (!this.#areKnown(replace, new Set())) return "failed";
    return yield* this.#update();
  }

  get #workers(): number {
    return this.#start.options.parallel;
  }

  *#refresh(): Task<"failed" | "canceled" | undefined> {
    const { base, steps, providers } = this.#whole;
    const { targets = [] } = this.#start.options;
    if (base.resources.length === 0) return undefined;
    if (!this.#areKnown(targets, new Set())) return "failed";
    const meant = base.resources.filter(({ urn }) => targets.length === 0 || targets.includes(urn));
    const reads = new Map(meant.map((state) => [state, steps.refresh(state)]));
    for (const { provider } of meant) if (provider !== "") providers.ensure(provider, base.resources);
    const executor = new Executor(this.#whole, this.#cancelled, { workers: this.#workers, isGoingOn: true });
    yield* executor.parallel([...reads.values()]);
    yield* executor.end();
    this.#rebuild(reads);
    return executor.isFailed ? "failed" : this.#cancelled.isSet ? "canceled" : undefined;
  }

  /** What has been read takes the place of what the state had, and what is gone is needed no more. */
  #rebuild(reads: ReadonlyMap<State, Step>): void {
    const { base } = this.#whole;
    const urns = new Set<string>();
    base.resources = base.resources.flatMap((state) => {
      const read = reads.get(state);
      const after = read === undefined ? state : read.after;
      if (after === undefined) return [];
      after.dependencies = after.dependencies.filter((urn) => urns.has(urn));
      if (!urns.has(after.deletedWith)) after.deletedWith = "";
      urns.add(after.urn);
      return [after];
    });
  }

  /** Whether the state has each resource once: the engine can make one of which that is not true, and refuses it then. */
  #isSound(): boolean {
    const urns = this.#whole.base.resources.filter((state) => !state.delete).map(({ urn }) => urn);
    const twice = urns.find((urn, index) => urns.indexOf(urn) !== index);
    if (twice !== undefined) this.#whole.say(`unexpected duplicate resource '${twice}'`);
    return twice === undefined;
  }

  /** Whether all are in the program or the state; says so, where they are not. */
  #areKnown(names: readonly string[], declared: ReadonlySet<string>): boolean {
    const { base, say } = this.#whole;
    const unknown = names.filter((name) => !declared.has(name) && !base.resources.some(({ urn }) => urn === name));
    for (const name of unknown) {
      const hint = name.includes("$") ? "" : " Did you forget to escape $ in your shell?";
      say(`Target '${name}' could not be found in the stack.${hint}`);
    }
    return unknown.length === 0;
  }

  *#update(): Task<"failed" | "canceled" | undefined> {
    const generator = new Generator(this.#whole);
    const { continueOnError = false } = this.#start.options;
    const executor = new Executor(this.#whole, this.#cancelled, { workers: this.#workers, continueOnError });
    const ending = yield* this.#listen(generator, executor);
    yield* executor.end();
    yield* this.#whole.tasks.settle();
    if (ending === "failed" || executor.isFailed || generator.isFailed) return "failed";
    if (ending === "canceled") return "canceled";
    // A program that waits for the engine to let it go is told that it was cancelled.
    if (this.#cancelled.isSet && this.#start.what !== "destroy") this.#whole.say("context canceled");
    return undefined;
  }

  /** Does what follows from the program, and then with what is left. */
  *#listen(generator: Generator, executor: Executor): Task<"failed" | "canceled" | "done"> {
    try {
      if (this.#start.what !== "destroy" && !(yield* this.#hear(generator, executor))) {
        return this.#cancelled.isSet ? "canceled" : "done";
      }
      const isKnown = this.#areKnown(this.#start.options.targets ?? [], generator.urns);
      yield* this.#finish(generator, executor);
      return isKnown ? "done" : "failed";
    } catch (error) {
      if (!(error instanceof Bail)) this.#whole.say((error as Error).message);
      executor.cancelled.set();
      return "failed";
    }
  }

  /** @returns whether the program has come to its end */
  *#hear(generator: Generator, executor: Executor): Task<boolean> {
    const { tasks, tell } = this.#whole;
    const program = new Program(tasks, this.#start, tell);
    tasks.start(program.run());
    for (;;) {
      yield* anyOf(program.heard, executor.cancelled);
      if (executor.cancelled.isSet) return false;
      const heard = program.heard.take();
      if (heard === "end") return true;
      if (heard === "failure") throw new Bail("the program has failed");
      if (heard !== undefined) yield* this.#handle(heard, generator, executor);
    }
  }

  *#handle(goal: Goal, generator: Generator, executor: Executor): Task {
    const steps = yield* generator.stepsOf(goal);
    const gone = this.#gone;
    for (const { res } of executor.failed) gone.add(res.urn);
    const done = steps.filter((step) => {
      const isLeftOut = dependenciesOf(step.res).some((urn) => gone.has(urn));
      if (isLeftOut) {
        step.end?.("SKIP");
        gone.add(step.res.urn);
      }
      return !isLeftOut;
    });
    if (done.length > 0) yield* executor.serial(done);
  }

  /** URNs of what has failed, and of what is not done for that. */
  readonly #gone = new Set<string>();

  *#finish(generator: Generator, executor: Executor): Task {
    if (this.#whole.base.resources.length === 0) return;
    const { kept, deleted } = generator.rest();
    const token = yield* executor.serial(kept);
    yield* anyOf(token, executor.cancelled);
    for (const chain of this.#scheduled(deleted)) {
      const kept = this.#neededBy(executor.failed);
      yield* executor.parallel(chain.filter(({ res }) => !kept.has(res)));
    }
  }

  /** What has failed keeps what it needs. */
  #neededBy(failed: readonly Step[]): Set<State> {
    const { resources } = this.#whole.base;
    const states = failed
      .flatMap(({ res, before }) => [res, before ?? res])
      .filter((state) => resources.includes(state));
    return new Set(states.flatMap((state) => [...allNeedsOf(state, resources)]));
  }

  /** What is deleted together, one after the other: what others need goes after them. */
  #scheduled(deleted: readonly Step[]): Step[][] {
    const { base } = this.#whole;
    const chains: Step[][] = [];
    let left = ordered(deleted, this.#start.seed, ({ urn }) => urn);
    while (left.length > 0) {
      const condemned = new Set(left.map(({ res }) => res));
      const isFree = ({ res }: Step) => [...needsOf(res, base.resources)].every((state) => !condemned.has(state));
      chains.push(left.filter(isFree));
      left = left.filter((step) => !isFree(step));
    }
    return chains.reverse();
  }

  *#import(): Task<"failed" | "canceled" | undefined> {
    const { base, steps } = this.#whole;
    const executor = new Executor(this.#whole, this.#cancelled, { workers: this.#workers, isGoingOn: true });
    for (const state of base.resources) {
      if (!state.delete) yield* this.#wait(executor, [steps.same(undefined, state, { ...state, id: "" })]);
    }
    const stack =
      base.resources.find(({ type }) => type === STACK) ?? this.#plain(STACK, `project-${this.#start.stack}`);
    if (!base.resources.includes(stack)) yield* this.#wait(executor, [steps.create(undefined, stack)]);
    const { properties: inputs } = defaultProvider("pulumi-nodejs", this.#start.config);
    const type = `${PROVIDERS}pulumi-nodejs`;
    const made = { ...this.#plain(type, "default"), custom: true, inputs };
    const provider = base.resources.find(({ urn }) => urn === made.urn) ?? made;
    if (provider === made) yield* this.#wait(executor, [steps.create(undefined, made)]);
    const imports = (this.#start.imports ?? []).map(({ type: own, name, ...given }) => ({
      ...this.#plain(own, name),
      ...{ custom: true, id: given.id, inputs: wire(given.inputs), outputs: wire(given.outputs) },
      ...{ parent: stack.urn, provider: referenceOf(provider) },
    }));
    yield* executor.parallel(imports.map((state) => steps.import(state)));
    yield* executor.end();
    return executor.isFailed ? "failed" : undefined;
  }

  *#wait(executor: Executor, chain: readonly Step[]): Task {
    yield* (yield* executor.serial(chain)).wait();
  }

  #plain(type: string, name: string): State {
    const urn = `urn:pulumi:${this.#start.stack}::project::${type}::${name}`;
    return {
      ...{ urn, type, custom: false, id: "", inputs: {}, outputs: {}, parent: "", provider: "" },
      ...{ dependencies: [], deletedWith: "", initErrors: [], delete: false, pendingReplacement: false, aliases: [] },
    };
  }
}
