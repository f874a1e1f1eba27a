import type { JsonObject } from "../../src/base/json.ts";
import { type Handlers, type PartialResult, unsealed } from "../protocol.mts";
import type { Machine } from "./machine.mts";
import type { Watcher } from "./network.mts";
import type { Declaration } from "./program.mts";
import { ProviderProcess } from "./providerProcess.mts";

/** A resource in the state. */
export interface Entry {
  urn: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  /** What the program gave when that was recorded: for the books. */
  declared: JsonObject;
  initErrors: string[];
  /** It has been replaced, and is to be deleted at the end of the run, or of a later one. */
  doomed?: boolean;
  /** It has been deleted to make room for its replacement, which is not there yet. */
  recreated?: boolean;
}

/** Where a run is broken off. Calls are those that do something: create, update, read and delete. */
export interface Interruption {
  /** `kill`: the engine and its provider are gone. `cancel`: Ctrl-C. */
  by: "kill" | "cancel";
  when: "before call" | "after call" | "recorded" | "request" | "answer";
  /** How many of those come before. */
  after: number;
}

/** How a run goes. */
export interface Manner {
  interruption?: Interruption;
  /** After so many changes of the state, no more can be saved. */
  unsaved?: number;
  /** Another configuration than the stack's. */
  config?: Readonly<Record<string, string>>;
}

export interface UpOptions extends Manner {
  /** URNs that `--replace` names. */
  replace?: string[];
  /** URNs that `--target` names. */
  target?: string[];
  /** `--refresh` */
  refresh?: boolean;
  /** Whether all resources are checked before anything is done, as where none waits for another. */
  together?: boolean;
  /** Another provider's resource fails after so many of these. */
  bystander?: number;
}

/** What came of a run. */
export interface Outcome {
  /** Such as `create Zone z`; what stays the same is not among them. */
  steps: string[];
  errors: string[];
  /** What the provider printed. */
  words: string[];
  /** Whether it ended in good order with all that it did in the state. */
  isRecorded: boolean;
}

/** A run of the engine is broken off. */
class BrokenOff extends Error {}

/** How an engine reaches its provider. */
export interface Place {
  config: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
}

/**
 * As much of Pulumi's engine as a provider can tell, for one stack: the calls of each operation, their order, what they are
 * given, what is kept of their results, and how all of that is broken off.
 */
export class Engine {
  state: Entry[] = [];
  readonly #machine: Machine;
  readonly #place: Place;

  constructor(machine: Machine, place: Place) {
    this.#machine = machine;
    this.#place = place;
  }

  async up(program: readonly Declaration[], options: UpOptions = {}): Promise<Outcome> {
    return this.#run(options, async (run) => {
      if (options.refresh === true) await this.#refresh(run);
      if (run.errors.length > 0) return;
      await new Update(run, options).program(program);
    });
  }

  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.#run({}, async (run) => {
      for (const declaration of program) {
        const old = run.old(declaration);
        const handlers = await run.process.handlers(declaration.properties);
        const inputs = await run.check(handlers, old?.inputs ?? {}, declaration.properties);
        if (old === undefined || old.recreated) {
          run.steps.push(`create ${declaration.urn}`);
          continue;
        }
        const { changes, replaces } = await handlers.diff(old.id, old.outputs, inputs);
        if (replaces.length > 0) run.steps.push(`replace ${declaration.urn}`);
        else if (changes || old.initErrors.length > 0) run.steps.push(`update ${declaration.urn}`);
      }
    });
  }

  refresh(manner: Manner = {}): Promise<Outcome> {
    return this.#run(manner, (run) => this.#refresh(run));
  }

  import(entry: Entry, isRead: boolean): Promise<Outcome> {
    return this.#run({}, async (run) => {
      run.state.push(entry);
      if (isRead) await run.attempt(() => run.read(entry));
    });
  }

  destroy(manner: Manner = {}): Promise<Outcome> {
    return this.#run(manner, async (run) => {
      for (const entry of [...run.state].reverse()) await run.attempt(() => run.remove(entry));
    });
  }

  async #refresh(run: Run): Promise<void> {
    const there = run.state.filter(({ recreated }) => !recreated);
    await Promise.all(there.map((entry) => run.attempt(() => run.read(entry))));
  }

  async #run(manner: Manner, task: (run: Run) => Promise<void>): Promise<Outcome> {
    const run = new Run(this.#machine, this.#place, this.state, manner);
    await Promise.race([run.attempt(() => task(run)).catch(() => {}), run.killed]);
    this.state = run.end();
    const { steps, errors, words, isRecorded } = run;
    return { steps, errors, words, isRecorded };
  }
}

/** One run of the engine, with a provider process of its own. */
class Run implements Outcome {
  readonly process: ProviderProcess;
  readonly steps: string[] = [];
  readonly errors: string[] = [];
  readonly words: string[] = [];
  readonly killed: Promise<void>;
  isRecorded = true;
  state: Entry[];
  #saved: Entry[] | undefined;
  #kill: () => void = () => {};
  #isDead = false;
  #isCancelled = false;
  readonly #manner: Manner;
  readonly #counts = new Map<string, number>();

