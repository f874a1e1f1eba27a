import type { JsonObject } from "../../src/base/json.ts";
import { EngineRun } from "./engineRun.mts";
import type { Machine } from "./machine.mts";
import type { Declaration } from "./program.mts";
import { Update } from "./update.mts";

/** A resource in the state. */
export interface Entry {
  urn: string;
  id: string;
  inputs: JsonObject;
  outputs: JsonObject;
  /** What the program gave when that was recorded: for the books. */
  declared: JsonObject;
  initErrors: string[];
  /** URNs of what it depends on. */
  dependencies?: string[] | undefined;
  /** The URN of what it is deleted with. */
  deletedWith?: string | undefined;
  /** The name of its explicit provider. */
  provider?: string | undefined;
  /** The component that it is in, by its type and name. */
  parent?: string | undefined;
  /** It has been replaced, and is to be deleted at the end of the run, or of a later one. */
  doomed?: boolean;
  /** It has been deleted to make room for its replacement, which is not there yet. */
  recreated?: boolean;
  /** It stays where it is when it goes from the state. */
  retained?: boolean;
  /** It is to be replaced. */
  tainted?: boolean;
}

/** Where a run is broken off. Calls are those that do something: create, update, read and delete. */
export interface Interruption {
  /**
   * `kill`: the engine and its provider are gone. `cancel`: Ctrl-C. `engine`: it is gone alone, and its provider finds out;
   * `engine unseen`: the provider, with an older Node.js, does not. `provider`: that is gone alone.
   */
  by: "kill" | "cancel" | "engine" | "engine unseen" | "provider";
  when: "before call" | "after call" | "recorded" | "request" | "answer";
  /** How many of those come before. */
  after: number;
}

/** How a run goes. */
export interface Manner {
  interruption?: Interruption;
  /** After so many changes of the state, no more can be saved. */
  unsaved?: number;
  /** The state is saved only at the end. */
  isSavedLast?: true;
  /** Another configuration than the stack's. */
  config?: Readonly<Record<string, string>>;
  /** Other variables of the environment besides the stack's. */
  env?: Readonly<Record<string, string>>;
  /** `--parallel`; default: no limit. */
  parallel?: number;
  /** The provider can do nothing else for so many milliseconds when it first checks a kind of resource. */
  busyMs?: number;
}

export interface UpOptions extends Manner {
  /** URNs that `--replace` names. */
  replace?: string[];
  /** URNs that `--target` names; none is the same as no such option. */
  target?: string[];
  /** `--refresh` */
  refresh?: boolean;
  /** Whether the program registers all at once, where none depends on another; otherwise it waits for each. */
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

/** How an engine reaches its provider. */
export interface Place {
  config: Readonly<Record<string, string>>;
  /** The configurations of explicit providers, by their names. */
  providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  env: Readonly<Record<string, string>>;
}

/**
 * As much of Pulumi's engine as a provider can tell, for one stack: the calls of each operation, their order, what they are
 * given, what is kept of their results, and how all of that is broken off.
 */
export class Engine {
  #state: Entry[] = [];
  /** What the default provider is recorded with in a state. */
  readonly #configured = new WeakMap<Entry[], Readonly<Record<string, string>>>();
  readonly #machine: Machine;
  readonly #place: Place;

  constructor(machine: Machine, place: Place) {
    this.#machine = machine;
    this.#place = place;
  }

  get state(): Entry[] {
    return this.#state;
  }

  set state(entries: Entry[]) {
    // One without some of its entries is the same state.
    const configured = this.#configured.get(entries) ?? this.#configured.get(this.#state);
    if (configured !== undefined) this.#configured.set(entries, configured);
    this.#state = entries;
  }

  async up(program: readonly Declaration[], options: UpOptions = {}): Promise<Outcome> {
    const config = { ...this.#place.config, ...options.config };
    let configured = this.#configured.get(this.#state);
    const outcome = await this.#run({ ...options, config }, async (run) => {
      if (options.refresh === true) await run.refresh();
      if (run.errors.length > 0) return;
      configured = config;
      await run.turn();
      await new Update(run, options).program(await run.announced(program));
    });
    if (configured !== undefined) this.#configured.set(this.#state, configured);
    return outcome;
  }

  preview(program: readonly Declaration[]): Promise<Outcome> {
    return this.#run({ config: this.#place.config }, async (run) =>
      new Update(run, { isPreview: true }).program(await run.announced(program)),
    );
  }

  refresh(manner: Manner = {}): Promise<Outcome> {
    return this.#run(this.#asRecorded(manner), (run) => run.refresh());
  }

  /** @param isRead whether the import reads what there is; otherwise it is told all of it, and has it checked */
  import(entry: Entry, isRead: boolean): Promise<Outcome> {
    return this.#run({ config: this.#place.config }, async (run) => {
      if (isRead) await run.attempt(() => run.read(run.add(entry)));
      else await run.attempt(() => run.adopt(entry));
    });
  }

  destroy(manner: Manner = {}): Promise<Outcome> {
    return this.#run(this.#asRecorded(manner), (run) => run.deleteAll(run.state));
  }

  /** Without a program, the provider has the configuration that the state has. */
  #asRecorded(manner: Manner): Manner {
    const recorded = this.#configured.get(this.#state) ?? this.#place.config;
    return { ...manner, config: { ...recorded, ...manner.config } };
  }

  async #run(manner: Manner, task: (run: EngineRun) => Promise<void>): Promise<Outcome> {
    const run = new EngineRun(this.#machine, this.#place, this.state, manner);
    await Promise.race([run.attempt(() => task(run)).catch(() => {}), run.killed]);
    this.state = run.end();
    // Also where all was done by then.
    if (run.isStopped && run.errors.length === 0) run.errors.push("context canceled");
    const { steps, errors, words, isRecorded } = run;
    return { steps, errors, words, isRecorded };
  }
}
