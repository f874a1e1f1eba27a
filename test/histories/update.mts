import type { JsonObject } from "../../src/base/json.ts";
import type { Handlers } from "../protocol.mts";
import type { Entry, UpOptions } from "./engine.mts";
import type { EngineRun } from "./engineRun.mts";
import type { Declaration } from "./program.mts";
import { recordOf } from "./wire.mts";

type Options = UpOptions & { isPreview?: boolean };

/** What a registration leads to; nothing where it is only recorded. */
type Chain = (() => Promise<void>) | undefined;

/**
 * What an update does with a program. The engine checks and compares one resource after another, and does with each at once what
 * follows, as many at a time as it has workers, while it goes on with the next; what fails keeps it from beginning anything else.
 */
export class Update {
  readonly #run: EngineRun;
  readonly #options: Options;
  /** What the program has in the state. */
  readonly #kept = new Set<Entry>();
  readonly #declared = new Set<string>();
  /** The last that was registered, and is being checked or compared. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(run: EngineRun, options: Options) {
    this.#run = run;
    this.#options = options;
  }

  async program(program: readonly Declaration[]): Promise<void> {
    const run = this.#run;
    const before = run.state;
    this.#requireKnown("--replace", this.#options.replace, before);
    await this.#registerAll(program);
    if (run.isStopped || run.errors.length > 0) return;
    this.#requireKnown("--target", this.#options.target, before);
    const isMeant = (entry: Entry) => this.#isTarget(entry.urn) && (entry.doomed === true || !this.#kept.has(entry));
    const there = run.state.filter((entry) => before.includes(entry) && isMeant(entry));
    if (this.#options.isPreview === true) run.steps.push(...there.map(({ urn }) => `delete ${urn}`));
    else await run.deleteAll(there);
  }

  async #registerAll(program: readonly Declaration[]): Promise<void> {
    const { bystander, together } = this.#options;
    const answers = new Map<string, Promise<boolean>>();
    let previous: Promise<boolean> = Promise.resolve(true);
    const all: Promise<boolean>[] = [];
    const register = (dependencies: readonly string[], act: () => Promise<Chain>) => {
      const awaited = dependencies.flatMap((urn) => answers.get(urn) ?? []);
      previous = this.#registered(together === true ? awaited : [...awaited, previous], act);
      all.push(previous);
      return previous;
    };
    for (const [index, declaration] of [...program, undefined].entries()) {
      if (index === bystander) register([], async () => failing);
      if (declaration === undefined) break;
      const { urn, dependencies } = declaration;
      this.#declared.add(urn);
      answers.set(
        urn,
        register(dependencies, () => this.#step(declaration)),
      );
    }
    await Promise.all(all);
  }

  /** @returns whether the program is answered that all went well */
  async #registered(awaited: readonly Promise<boolean>[], act: () => Promise<Chain>): Promise<boolean> {
    const answers = await Promise.all(awaited);
    if (!answers.every(Boolean)) return false;
    const run = this.#run;
    const chain = this.#last.then(async () => {
      await run.turn();
      if (run.isStopped) return undefined;
      const found = await this.#attempt(act);
      if (found === undefined) return undefined;
      await run.workers.take();
      return found;
    });
    this.#last = chain;
    const found = await chain;
    if (found === undefined) return false;
    try {
      if (run.isStopped) return false;
      const isDone = await this.#attempt(async () => {
        await found();
        return true;
      });
      return isDone ?? false;
    } finally {
      run.workers.release();
    }
  }

  /** An error keeps the run from beginning anything else. */
  async #attempt<T>(task: () => Promise<T>): Promise<T | undefined> {
    try {
      return await task();
    } catch (error) {
      this.#run.isStopped = true;
      this.#run.fail(error);
      return undefined;
    }
  }

  #isTarget(urn: string): boolean {
    const { target = [] } = this.#options;
    return target.length === 0 || target.includes(urn);
  }

  #requireKnown(option: string, urns: readonly string[] = [], state: readonly Entry[]): void {
    const unknown = urns.find((urn) => !this.#declared.has(urn) && !state.some((entry) => entry.urn === urn));
    if (unknown !== undefined) throw new Error(`${option}: resource '${unknown}' could not be found in the stack.`);
  }

  /** Checks and compares a resource, and tells what follows. */
  async #step(declaration: Declaration): Promise<Chain> {
    const { urn, properties } = declaration;
    const run = this.#run;
    const old = this.#old(declaration);
    if (!this.#isTarget(urn)) return this.#untargeted(old, urn);
    const process = run.processOf(declaration);
    const handlers = await process.handlers(properties);
    if (old === undefined || old.recreated) {
      const inputs = await run.check(process, handlers, {}, properties);
      return this.#doing(`create ${urn}`, () =>
        this.#create(declaration, inputs, handlers, () => old && run.drop(old)),
      );
    }
    // What is to be replaced whatever its provider says is checked as something new, and compared with nothing.
    const isForced = this.#options.replace?.includes(urn) === true;
    const inputs = await run.check(process, handlers, isForced ? {} : old.inputs, properties);
    if (isForced)
      return this.#replacement(old, declaration, inputs, handlers, declaration.deleteBeforeReplace ?? false);
    const { changes, replaces, deleteBeforeReplace } = await run.diff(handlers, old, inputs);
    if (changes && replaces.length > 0) {
      const fresh = await run.check(process, handlers, {}, properties);
      const isFirst = declaration.deleteBeforeReplace ?? deleteBeforeReplace;
      return this.#replacement(old, declaration, fresh, handlers, isFirst);
    }
    this.#kept.add(old);
    if (changes || old.initErrors.length > 0)
      return this.#doing(`update ${urn}`, () => run.update(old, declaration, inputs, handlers));
    return async () => {
      if (this.#options.isPreview !== true) run.same(old, { ...recordOf(declaration), inputs });
    };
  }

  #old({ urn, aliases }: Declaration): Entry | undefined {
    const { state } = this.#run;
    const find = (name: string) => state.find((entry) => entry.urn === name && !entry.doomed);
    return find(urn) ?? aliases.map(find).find(Boolean);
  }

  #untargeted(old: Entry | undefined, urn: string): Chain {
    if (old === undefined) return async () => {};
    this.#kept.add(old);
    return async () => this.#run.same(old, { urn });
  }

  /** In a preview nothing is done. */
  #doing(step: string, act: () => Promise<void>): Chain {
    if (this.#options.isPreview !== true) return act;
    return async () => {
      this.#run.steps.push(step);
    };
  }

  #replacement(old: Entry, declaration: Declaration, inputs: JsonObject, handlers: Handlers, isFirst: boolean): Chain {
    const { urn } = declaration;
    const run = this.#run;
    this.#kept.add(old);
    return this.#doing(`replace ${urn}`, async () => {
      if (isFirst) {
        await run.delete(old, () => run.mark(old, { urn, recreated: true }));
        await this.#create(declaration, inputs, handlers, () => run.drop(old));
      } else {
        await this.#create(declaration, inputs, handlers, () => run.mark(old, { urn, doomed: true }));
      }
    });
  }

  #create(declaration: Declaration, inputs: JsonObject, handlers: Handlers, made: () => void): Promise<void> {
    return this.#run.create(declaration, inputs, handlers, (entry) => {
      made();
      this.#kept.add(entry);
    });
  }
}

const failing = async (): Promise<void> => {
  throw new Error("The bystander cannot be created.");
};
