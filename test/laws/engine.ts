import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../src/base/json";
import type { Handlers, PartialResult } from "../protocol.mts";
import { passing } from "./clock";
import type { ProviderProcess, Served } from "./served";
import { listening } from "./speech";
import { plain, sealedTexts } from "./wire";

/** A resource as a program registers it. */
export interface Declaration {
  /** Stands for the URN. */
  name: string;
  properties: JsonObject;
  options?: { deleteBeforeReplace?: boolean; aliases?: string[] };
}

/** A resource in the state. */
export interface Entry {
  name: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  initErrors: string[];
  /** It has been replaced, and is to be deleted at the end of the run, or of a later one. */
  doomed?: boolean;
  /** It has been deleted to make room for its replacement, which is not there yet. */
  recreated?: boolean;
  tainted?: boolean;
}

/** What came of a run. */
export interface Outcome {
  /** Such as `create z`; what stays the same is not among them. */
  steps: string[];
  errors: string[];
}

/** What goes from one run to the next. */
interface Run extends Outcome {
  process: ProviderProcess;
  /** Whether the state is saved after each operation, and the program told. */
  isSaved: boolean;
  /** Does what has been found to be necessary with a resource. Default: immediately. */
  act?(task: () => Promise<void>): Promise<void>;
}

type Step = "create" | "update" | "replace" | "delete" | "forget" | "change";

/**
 * As much of Pulumi's engine as a provider can tell: the calls of each operation, their order, what they are given, and what
 * is kept of their results. Each operation is a run with a provider process of its own.
 */
export class Engine {
  state: Entry[] = [];
  /** All that was ever printed or reported. */
  readonly words: string[] = [];
  /** Texts that came, or went, in the envelope of a secret. */
  readonly secrets = new Set<string>();
  /** What the provider of the resources is given. */
  config: Readonly<Record<string, string>>;
  readonly #served: Served;

  constructor(served: Served, config: Readonly<Record<string, string>>) {
    this.#served = served;
    this.config = config;
  }

  entry(name: string): Entry | undefined {
    return this.state.find((entry) => entry.name === name && !entry.doomed);
  }

