import type { Answer, Box, BoxEvent, Hearer } from "./box.mts";
import { type Deployment, shortUrn } from "./boxState.mts";
import type { Interruption, Outcome } from "./engine.mts";
import { EngineFault, type Plugin, type Site, type WideUp } from "./engines.mts";
import type { Watcher } from "./network.mts";
import { PluginProcess, ProviderProcess } from "./providerProcess.mts";

/** What is asked of whoever begins a run. */
export interface Told {
  /** The URN by which the program has what has this one, if it says so. */
  declaredAt(urn: string): string | undefined;
  /** The engine has answered a registration with success, with the mark of its state, and of what it has not come to without an id. */
  answered(urn: string, isSkipped: boolean, mark: string): void;
  /** Whether the program's process closes the intents of what the engine says to be recorded. */
  isAcknowledging: boolean;
  /** A change is in the state for good; whether it comes from what the program gave in this run. */
  recorded(event: BoxEvent, isChecked: boolean): void;
}

/** Where a run takes place, with the environment that it has. */
export interface RunSite extends Site {
  /** The engine's address. */
  engine: string;
}

const MAKING = new Set(["create", "update"]);

const DOING = new Set(["create", "read", "update", "delete"]);

/** What only follows from the end of a run. */
export const AFTERMATH =
  /the engine was killed|the state cannot be saved|^(update|preview) (failed|canceled)$|context canceled/;

const LOST = "error reading from server: EOF";

/** The engine has made a state that it refuses itself. */
export const BROKEN_STATE =
  /failed to verify snapshot|unexpected duplicate resource|snapshot integrity|could not load provider for resource .* could not find provider/;

/** One run of the engine, with the processes of its providers. */
export class BoxRun implements Hearer {
  readonly outcome: Promise<Outcome>;
  state: Deployment | undefined;
  readonly #box: Box;
  readonly #site: RunSite;
  readonly #number: number;
  readonly #manner: WideUp;
  readonly #told: Told;
  readonly #steps: string[] = [];
  readonly #words: string[] = [];
  readonly #processes = new Map<number, Plugin | ProviderProcess>();
  readonly #counts = new Map<string, number>();
  readonly #open = new Set<number>();
  readonly #checked = new Set<string>();
  readonly #kinds = new Set<string>();
  #isLost = false;
  #isDead = false;
  #end: (outcome: Outcome) => void = () => {};
  #fail: (fault: Error) => void = () => {};

  constructor(box: Box, site: RunSite, number: number, manner: WideUp, told: Told) {
    this.#box = box;
    this.#site = site;
    this.#number = number;
    this.#manner = manner;
    this.#told = told;
    this.outcome = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
  }

  isBusy(): boolean {
    return this.#open.size > 0;
  }

