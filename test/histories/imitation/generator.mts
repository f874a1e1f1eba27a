import type { Start } from "../box.mts";
import { Bail } from "./executor.mts";
import { withDependents } from "./graph.mts";
import type { Goal } from "./program.mts";
import type { Difference, Providers } from "./providers.mts";
import {
  copyOf,
  dependenciesOf,
  isProvider,
  nameOf,
  providerUrnOf,
  type Snapshot,
  STACK,
  type State,
} from "./state.mts";
import type { Step, Steps } from "./step.mts";
import type { Task } from "./tasks.mts";

/** What a generator of steps needs. */
export interface Parts {
  start: Start;
  steps: Steps;
  providers: Providers;
  base: Snapshot;
  say(error: string): void;
}

/** Decides what is done with each resource of the program, and with what is in the state besides. */
export class Generator {
  /** URNs of the program. */
  readonly urns = new Set<string>();
  /** What is wrong, where the run goes on all the same. */
  isFailed = false;
  readonly #parts: Parts;
  /** URNs by what is done with them. */
  readonly #kept = new Set<string>();
  readonly #created = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #skipped = new Set<string>();
  /** New names by the former ones. */
  readonly #renamed = new Map<string, string>();
  /** What a target needs, and nobody has registered. */
  #needed: Step[] = [];
  readonly #neededUrns = new Set<string>();
  readonly #olds: ReadonlyMap<string, State>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#olds = new Map(parts.base.resources.filter((state) => !state.delete).map((state) => [state.urn, state]));
  }

  /** What follows from a registration. */
  *stepsOf(goal: Goal): Task<Step[]> {
    const steps = yield* this.#unchecked(goal);
    const needed = this.#needed.filter(({ urn }) => !this.#isGenerated(urn));
    this.#needed = [];
    for (const { urn } of needed) this.#kept.add(urn);
    const all = [...needed, ...steps];
    this.#requireMade(all);
    return all;
  }

  *#unchecked(goal: Goal): Task<Step[]> {
    const { steps } = this.#parts;
    const urn = this.urnOf(goal);
    if (this.urns.has(urn)) this.#bail(`Duplicate resource URN '${urn}'; try giving it a unique name`);
    this.urns.add(urn);
    const { old, alias, isInvalid } = this.#oldOf(urn, goal);
    const fresh = stateOf(urn, goal, alias);
    const isTargeted = isProvider(goal.type) || goal.type === STACK || this.#isTarget(urn);
    if (!isTargeted) {
      if (old !== undefined) {
        this.#requireProvider(old, urn);
        return this.#untargeted(old, goal, urn);
      }
      this.#kept.add(urn);
      this.#skipped.add(urn);
      return [steps.skipped(goal.done, fresh)];
    }
    const isForced = this.#isForced(urn);
    const olds = isForced || old === undefined ? {} : old.inputs;
    const isValid = goal.custom ? yield* this.#check(fresh, goal, olds) : true;
    this.#need(fresh);
    if (isInvalid || !isValid) throw new Bail(`resource ${urn} is invalid`);
    if (old !== undefined) return yield* this.#compared(goal, old, fresh, isForced);
    this.#created.add(urn);
    return [steps.create(goal.done, fresh)];
  }

  urnOf({ type, name }: Pick<Goal, "type" | "name">): string {
    return `urn:pulumi:${this.#parts.start.stack}::project::${type}::${name}`;
  }

  #bail(words: string): never {
    this.#parts.say(words);
    throw new Bail(words);
  }

  #isTarget(urn: string): boolean {
    const { targets = [] } = this.#parts.start.options;
    return targets.length === 0 || targets.includes(urn);
  }

  #isForced(urn: string): boolean {
    return this.#parts.start.options.replace?.includes(urn) === true;
  }

  /** What the state has under this name, or else under a former one. */
  #oldOf(urn: string, { type, aliases }: Goal): { old?: State; alias?: string; isInvalid: boolean } {
    const { say } = this.#parts;
    let isInvalid = false;
    const other = this.#renamed.get(urn);
    if (other !== undefined) {
      isInvalid = true;
      say(`Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${other}'`);
    }
    const names = [urn, ...aliases.map((name) => this.urnOf({ type, name }))];
    const found = names.find((name) => this.#olds.has(name));
    const old = found === undefined ? undefined : this.#olds.get(found);
    if (old === undefined || found === undefined) return { isInvalid };
    if (found === urn) return { old, isInvalid };
    const conflicting = [
      ...(this.urns.has(found) ? [urn] : []),
      ...(this.#renamed.has(found) ? [this.#renamed.get(found)] : []),
    ];
    for (const each of conflicting) {
      isInvalid = true;
      say(
        `Duplicate resource alias '${found}' applied to resource with URN '${urn}' conflicting with resource with URN '${each}'`,
      );
    }
    this.#renamed.set(found, urn);
    return { old, alias: found, isInvalid };
  }

  /** @returns whether there is nothing wrong with its inputs */
  *#check(state: State, { properties }: Goal, olds: State["inputs"]): Task<boolean> {
    const { inputs, failures } = yield* this.#parts.providers.check(state, olds, properties);
    for (const reason of failures) {
      this.#parts.say(`${state.type} resource '${nameOf(state.urn)}' has a problem: ${reason}`);
    }
    state.inputs = inputs;
    return failures.length === 0;
  }

  *#compared(goal: Goal, old: State, fresh: State, isForced: boolean): Task<Step[]> {
    const { steps, providers } = this.#parts;
    const { urn } = fresh;
    const forced: Difference = { isSome: true, isReplaced: true, isDeletedFirst: false };
    const difference = isForced ? forced : yield* providers.diff(fresh, old, fresh.inputs);
    const { isSome, isReplaced, isDeletedFirst } = difference;
    this.#kept.add(urn);
    if ((isSome && isReplaced) || old.pendingReplacement) {
      if (!isForced && !(yield* this.#check(fresh, goal, {}))) throw new Bail(`resource ${urn} has check errors`);
      return this.#replaced(goal, old, fresh, goal.deleteBeforeReplace ?? isDeletedFirst);
    }
    if (isSome || old.initErrors.length > 0) return [steps.update(goal.done, old, fresh)];
    return [steps.same(goal.done, old, fresh)];
  }

  #replaced({ done }: Goal, old: State, fresh: State, isDeletedFirst: boolean): Step[] {
    const { steps, providers, base } = this.#parts;
    if (!isDeletedFirst) return [steps.create(done, fresh, old, true), steps.replace(old, fresh)];
    providers.ensure(old.provider, base.resources);
    const deleting = old.pendingReplacement ? [] : [steps.delete(old, this.#deleted, { isToCome: true })];
    return [...deleting, steps.replace(old, fresh), steps.create(done, fresh, old)];
  }

  #requireProvider({ provider }: State, urn: string): void {
    if (provider === "" || this.#parts.providers.has(provider)) return;
    throw new Error(
      `provider ${provider} for resource ${urn} has not been registered yet, this is due to a change of providers mixed with --target. ` +
        "Change your program back to the original providers",
    );
  }

  /** What is no target stays as it is, and what it needs before it. */
  #untargeted(old: State, goal: Goal | undefined, urn: string): Step[] {
    if (old.delete) return [];
    for (const each of [old.urn, urn]) this.#kept.add(each);
    this.urns.add(old.urn);
    const provider = old.provider === "" ? [] : [providerUrnOf(old.provider)];
    const needed = [...provider, ...dependenciesOf(old)].flatMap((each) => {
      const state = this.#olds.get(each);
      if (this.#isGenerated(each)) return [];
      if (state === undefined) throw new Bail(`dependency ${each} of untargeted resource ${urn} has no old state`);
      return this.#untargeted(state, undefined, urn);
    });
    return [...needed, this.#parts.steps.same(goal?.done, old, { ...copyOf(old), id: "" }, false)];
  }

  /** What a target needs stays as well, where nobody registers it. */
  #need({ parent, dependencies, deletedWith }: State): void {
    const { targets = [] } = this.#parts.start.options;
    if (targets.length === 0) return;
    for (const urn of [parent, ...dependencies, deletedWith]) this.#queue(urn);
  }

  #queue(urn: string): void {
    const old = this.#olds.get(urn);
    if (old === undefined || this.#isGenerated(urn) || this.#neededUrns.has(urn)) return;
    this.#neededUrns.add(urn);
    if (old.provider !== "") this.#queue(providerUrnOf(old.provider));
    for (const each of dependenciesOf(old)) this.#queue(each);
    this.#needed.push(this.#parts.steps.same(undefined, old, { ...copyOf(old), id: "" }, false));
  }

  #isGenerated(urn: string): boolean {
    return this.#created.has(urn) || this.#kept.has(urn) || this.#deleted.has(urn);
  }

  /** What needs something that is no target and not there cannot be made. */
  #requireMade(all: readonly Step[]): void {
    const { targets = [], replace = [] } = this.#parts.start.options;
    if (targets.length + replace.length === 0) return;
    for (const { urn, after, isSkipped } of all) {
      if (after === undefined || isSkipped === true) continue;
      for (const needed of dependenciesOf(after)) {
        if (!this.#skipped.has(needed)) continue;
        this.#parts.say(`Resource '${urn}' depends on '${needed}' which was was not specified in --target list.`);
        this.isFailed = true;
        if (this.#parts.start.what !== "preview") throw new Bail("untargeted create");
        this.#skipped.delete(needed);
      }
    }
  }

  /** What is in the state besides: what stays, and what is deleted. */
  rest(): { kept: Step[]; deleted: Step[] } {
    const { base, start, steps, providers } = this.#parts;
    const { targets = [] } = start.options;
    const condemned = targets.length === 0 ? undefined : withDependents(targets, base.resources);
    const kept: Step[] = [];
    const deleted: Step[] = [];
    for (const state of base.resources) {
      const isLeft = this.#isLeft(state);
      if (condemned?.has(state.urn) === false) {
        if (!this.#isOperatedOn(state.urn))
          kept.push(steps.same(undefined, state, { ...copyOf(state), id: "" }, false));
        continue;
      }
      if (isLeft) {
        this.#deleted.add(state.urn);
        deleted.push(this.#deletion(state));
      }
      if (this.#deleted.has(state.urn)) providers.ensure(state.provider, base.resources);
    }
    this.#requireNamed(deleted);
    return { kept, deleted };
  }

  #isLeft(state: State): boolean {
    return state.delete || !this.#isOperatedOn(state.urn);
  }

  #deletion(state: State): Step {
    const { steps } = this.#parts;
    if (state.delete) return steps.delete(state, this.#deleted, { isToCome: false });
    return state.pendingReplacement ? steps.forget(state) : steps.delete(state, this.#deleted);
  }

  #isOperatedOn(urn: string): boolean {
    return this.#kept.has(this.#renamed.get(urn) ?? urn);
  }

  #requireNamed(deleted: readonly Step[]): void {
    const { targets = [], targetDependents = false } = this.#parts.start.options;
    const unnamed = deleted.filter(({ urn }) => targets.length > 0 && !targets.includes(urn) && !targetDependents);
    for (const { urn } of unnamed) {
      this.#parts.say(
        `Resource '${urn}' will be destroyed but was not specified in --target list.\n` +
          "Either include resource in --target list or pass --target-dependents to proceed.",
      );
      this.isFailed = true;
    }
    if (unnamed.length > 0 && this.#parts.start.what !== "preview") throw new Bail("delete untargeted resource");
  }
}

const stateOf = (urn: string, goal: Goal, alias: string | undefined): State => ({
  urn,
  type: goal.type,
  custom: goal.custom,
  id: "",
  inputs: goal.properties,
  outputs: {},
  parent: goal.parent,
  provider: goal.provider,
  dependencies: goal.dependencies,
  deletedWith: goal.deletedWith,
  initErrors: [],
  delete: false,
  pendingReplacement: false,
  aliases: alias === undefined ? [] : [alias],
});