  /** @param replace names of the resources that `--replace` names */
  up(program: readonly Declaration[], replace: readonly string[] = []): Promise<Outcome> {
    return this.#run(async (run) => {
      run.isSaved = true;
      const registered = new Set<Entry>();
      for (const declaration of program) {
        await this.#register(declaration, replace.includes(declaration.name), run, registered);
      }
      await this.#removeOthers(registered, run);
    });
  }

  /** The same with all resources checked before anything is done, as where none waits for another. */
  upTogether(program: readonly Declaration[], order: "at once" | "one by one"): Promise<Outcome> {
    return this.#run(async (run) => {
      run.isSaved = true;
      const registered = new Set<Entry>();
      const tasks: (() => Promise<void>)[] = [];
      run.act = async (task) => void tasks.push(task);
      for (const declaration of program) await this.#register(declaration, false, run, registered);
      const acts = tasks.map((task) => () => this.#attempt(run, task));
      if (order === "at once") await Promise.all(acts.map((act) => act()));
      else for (const act of acts) await act();
      if (run.errors.length === 0) await this.#removeOthers(registered, run);
    });
  }

  /**
   * An `up` that is killed, and its provider with it, when all is done and before anything of it is recorded: but what has been
   * deleted to make room has been, for that was before.
   */
  killedUp(program: readonly Declaration[]): Promise<void> {
    return this.#lostUp(program, "kill");
  }

  /** An `up` whose state cannot be saved: the provider is ended in good order all the same. */
  unsavedUp(program: readonly Declaration[]): Promise<void> {
    return this.#lostUp(program, "end");
  }

  async #lostUp(program: readonly Declaration[], ending: "end" | "kill"): Promise<void> {
    const before = structuredClone(this.state);
    const former = [...this.state];
    await this.#run(async (run) => {
      const registered = new Set<Entry>();
      for (const declaration of program) await this.#register(declaration, false, run, registered);
    }, ending);
    this.state = before.map((entry, index) => {
      const recreated = former[index]?.recreated;
      return recreated === undefined ? entry : { ...entry, recreated };
    });
  }

  /** What `up` would do. */
  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.#run(async (run) => {
      for (const { name, properties, ...rest } of program) {
        const old = this.#old({ name, properties, ...rest });
        const handlers = await run.process.handlers(properties);
        const inputs = await this.#check(handlers, old?.inputs ?? {}, properties);
        if (old === undefined) {
          run.steps.push(`create ${name}`);
          continue;
        }
        const { changes, replaces } = await this.#ask(() => handlers.diff(old.id, old.outputs, inputs));
        if (replaces.length > 0) run.steps.push(`replace ${name}`);
        else if (changes || old.initErrors.length > 0) run.steps.push(`update ${name}`);
      }
    });
  }

  /** Steps: `change z` where another value was found, `forget z` where nothing was. */
  refresh(): Promise<Outcome> {
    return this.#run(async (run) => {
      for (const entry of [...this.state]) {
        if (entry.recreated) continue;
        await this.#attempt(run, async () => {
          const handlers = await run.process.handlers(entry.outputs);
          const { id, props, inputs } = await this.#ask(() => handlers.read(entry.id, entry.outputs));
          entry.initErrors = [];
          if (id === undefined || id === "") {
            this.state = this.state.filter((other) => other !== entry);
            run.steps.push(`forget ${entry.name}`);
            return;
          }
          const { id: knownId, outputs } = entry;
          Object.assign(entry, { id, outputs: this.#received(props ?? {}) });
          if (inputs !== undefined) entry.inputs = this.#received(inputs);
          const isSame = isDeepStrictEqual([knownId, stated(outputs)], [entry.id, stated(entry.outputs)]);
          if (!isSame) run.steps.push(`change ${entry.name}`);
        });
      }
    });
  }

  destroy(): Promise<Outcome> {
    return this.#run(async (run) => {
      for (const entry of [...this.state].reverse()) await this.#attempt(run, () => this.#remove(entry, run));
    });
  }

  /** Takes what a file says into the state. Nothing is read, only checked. */
  import(entries: readonly Pick<Entry, "name" | "id" | "inputs" | "outputs">[]): Promise<Outcome> {
    return this.#run(async (run) => {
      for (const { name, id, inputs, outputs } of entries) {
        const handlers = await run.process.handlers(inputs);
        const checked = await this.#check(handlers, plain(inputs), inputs);
        this.state.push({ name, id, inputs: checked, outputs: plain(outputs), initErrors: [] });
      }
    });
  }

  async #run(task: (run: Run) => Promise<void>, ending: "end" | "kill" = "end"): Promise<Outcome> {
    const run: Run = { process: this.#served.start(this.config), isSaved: false, steps: [], errors: [] };
    const stop = listening((words) => this.words.push(words));
    try {
      await this.#attempt(run, () => task(run));
      run.process[ending]();
    } finally {
      stop();
    }
    return { steps: run.steps, errors: run.errors };
  }

  /** An error ends the run, or the part of it that can fail alone. */
  async #attempt(run: Run, task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      this.words.push(words, error instanceof Error ? (error.stack ?? "") : "");
      run.errors.push(words);
    }
  }

  async #register(declaration: Declaration, forced: boolean, run: Run, registered: Set<Entry>): Promise<void> {
    const { name, properties, options } = declaration;
    const { act = (task) => task() } = run;
    const old = this.#old(declaration);
    const handlers = await run.process.handlers(properties);
    if (old === undefined || old.recreated) {
      const inputs = await this.#check(handlers, {}, properties);
      await act(() => this.#create(name, inputs, handlers, run, registered, () => this.#drop(old)));
      return;
    }
    old.name = name;
    // What is to be replaced whatever its provider says is checked as something new, and compared with nothing.
    const isForced = forced || old.tainted === true;
    const inputs = await this.#check(handlers, isForced ? {} : old.inputs, properties);
    const difference = isForced
      ? { changes: true, replaces: ["id"], deleteBeforeReplace: false }
      : await this.#ask(() => handlers.diff(old.id, old.outputs, inputs));
    if (difference.changes && difference.replaces.length > 0) {
      const fresh = isForced ? inputs : await this.#check(handlers, {}, properties);
      await act(async () => {
        if (options?.deleteBeforeReplace ?? difference.deleteBeforeReplace) {
          await this.#delete(old, run, "replace");
          old.recreated = true;
          await this.#create(name, fresh, handlers, run, registered, () => this.#drop(old));
        } else {
          await this.#create(name, fresh, handlers, run, registered, () => {
            old.doomed = true;
          });
        }
      });
      return;
    }
    registered.add(old);
    if (difference.changes || old.initErrors.length > 0) await act(() => this.#update(old, inputs, handlers, run));
    else old.inputs = inputs;
  }

  async #removeOthers(registered: ReadonlySet<Entry>, run: Run): Promise<void> {
    for (const entry of [...this.state].reverse()) if (!registered.has(entry)) await this.#remove(entry, run);
  }

  #old({ name, options }: Declaration): Entry | undefined {
    return this.entry(name) ?? (options?.aliases ?? []).map((alias) => this.entry(alias)).find(Boolean);
  }

  #drop(entry: Entry | undefined): void {
    this.state = this.state.filter((other) => other !== entry);
  }

  async #check(handlers: Handlers, olds: JsonObject, news: JsonObject): Promise<JsonObject> {
    const { inputs, failures } = await this.#ask(() => handlers.check(olds, this.#received(news)));
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return this.#received(inputs);
  }

  /** @param made told when there is a new one, be it not as it should be */
  async #create(
    name: string,
    inputs: JsonObject,
    handlers: Handlers,
    run: Run,
    registered: Set<Entry>,
    made: () => void,
  ): Promise<void> {
    const keep = (id: string, outputs: JsonObject, initErrors: string[]) => {
      if (id === "") throw new Error(`The provider has given ${name} no id.`);
      const entry = { name, id, inputs, outputs: this.#received(outputs), initErrors };
      made();
      this.state.push(entry);
      registered.add(entry);
    };
    run.steps.push(`create ${name}`);
    try {
      const { id, outs } = await this.#ask(() => handlers.create(inputs));
      keep(id, outs, []);
      if (run.isSaved) run.process.recorded(outs);
    } catch (error) {
      const { id, properties, reasons } = error as PartialResult;
      if (id !== undefined) keep(id, properties ?? {}, reasons ?? []);
      throw error;
    }
  }

  async #update(entry: Entry, inputs: JsonObject, handlers: Handlers, run: Run): Promise<void> {
    run.steps.push(`update ${entry.name}`);
    const { id, outputs } = entry;
    try {
      const { outs } = await this.#ask(() => handlers.update(id, outputs, inputs));
      Object.assign(entry, { inputs, outputs: this.#received(outs), initErrors: [] });
      if (run.isSaved) run.process.recorded(outs);
    } catch (error) {
      const { id: kept, properties, reasons } = error as PartialResult;
      if (kept !== undefined) {
        Object.assign(entry, { inputs, outputs: this.#received(properties ?? {}), initErrors: reasons ?? [] });
      }
      throw error;
    }
  }

  async #remove(entry: Entry, run: Run): Promise<void> {
    if (!entry.recreated) await this.#delete(entry, run, "delete");
    this.#drop(entry);
  }

  async #delete({ name, id, outputs }: Entry, run: Run, step: Step): Promise<void> {
    run.steps.push(`${step} ${name}`);
    const handlers = await run.process.handlers(outputs);
    await this.#ask(() => handlers.delete(id, outputs));
  }

  /** Values as they are kept and sent: plain, for the engine opens the envelopes of secrets for such a provider. */
  #received(values: JsonObject): JsonObject {
    for (const text of sealedTexts(values)) this.secrets.add(text);
    return plain(values);
  }

  #ask<T>(call: () => Promise<T>): Promise<T> {
    return passing(call());
  }
}

/** What a state has without the inputs that the plugin's engine keeps apart. */
const stated = ({ __inputs, ...outputs }: JsonObject): JsonObject => outputs;
