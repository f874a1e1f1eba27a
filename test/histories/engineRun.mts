import type { JsonObject } from "../../src/base/json.ts";
import type { Handlers, PartialResult } from "../protocol.mts";
import { announced } from "./announced.mts";
import { chainsOf } from "./chains.mts";
import type { Entry, Interruption, Manner, Outcome, Place } from "./engine.mts";
import type { Machine } from "./machine.mts";
import type { Watcher } from "./network.mts";
import type { Declaration } from "./program.mts";
import { ProviderProcess } from "./providerProcess.mts";
import { recordOf, wire } from "./wire.mts";
import { Workers } from "./workers.mts";

/** A run of the engine is broken off. */
class BrokenOff extends Error {}

/** What tells the engine when to save its state. */
export const savingOf = ({ isSavedLast }: Manner): Record<string, string> =>
  isSavedLast === true ? { PULUMI_SKIP_CHECKPOINTS: "true" } : {};

/** One run of the engine, with provider processes of its own. */
export class EngineRun implements Outcome {
  readonly #processes = new Map<string | undefined, ProviderProcess>();
  readonly #start: (provider: string | undefined) => ProviderProcess;
  readonly steps: string[] = [];
  readonly errors: string[] = [];
  readonly words: string[] = [];
  readonly killed: Promise<void>;
  isRecorded = true;
  /** URNs of what this run deletes. */
  readonly deletes = new Set<string>();
  /** Nothing new is begun any more. */
  isStopped = false;
  /** Of the state what this run has recorded, in that order; the rest comes behind it. */
  #done: Entry[] = [];
  #rest: Entry[];
  #saved: Entry[] | undefined;
  readonly #before: readonly Entry[];
  #kill: () => void = () => {};
  #isDead = false;
  /** Fails all that the provider has not answered when it is gone. */
  #lose: (error: Error) => void = () => {};
  readonly #lost: Promise<never>;
  readonly #checked = new Set<unknown>();
  readonly workers: Workers;
  readonly #machine: Machine;
  readonly #manner: Manner;
  readonly #engine: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #counts = new Map<string, number>();