  constructor(machine: Machine, { config, env }: Place, state: readonly Entry[], manner: Manner) {
    this.state = state.map((entry) => ({ ...entry }));
    this.#manner = manner;
    this.killed = new Promise((resolve) => {
      this.#kill = resolve;
    });
    const watcher = (): Watcher => ({
      arrived: () => this.#isDead || this.#passes("request"),
      done: () => void (this.#isDead || this.#passes("answer")),
    });
    const start = { config: { ...config, ...manner.config }, env };
    this.process = new ProviderProcess(machine, { ...start, hear: (words) => this.words.push(words), watcher });
  }

  old({ urn, aliases }: Declaration): Entry | undefined {
    const find = (name: string) => this.state.find((entry) => entry.urn === name && !entry.doomed);
    return find(urn) ?? aliases.map(find).find(Boolean);
  }

  /** An error ends the run, or the part of it that can fail alone. */
  async attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (error instanceof BrokenOff) throw error;
      this.errors.push(error instanceof Error ? error.message : String(error));
    }
  }

  async check(handlers: Handlers, olds: JsonObject, news: JsonObject): Promise<JsonObject> {
    const { inputs, failures } = await handlers.check(olds, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return unsealed(inputs);
  }

  async create(
    { urn, properties: declared }: Declaration,
    inputs: JsonObject,
    handlers: Handlers,
    made: (entry: Entry) => void,
  ): Promise<void> {
    const keep = (id: string, outputs: JsonObject, initErrors: string[]) =>
      this.#record(() => {
        if (id === "") throw new Error(`The provider has given ${urn} no id.`);
        const entry = { urn, id, inputs, outputs: unsealed(outputs), declared, initErrors };
        made(entry);
        this.state.push(entry);
      });
    await this.#call(`create ${urn}`, async () => {
      try {
        const { id, outs } = await handlers.create(inputs);
        return () => {
          keep(id, outs, []);
          return outs;
        };
      } catch (error) {
        const { id, properties = {}, reasons = [] } = error as PartialResult;
        return () => {
          if (id !== undefined) keep(id, properties, reasons);
          throw error;
        };
      }
    });
  }

  async update(entry: Entry, declaration: Declaration, inputs: JsonObject, handlers: Handlers): Promise<void> {
    const { id, outputs } = entry;
    const { urn, properties: declared } = declaration;
    const keep = (after: JsonObject, initErrors: string[]) =>
      this.#record(() => Object.assign(entry, { urn, inputs, outputs: unsealed(after), declared, initErrors }));
    await this.#call(`update ${urn}`, async () => {
      try {
        const { outs } = await handlers.update(id, outputs, inputs);
        return () => {
          keep(outs, []);
          return outs;
        };
      } catch (error) {
        const { id: kept, properties = {}, reasons = [] } = error as PartialResult;
        return () => {
          if (kept !== undefined) keep(properties, reasons);
          throw error;
        };
      }
    });
  }

  /** What has not changed is recorded all the same, under the name that it has now. */
  same(entry: Entry, changes: Partial<Entry>): void {
    this.#record(() => Object.assign(entry, changes));
  }

  async read(entry: Entry): Promise<void> {
    const { id, outputs } = entry;
    const handlers = await this.process.handlers(outputs);
    await this.#call(`read ${entry.urn}`, async () => {
      const found = await handlers.read(id, outputs);
      return () =>
        this.#record(() => {
          entry.initErrors = [];
          if (found.id === undefined || found.id === "") this.state = this.state.filter((other) => other !== entry);
          else {
            Object.assign(entry, { id: found.id, outputs: unsealed(found.props ?? {}) });
            if (found.inputs !== undefined) entry.inputs = unsealed(found.inputs);
          }
        });
    });
  }

  async remove(entry: Entry): Promise<void> {
    if (entry.recreated) this.drop(entry);
    else await this.delete(entry, () => this.#forget(entry));
  }

  drop(entry: Entry): void {
    this.#record(() => this.#forget(entry));
  }

  /** @param deleted what the state says then */
  async delete({ urn, id, outputs }: Entry, deleted: () => void): Promise<void> {
    const handlers = await this.process.handlers(outputs);
    await this.#call(`delete ${urn}`, async () => {
      await handlers.delete(id, outputs);
      return () => this.#record(deleted);
    });
  }

  /** Ends the provider's process, and gives what is in the state. */
  end(): Entry[] {
    if (!this.#isDead) this.process.end();
    return this.#saved ?? this.state;
  }

  #forget(entry: Entry): void {
    this.state = this.state.filter((other) => other !== entry);
  }

  /** @param call returns what records its result, which returns the outputs that the program is answered with */
  async #call(step: string, call: () => Promise<() => unknown>): Promise<void> {
    if (this.#isCancelled) throw new Error("The update was cancelled.");
    this.#goesOn("before call");
    this.steps.push(step);
    const record = await call();
    this.#goesOn("after call");
    let registered: unknown;
    try {
      registered = record();
    } finally {
      this.#goesOn("recorded");
    }
    if (registered !== undefined && this.#saved === undefined) this.process.recorded(registered as JsonObject);
  }

  #record(change: () => void): void {
    if (this.#isDead) return;
    const made = this.#count("records");
    if (made === this.#manner.unsaved) {
      this.#freeze();
      this.isRecorded = false;
      this.#isCancelled = true;
    }
    change();
  }

  /** From now on the state is kept as it is. */
  #freeze(): void {
    this.#saved ??= this.state.map((entry) => ({ ...entry }));
  }

  #goesOn(when: Interruption["when"]): void {
    if (this.#isDead || !this.#passes(when)) throw new BrokenOff();
  }

  /** Whether the engine lives on. */
  #passes(when: Interruption["when"]): boolean {
    const { interruption } = this.#manner;
    if (interruption?.when !== when || this.#count(when) !== interruption.after) return true;
    if (interruption.by === "cancel") {
      this.#isCancelled = true;
      this.process.cancel();
      return true;
    }
    this.#freeze();
    this.#isDead = true;
    this.isRecorded = false;
    this.process.kill();
    this.#kill();
    return false;
  }

  #count(what: string): number {
    const before = this.#counts.get(what) ?? 0;
    this.#counts.set(what, before + 1);
    return before;
  }
}

