import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../src/base/json.ts";
import type { Answer, BoxEvent } from "../box.mts";
import { isProvider, PROVIDERS, type State, wire } from "./state.mts";
import { Signal, type Task } from "./tasks.mts";

/** The id of each provider that is made: nobody looks at it. */
const MADE = "made";

/** Another provider, whose resources cannot be created. */
const BYSTANDER = `${PROVIDERS}bystander`;

type Method = NonNullable<BoxEvent["method"]>;
type Failure = Extract<Answer, { error: unknown }>["error"];

/** A call has failed, and may have done something all the same. */
export class CallFailed extends Error {
  readonly made: { id: string; outputs: JsonObject; reasons: string[] } | undefined;

  constructor({ message, id, properties = {}, reasons = [] }: Failure) {
    super(id === undefined || id === "" ? message : listed(reasons));
    this.made = id === undefined || id === "" ? undefined : { id, outputs: wire(properties), reasons };
  }
}

/** What is wrong with something that is there all the same, as the engine says it. */
function listed(reasons: readonly string[]): string {
  if (reasons.length === 0) return "resource init failed";
  const count = reasons.length === 1 ? "1 error" : `${reasons.length} errors`;
  return `${count} occurred:\n\t${reasons.map((reason) => `* ${reason}`).join("\n\t")}`;
}

/** What a call is given. */
type Given = Pick<BoxEvent, "id" | "olds" | "news">;

/** Whoever hears of processes and calls. */
export interface Callers {
  /** A number that nothing else has. */
  next(): number;
  tell(event: Omit<BoxEvent, "run">): void;
  /** What waits for the answers to calls. */
  readonly calls: Map<number, (answer: Answer) => void>;
}

/** The processes of the providers of a run. */
export class Providers {
  readonly #callers: Callers;
  readonly #processes = new Map<string, number>();

  constructor(callers: Callers) {
    this.#callers = callers;
  }

  get numbers(): number[] {
    return [...this.#processes.values()];
  }

  has(reference: string): boolean {
    return this.#processes.has(reference);
  }

  /** Has the process of a provider that is as the state has it. */
  same({ urn, id, inputs }: State): void {
    if (!this.#processes.has(`${urn}::${id}`)) this.#start(urn, id, inputs);
  }

  /** Makes a provider, or one that has another configuration. */
  configure(urn: string, inputs: JsonObject, id = MADE): { id: string; outputs: JsonObject } {
    this.#start(urn, id, inputs);
    return { id, outputs: inputs };
  }

  /** The process of what a resource refers to, by the state that it is in. */
  ensure(reference: string, states: readonly State[]): void {
    const provider = states.find(({ urn, id }) => `${urn}::${id}` === reference);
    if (provider !== undefined) this.same(provider);
  }

  *check(state: State, olds: JsonObject, news: JsonObject): Task<{ inputs: JsonObject; failures: string[] }> {
    if (this.#isOwn(state)) return { inputs: news, failures: [] };
    const { inputs = {}, failures = [] } = (yield* this.#call("check", state, { olds, news })) as {
      inputs?: JsonObject;
      failures?: { reason: string }[];
    };
    return { inputs: wire(inputs), failures: failures.map(({ reason }) => reason) };
  }

  *diff(state: State, { id, outputs }: State, news: JsonObject): Task<Difference> {
    if (!state.custom || this.#isOwn(state)) {
      return { isSome: !isDeepStrictEqual(outputs, news), isReplaced: false, isDeletedFirst: false };
    }
    const { changes, replaces, deleteBeforeReplace } = (yield* this.#call("diff", state, {
      id,
      olds: outputs,
      news,
    })) as { changes: string; replaces: string[]; deleteBeforeReplace: boolean };
    const isSome = changes === "DIFF_SOME";
    return { isSome, isReplaced: replaces.length > 0, isDeletedFirst: deleteBeforeReplace };
  }

  *create(state: State): Task<{ id: string; outputs: JsonObject }> {
    const { urn, type, inputs } = state;
    if (isProvider(type)) return this.configure(urn, inputs);
    if (this.#isOwn(state)) throw new Error("The bystander cannot be created.");
    const { id = "", properties = {} } = (yield* this.#call("create", state, { news: inputs })) as Made;
    if (id === "") throw new Error("provider did not return an ID from Create");
    return { id, outputs: wire(properties) };
  }

  *update(state: State, before: State): Task<JsonObject> {
    const { urn, type, inputs } = state;
    const { id, outputs: olds } = before;
    if (isProvider(type)) return this.configure(urn, inputs, id).outputs;
    const { properties = {} } = (yield* this.#call("update", state, { id, olds, news: inputs })) as Made;
    return wire(properties);
  }

  *read(state: State): Task<{ id: string; outputs: JsonObject; inputs: JsonObject | undefined }> {
    const { id, outputs: olds, inputs: news } = state;
    const found = (yield* this.#call("read", state, { id, olds, news })) as Made & { inputs?: JsonObject };
    const inputs = found.inputs === undefined ? undefined : wire(found.inputs);
    return { id: found.id ?? "", outputs: wire(found.properties ?? {}), inputs };
  }

  *delete(state: State): Task {
    if (this.#isOwn(state)) return;
    const { id, outputs: olds } = state;
    yield* this.#call("delete", state, { id, olds });
  }

  /** Whether the engine itself answers for it. */
  #isOwn({ type, provider }: State): boolean {
    return isProvider(type) || provider.includes(BYSTANDER);
  }

  #start(urn: string, id: string, config: JsonObject): void {
    const process = this.#callers.next();
    this.#processes.set(`${urn}::${id}`, process);
    if (!urn.includes(BYSTANDER)) {
      this.#callers.tell({ kind: "process", process, urn, config: config as Record<string, string> });
    }
  }

  *#call(method: Method, { urn, provider }: State, { id = "", olds, news }: Given): Task<unknown> {
    const call = this.#callers.next();
    const answered = new Signal<Answer>();
    this.#callers.calls.set(call, (answer) => answered.set(answer));
    this.#callers.tell({
      kind: "call",
      process: this.#processes.get(provider) ?? 0,
      call,
      method,
      urn,
      ...(id !== "" && { id }),
      ...(olds !== undefined && { olds }),
      ...(news !== undefined && { news }),
    });
    const answer = yield* answered.wait();
    if ("error" in answer) throw new CallFailed(answer.error);
    return answer.result;
  }
}

interface Made {
  id?: string;
  properties?: JsonObject;
}

export interface Difference {
  isSome: boolean;
  isReplaced: boolean;
  isDeletedFirst: boolean;
}