  constructor(machine: Machine, { env, providers }: Place, state: readonly Entry[], manner: Manner) {
    this.#machine = machine;
    this.#engine = machine.nextEngine();
    this.#env = { ...env, ...manner.env, ...savingOf(manner) };
    this.#before = state;
    this.#rest = state.map((entry) => ({ ...entry }));
    this.#manner = manner;
    this.workers = new Workers(manner.parallel ?? Number.POSITIVE_INFINITY);
    this.killed = new Promise((resolve) => {
      this.#kill = resolve;
    });
    this.#lost = new Promise((_, reject) => {
      this.#lose = reject;
    });
    this.#lost.catch(() => {});
    const watcher = (): Watcher => ({
      arrived: () => this.#isDead || this.#passes("request"),
      done: () => void (this.#isDead || this.#passes("answer")),
    });
    this.#start = (provider) =>
      new ProviderProcess(machine, {
        config: (provider === undefined ? manner.config : providers[provider]) ?? {},
        env: this.#env,
        engine: this.#engine,
        hear: (words) => this.words.push(words),
        watcher,
      });
  }

  announced(program: readonly Declaration[]): Promise<readonly Declaration[]> {
    return announced(this.#machine, { env: this.#env, engine: this.#engine }, program);
  }

  /** The process of a provider, of which each has its own. */
  processOf({ provider }: { provider?: string | undefined }): ProviderProcess {
    const process = this.#processes.get(provider) ?? this.#start(provider);
    this.#processes.set(provider, process);
    return process;
  }

  get state(): Entry[] {
    return [...this.#done, ...this.#rest];
  }

  /** Until all other processes have done what they can do without waiting, and nothing has broken this run off. */
  async turn(): Promise<void> {
    await this.#machine.time.idle();
    if (this.#isDead) throw new BrokenOff();
  }

  fail(error: unknown): void {
    if (error instanceof BrokenOff) throw error;
    this.errors.push(error instanceof Error ? error.message : String(error));
  }

  /** An error ends the run, or the part of it that can fail alone. */
  async attempt(task: () => Promise<void>): Promise<void> {
    try {
      await task();
    } catch (error) {
      this.fail(error);
    }
  }

  async check(process: ProviderProcess, handlers: Handlers, olds: JsonObject, news: JsonObject): Promise<JsonObject> {
    await this.turn();
    const { inputs, failures } = await this.#answered(handlers.check(olds, news));
    const { busyMs } = this.#manner;
    if (busyMs !== undefined && !this.#checked.has(news.__provider)) await process.occupy(busyMs);
    this.#checked.add(news.__provider);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return wire(inputs);
  }

  /** As the engine asks a provider for it. */
  async diff(handlers: Handlers, { id, outputs }: Pick<Entry, "id" | "outputs">, inputs: JsonObject) {
    await this.turn();
    return this.#answered(handlers.diff(id, outputs, inputs));
  }

  async create(declaration: Declaration, inputs: JsonObject, handlers: Handlers, made: (entry: Entry) => void) {
    const { urn } = declaration;
    const keep = (id: string, outputs: JsonObject, initErrors: string[]) =>
      this.#record(() => {
        if (id === "") throw new Error(`The provider has given ${urn} no id.`);
        const entry = { ...recordOf(declaration), id, inputs, outputs: wire(outputs), initErrors };
        made(entry);
        this.#done.push(entry);
      });
    await this.#change(`create ${urn}`, () => handlers.create(inputs), keep);
  }

  async update(entry: Entry, declaration: Declaration, inputs: JsonObject, handlers: Handlers): Promise<void> {
    const { id, outputs } = entry;
    const keep = (_: string, after: JsonObject, initErrors: string[]) =>
      this.#record(() => {
        this.#renew(entry, { ...recordOf(declaration), inputs, outputs: wire(after), initErrors });
      });
    const update = async () => ({ id, ...(await handlers.update(id, outputs, inputs)) });
    await this.#change(`update ${declaration.urn}`, update, keep);
  }

  /** What fails may have been done in part, and is kept as far as the provider says so. */
  #change(
    step: string,
    act: () => Promise<{ id: string; outs: JsonObject }>,
    keep: (id: string, outputs: JsonObject, initErrors: string[]) => void,
  ): Promise<void> {
    return this.#call(step, async () => {
      try {
        const { id, outs } = await act();
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

  /** What has not changed is recorded all the same, under the name that it has now, and the program is told. */
  same(entry: Entry, changes: Partial<Entry>): void {
    this.#record(() => this.#renew(entry, changes));
    this.#tell(entry.outputs);
  }

  /** What is in the state changes its place there, if nothing else. */
  mark(entry: Entry, changes: Partial<Entry>): void {
    Object.assign(entry, changes);
  }

  add(entry: Entry): Entry {
    const added = { ...entry, inputs: wire(entry.inputs), outputs: wire(entry.outputs) };
    this.#done.push(added);
    return added;
  }

  /** What a file says of a thing is believed: its inputs are checked, and what is wrong with them is only said. */
  async adopt(entry: Entry): Promise<void> {
    const { inputs } = this.add(entry);
    const handlers = await this.processOf(entry).handlers(inputs);
    const { failures } = await handlers.check(inputs, inputs);
    for (const { reason } of failures) this.words.push(reason);
  }

  async refresh(): Promise<void> {
    const there = this.state.filter(({ recreated }) => !recreated);
    await this.parallel(there, (entry) => this.read(entry));
  }

  async read(entry: Entry): Promise<void> {
    const { id, outputs, inputs } = entry;
    const handlers = await this.processOf(entry).handlers(outputs);
    await this.#call(`read ${entry.urn}`, async () => {
      const found = await handlers.read(id, outputs);
      const isThere = found.id !== undefined && found.id !== "";
      const props = wire(found.props ?? {});
      // What an update would change is compared, for the person to see.
      if (isThere) await this.diff(handlers, { id: found.id as string, outputs: props }, inputs);
      return () =>
        this.#record(() => {
          entry.initErrors = [];
          if (!isThere) return this.#forget(entry);
          Object.assign(entry, { id: found.id, outputs: props });
          if (found.inputs !== undefined) entry.inputs = wire(found.inputs);
        });
    });
  }

  /** What others depend on goes after them; what does not depend on each other, in any order. */
  async deleteAll(entries: readonly Entry[]): Promise<void> {
    for (const { urn } of entries) this.deletes.add(urn);
    for (const chain of chainsOf(entries)) {
      if (this.isStopped) return;
      await this.parallel(this.#machine.shuffled(chain), (entry) => this.remove(entry), true);
    }
  }

  /** Does something with each as soon as there is a worker. */
  async parallel(entries: readonly Entry[], task: (entry: Entry) => Promise<void>, isStopping = false): Promise<void> {
    const doing = entries.map(async (entry) => {
      await this.workers.take();
      try {
        if (!this.isStopped) await task(entry);
      } catch (error) {
        this.fail(error);
        if (isStopping) this.isStopped = true;
      } finally {
        this.workers.release();
      }
    });
    await Promise.all(doing);
  }

  async remove(entry: Entry): Promise<void> {
    if (entry.recreated || (entry.deletedWith !== undefined && this.deletes.has(entry.deletedWith))) this.drop(entry);
    else await this.delete(entry, () => this.#forget(entry));
  }

  drop(entry: Entry): void {
    this.#record(() => this.#forget(entry));
  }

  /** @param deleted what the state says then */
  async delete(entry: Entry, deleted: () => void): Promise<void> {
    const { urn, id, outputs } = entry;
    const handlers = await this.processOf(entry).handlers(outputs);
    await this.#call(`delete ${urn}`, async () => {
      await handlers.delete(id, outputs);
      return () => this.#record(deleted);
    });
  }

  /** Ends the provider's process, and gives what is in the state. */
  end(): Entry[] {
    if (!this.#isDead) for (const process of this.#processes.values()) process.end();
    return this.#saved ?? this.state;
  }

  #renew(entry: Entry, changes: Partial<Entry>): void {
    Object.assign(entry, changes);
    this.#forget(entry);
    this.#done.push(entry);
  }

  #forget(entry: Entry): void {
    this.#done = this.#done.filter((other) => other !== entry);
    this.#rest = this.#rest.filter((other) => other !== entry);
  }

  /** @param call returns what records its result, which returns the outputs that the program is answered with */
  async #call(step: string, call: () => Promise<() => unknown>): Promise<void> {
    await this.turn();
    this.#goesOn("before call");
    if (this.isStopped) throw new Error("The update was cancelled.");
    this.steps.push(step);
    const record = await this.#answered(call());
    this.#goesOn("after call");
    let registered: unknown;
    try {
      registered = record();
    } finally {
      this.#goesOn("recorded");
    }
    if (registered !== undefined) this.#tell(registered as JsonObject);
  }

  #answered<T>(answer: Promise<T>): Promise<T> {
    return Promise.race([answer, this.#lost]);
  }

  /** The program is answered once the state is saved. */
  #tell(outputs: JsonObject): void {
    if (this.#saved === undefined) this.processOf({}).recorded(outputs);
  }

  #record(change: () => void): void {
    if (this.#isDead) return;
    const made = this.#count("records");
    if (made === this.#manner.unsaved) {
      this.#freeze();
      this.isRecorded = false;
      this.isStopped = true;
    }
    change();
  }

  /** From now on the state is kept as it is. */
  #freeze(): void {
    const { isSavedLast } = this.#manner;
    this.#saved ??= (isSavedLast === true ? this.#before : this.state).map((entry) => ({ ...entry }));
  }

  #goesOn(when: Interruption["when"]): void {
    if (this.#isDead || !this.#passes(when)) throw new BrokenOff();
  }

  /** Whether the engine lives on. */
  #passes(when: Interruption["when"]): boolean {
    const { interruption } = this.#manner;
    if (interruption?.when !== when || this.#count(when) !== interruption.after) return true;
    const { by } = interruption;
    const isCall = when !== "request" && when !== "answer";
    if (by === "cancel") {
      this.isStopped = true;
      for (const process of this.#processes.values()) process.cancel();
      return true;
    }
    if (by === "provider") {
      this.isRecorded = false;
      for (const process of this.#processes.values()) process.kill();
      this.#lose(new Error("error reading from server: EOF"));
      return isCall;
    }
    this.#freeze();
    this.#isDead = true;
    this.isRecorded = false;
    for (const process of this.#processes.values())
      if (by === "kill") process.kill();
      else process.abandon(by === "engine");
    this.#kill();
    // What a provider that lives on asks for arrives.
    return by !== "kill" && !isCall;
  }

  #count(what: string): number {
    const before = this.#counts.get(what) ?? 0;
    this.#counts.set(what, before + 1);
    return before;
  }
}