/** What `up` does with a program. */
class Update {
  readonly #run: Run;
  readonly #options: UpOptions;
  /** What the program has in the state. */
  readonly #kept = new Set<Entry>();
  readonly #later: (() => Promise<void>)[] = [];

  constructor(run: Run, options: UpOptions) {
    this.#run = run;
    this.#options = options;
  }

  async program(program: readonly Declaration[]): Promise<void> {
    const { bystander } = this.#options;
    for (const [index, declaration] of program.entries()) {
      if (index === bystander) throw new Error("The bystander cannot be created.");
      await this.#register(declaration);
    }
    await Promise.all(this.#later.map((act) => this.#run.attempt(act)));
    if (bystander !== undefined) throw new Error("The bystander cannot be created.");
    if (this.#run.errors.length > 0) return;
    for (const entry of [...this.#run.state].reverse()) {
      const isMeant = this.#isTarget(entry.urn) && (entry.doomed === true || !this.#kept.has(entry));
      if (isMeant) await this.#run.attempt(() => this.#run.remove(entry));
    }
  }

  #isTarget(urn: string): boolean {
    return this.#options.target?.includes(urn) ?? true;
  }

  async #act(task: () => Promise<void>): Promise<void> {
    if (this.#options.together === true) this.#later.push(task);
    else await task();
  }

  async #register(declaration: Declaration): Promise<void> {
    const { urn, properties } = declaration;
    const run = this.#run;
    const old = run.old(declaration);
    if (!this.#isTarget(urn)) {
      if (old !== undefined) {
        this.#kept.add(old);
        run.same(old, { urn });
      }
      return;
    }
    const handlers = await run.process.handlers(properties);
    if (old === undefined || old.recreated) {
      const inputs = await run.check(handlers, {}, properties);
      await this.#act(() => this.#create(declaration, inputs, handlers, () => old && run.drop(old)));
      return;
    }
    // What is to be replaced whatever its provider says is checked as something new, and compared with nothing.
    const isForced = this.#options.replace?.includes(urn) === true;
    const inputs = await run.check(handlers, isForced ? {} : old.inputs, properties);
    const difference = isForced
      ? { changes: true, replaces: ["id"], deleteBeforeReplace: false }
      : await handlers.diff(old.id, old.outputs, inputs);
    if (difference.changes && difference.replaces.length > 0) {
      const fresh = isForced ? inputs : await run.check(handlers, {}, properties);
      const isFirst = declaration.deleteBeforeReplace ?? difference.deleteBeforeReplace;
      await this.#act(() => this.#replace(old, declaration, fresh, handlers, isFirst));
      return;
    }
    this.#kept.add(old);
    if (difference.changes || old.initErrors.length > 0)
      await this.#act(() => run.update(old, declaration, inputs, handlers));
    else run.same(old, { urn, inputs, declared: properties });
  }

  async #replace(
    old: Entry,
    declaration: Declaration,
    inputs: JsonObject,
    handlers: Handlers,
    isFirst: boolean,
  ): Promise<void> {
    const { urn } = declaration;
    if (isFirst) {
      await this.#run.delete(old, () => Object.assign(old, { urn, recreated: true }));
      await this.#create(declaration, inputs, handlers, () => this.#run.drop(old));
    } else {
      await this.#create(declaration, inputs, handlers, () => Object.assign(old, { urn, doomed: true }));
    }
  }

  #create(declaration: Declaration, inputs: JsonObject, handlers: Handlers, made: () => void): Promise<void> {
    return this.#run.create(declaration, inputs, handlers, (entry) => {
      made();
      this.#kept.add(entry);
    });
  }
}
