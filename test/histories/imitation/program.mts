import type { JsonObject } from "../../../src/base/json.ts";
import type { BoxEvent, Registration, Start } from "../box.mts";
import { isProvider, PROVIDERS, STACK, type State, wire } from "./state.mts";
import type { Result } from "./step.mts";
import { anyOf, Queue, Signal, type Task, type Tasks } from "./tasks.mts";

/** A program waits for so long before it begins something more. Nothing else goes on then. */
const PAUSE_US = 1000;

/** What a program wants to have. */
export interface Goal {
  type: string;
  name: string;
  custom: boolean;
  properties: JsonObject;
  parent: string;
  provider: string;
  dependencies: string[];
  deletedWith: string;
  aliases: string[];
  deleteBeforeReplace: boolean | undefined;
  done: Signal<Result>;
}

interface Request {
  type: string;
  name: string;
  custom?: boolean;
  object?: JsonObject;
  aliases?: { spec: { name?: string; type?: string } }[];
  dependencies?: string[];
  deletedWith?: string;
  deleteBeforeReplace?: boolean;
  /** What refers to its explicit provider. */
  provider?: string;
}

/** What the engine hears of a program: what it wants, and `end` or `failure` at last. */
export type Heard = Goal | "end" | "failure";

/** A program while it registers its resources. */
export class Program {
  readonly heard = new Queue<Heard>();
  readonly #tasks: Tasks;
  readonly #start: Start;
  readonly #tell: (event: Omit<BoxEvent, "run">) => void;
  readonly #asked = new Queue<{ name: string; reference: Signal<string> }>();
  readonly #ended: Signal[];
  readonly #results: (Result | undefined)[];
  #stack = "";
  #isFailed = false;

  constructor(tasks: Tasks, start: Start, tell: (event: Omit<BoxEvent, "run">) => void) {
    this.#tasks = tasks;
    // What is undefined does not reach the engine.
    const program = JSON.parse(JSON.stringify(start.program ?? [])) as Registration[];
    this.#start = { ...start, program };
    this.#tell = tell;
    this.#ended = program.map(() => new Signal());
    this.#results = program.map(() => undefined);
  }

  *run(): Task {
    this.#tasks.start(this.#serve());
    const stack = yield* this.#wanted({ type: STACK, name: `project-${this.#start.stack}` });
    this.#stack = stack.state.urn;
    const { program = [] } = this.#start;
    for (const [place, registration] of program.entries()) {
      yield* this.#tasks.sleep(PAUSE_US);
      this.#tasks.start(this.#one(place, registration));
    }
    for (const ended of this.#ended) yield* ended.wait();
    this.heard.push(this.#isFailed ? "failure" : "end");
  }

  *#one(place: number, { request, awaits, after = [], provider, refs }: Registration): Task {
    if (Object.keys(refs ?? {}).length > 0) throw new Error("The imitation knows no inputs that come from others.");
    const isReady = yield* this.#isReady(awaits, after);
    if (isReady) {
      // Of those that wait for the same, one comes after the other.
      yield* this.#tasks.sleep(place + 1);
      const explicit = provider === undefined ? undefined : this.#results[provider];
      const reference = explicit === undefined ? {} : { provider: referenceOf(explicit.state) };
      if (!this.#isFailed) yield* this.#register(place, { ...(request as unknown as Request), ...reference });
    }
    this.#ended[place]?.set();
  }

  *#isReady(awaits: number | undefined, after: readonly number[]): Task<boolean> {
    if (awaits !== undefined) {
      yield* (this.#ended[awaits] as Signal).wait();
      this.#isFailed ||= !this.#isThere(this.#results[awaits]);
    }
    for (const other of after) {
      yield* (this.#ended[other] as Signal).wait();
      if (!this.#isThere(this.#results[other])) return false;
    }
    return true;
  }

  /** Whether the program goes on with what needs a resource. */
  #isThere(result: Result | undefined): boolean {
    if (result === undefined) return false;
    return result.result === "SUCCESS" || (this.#start.options.isOldSdk === true && result.state.id !== "");
  }

  *#register(place: number, request: Request): Task {
    const result = yield* this.#wanted(request);
    this.#results[place] = result;
    const { urn, id, outputs } = result.state;
    const mark = typeof outputs.__mark === "string" ? outputs.__mark : "";
    this.#tell({
      kind: "registered",
      urn,
      ...(id !== "" && { id }),
      result: result.result,
      ...(mark !== "" && { mark }),
    });
  }

  *#wanted(request: Request): Task<Result> {
    const { type, name, custom = false, object = {}, deletedWith = "", dependencies = [] } = request;
    const done = new Signal<Result>();
    this.heard.push({
      ...{ type, name, custom, deletedWith, dependencies, done },
      properties: wire(object),
      parent: type === STACK ? "" : this.#stack,
      provider: request.provider ?? (custom && !isProvider(type) ? yield* this.#providerOf(type) : ""),
      // Of the other form, it never has anything.
      aliases: (request.aliases ?? []).flatMap(({ spec }) => (spec.type === undefined ? (spec.name ?? name) : [])),
      deleteBeforeReplace: request.deleteBeforeReplace,
    });
    return yield* done.wait();
  }

  /** What refers to the default provider of a type. */
  *#providerOf(type: string): Task<string> {
    const [name = ""] = type.split(":");
    const reference = new Signal<string>();
    this.#asked.push({ name, reference });
    return yield* reference.wait();
  }

  /** Makes default providers as they are asked for, one at a time. */
  *#serve(): Task {
    const known = new Map<string, string>();
    for (;;) {
      yield* anyOf(this.#asked);
      const asked = this.#asked.take();
      if (asked === undefined) continue;
      const { name, reference } = asked;
      const found = known.get(name) ?? referenceOf((yield* this.#default(name)).state);
      known.set(name, found);
      reference.set(found);
      yield* this.#tasks.settle();
    }
  }

  *#default(name: string): Task<Result> {
    const done = new Signal<Result>();
    this.heard.push(defaultProvider(name, this.#start.config, done));
    return yield* done.wait();
  }
}

export const referenceOf = ({ urn, id }: State): string => `${urn}::${id}`;

/** Dynamic providers are given all that is configured. */
export const defaultProvider = (name: string, config: Start["config"], done = new Signal<Result>()): Goal => ({
  ...{ type: `${PROVIDERS}${name}`, name: "default", custom: true, parent: "", provider: "", done },
  ...{ dependencies: [], deletedWith: "", aliases: [], deleteBeforeReplace: undefined },
  properties: name === "pulumi-nodejs" ? wire({ ...config }) : {},
});