  fail(fault: Error): void {
    this.#isDead = true;
    for (const process of this.#processes.values()) process.kill();
    this.#fail(fault);
  }

  hear(event: BoxEvent): void {
    if (event.kind === "end") this.#hearEnd(event);
    if (this.#isDead) return;
    const { process = 0, urn = "" } = event;
    if (event.kind === "process") this.#processes.set(process, this.#newProcess(event));
    else if (event.kind === "cancelled") this.#processes.get(process)?.cancel();
    else if (event.kind === "stopped") this.#kill(this.#manner.interruption?.by);
    else if (event.kind === "recorded") this.#hearRecorded(event);
    else if (event.kind === "registered") this.#hearRegistered(event);
    else if (event.kind === "planned") {
      const name = shortUrn(urn);
      if (name !== undefined && event.op !== "same") this.#steps.push(`${event.op} ${name}`);
    } else if (event.kind === "call") {
      this.#open.add(event.call ?? 0);
      this.#serve(event).catch((error: Error) => this.fail(error));
    }
  }

  #newProcess({ config = {}, isPlugin = false }: BoxEvent): Plugin | ProviderProcess {
    const watcher = (): Watcher => ({
      arrived: () => this.#isDead || this.#passes("request"),
      done: () => void (this.#isDead || this.#passes("answer")),
    });
    const { machine, env, engine, plugins, processOf = (given) => new ProviderProcess(machine, given) } = this.#site;
    const start = { env, engine, watcher, hear: (words: string) => this.#words.push(words) };
    if (isPlugin) return plugins?.start(start) ?? new PluginProcess(machine, start);
    return processOf({ ...start, config });
  }

  async #serve(event: BoxEvent): Promise<void> {
    const { method = "check", call = 0, urn = "" } = event;
    if (method === "check") this.#checked.add(urn);
    if (method === "delete" && this.#manner.continueOnError === true && this.#isUnregistered(urn)) {
      this.#kill();
      throw new EngineFault("The engine deletes what the program declares.");
    }
    const isDoing = DOING.has(method);
    if (isDoing) {
      if (!this.#passes("before call")) return;
      this.#steps.push(`${method} ${shortUrn(urn)}`);
    }
    if (this.#isLost) {
      this.#answer({ call, error: { message: LOST } });
      return;
    }
    const process = this.#processes.get(event.process ?? 0) as Plugin | ProviderProcess;
    const answer = await process.answer(event);
    if (method === "check") await this.#occupy(process, urn);
    if (this.#isDead || (isDoing && !this.#passes("after call"))) return;
    if (MAKING.has(method) && !this.#passes("made")) return;
    this.#answer(answer);
  }

  /** What newly depends on something that fails is not registered, and deleted for that. */
  #isUnregistered(urn: string): boolean {
    const declared = this.#told.declaredAt(urn);
    return declared !== undefined && !this.#checked.has(declared);
  }

  /** It can do nothing else when it first checks a kind of resource. */
  async #occupy(process: Plugin | ProviderProcess, urn: string): Promise<void> {
    const { busyMs } = this.#manner;
    const [kind = ""] = shortUrn(urn)?.split(" ") ?? [];
    const isFirst = !this.#kinds.has(kind);
    this.#kinds.add(kind);
    if (busyMs !== undefined && isFirst) await process.occupy(busyMs);
  }

  #hearRecorded(event: BoxEvent): void {
    if (event.saved === true) this.#told.recorded(event, this.#checked.has(event.urn ?? ""));
    // The engine stops by itself where it is to be killed then.
    const { by } = this.#manner.interruption ?? {};
    if ((by === "cancel" || by === "provider") && event.op !== "same") this.#passes("recorded");
  }

  /** The program's SDK resolves what has failed as unknown, so that nothing is acknowledged of it, whatever its id. */
  #hearRegistered({ id = "", urn = "", result, mark = "" }: BoxEvent): void {
    if (result === "SUCCESS") this.#told.answered(urn, id === "", mark);
    const [process] = this.#processes.values();
    const isRecorded = id !== "" && mark !== "" && result === "SUCCESS";
    if (isRecorded && this.#told.isAcknowledging) process?.recorded(mark);
  }

  #hearEnd({ errors = [], saved = false, state }: BoxEvent): void {
    this.state = (state ?? undefined) as Deployment | undefined;
    const wasKilled = this.#isDead;
    this.#isDead = true;
    const broken = errors.find((words) => BROKEN_STATE.test(words));
    if (broken !== undefined) {
      this.fail(new EngineFault(broken));
      return;
    }
    if (!wasKilled) for (const process of this.#processes.values()) process.end();
    this.#end({
      steps: this.#steps,
      errors: wasKilled ? errors.filter((words) => !AFTERMATH.test(words)) : errors,
      words: this.#words,
      isRecorded: saved && !wasKilled && !this.#isLost,
    });
  }

  /** Whether what is about to happen does. */
  #passes(when: Interruption["when"]): boolean {
    const { interruption } = this.#manner;
    const before = this.#counts.get(when) ?? 0;
    this.#counts.set(when, before + 1);
    if (interruption?.when !== when || before !== interruption.after) return true;
    const { by } = interruption;
    if (by === "cancel") {
      this.#box.cancel(this.#number);
      return true;
    }
    const isCall = when !== "request" && when !== "answer";
    if (by === "provider") {
      this.#lose();
      return isCall;
    }
    this.#kill(by);
    // What a provider that lives on asks for arrives.
    return by !== "kill" && !isCall;
  }

  /** The processes of the providers are gone, and the engine hears of it. */
  #lose(): void {
    this.#isLost = true;
    for (const process of this.#processes.values()) process.kill();
    for (const call of [...this.#open]) this.#answer({ call, error: { message: LOST } });
  }

  #answer(answer: Answer): void {
    if (!this.#open.delete(answer.call)) return;
    this.#box.answer(answer);
  }

  #kill(by: Interruption["by"] = "kill"): void {
    this.#isDead = true;
    for (const process of this.#processes.values()) {
      if (by === "engine" || by === "engine unseen") process.abandon(by === "engine");
      else process.kill();
    }
    this.#open.clear();
    this.#box.kill(this.#number);
  }
}
