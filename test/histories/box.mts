import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "../../src/base/json.ts";
import { EngineFault } from "./engines.mts";
import { drawnFrom, ordered } from "./imitation/chance.mts";
import type { Refusal } from "./wire.mts";

/** A resource as the program has the engine register it: a `RegisterResourceRequest`, and places of others in the program. */
export interface Registration {
  request: JsonObject;
  /** Those that it waits for. */
  after?: number[];
  /** What the program waits for before it goes on to this one: without it, the program fails. */
  awaits?: number;
  /** Its explicit provider. */
  provider?: number;
  /** Inputs that are other resources' outputs `name`. */
  refs?: Record<string, number>;
}

/** What begins a run. */
export interface Start {
  what: "update" | "preview" | "refresh" | "destroy" | "import";
  stack: string;
  config: Readonly<Record<string, string>>;
  state: unknown;
  seed: number;
  program?: Registration[];
  imports?: { type: string; name: string; id: string; inputs: JsonObject; outputs: JsonObject }[];
  options: {
    parallel: number;
    targets?: string[];
    targetDependents?: boolean;
    excludes?: string[];
    excludeDependents?: boolean;
    replace?: string[];
    continueOnError?: boolean;
    refresh?: boolean;
    runProgram?: boolean;
    isOldSdk?: boolean;
  };
  /** Where the run is broken off, in changes of the state. */
  broken: { begun?: number; recorded?: number; unsaved?: number };
}

/** What a run did. */
export interface BoxEvent {
  run: number;
  kind: "process" | "call" | "cancelled" | "registered" | "recorded" | "stopped" | "planned" | "end";
  process?: number;
  config?: Record<string, string>;
  call?: number;
  /** Whether a process is one of the plugin. */
  isPlugin?: boolean;
  method?:
    | "checkConfig"
    | "diffConfig"
    | "configure"
    | "check"
    | "diff"
    | "create"
    | "createPreview"
    | "read"
    | "update"
    | "updatePreview"
    | "delete";
  op?: string;
  urn?: string;
  id?: string;
  olds?: JsonObject;
  news?: JsonObject;
  /** What the plugin is asked, in bytes. */
  message?: string;
  saved?: boolean;
  /** Whether not all of a change has been done. */
  isPartial?: boolean;
  result?: string;
  mark?: string;
  errors?: string[];
  state?: unknown;
}

/** What an engine is told. */
export type Command = { start: Start & { run: number } } | { answer: Answer } | { cancel: number } | { kill: number };

/** Where commands go: each is answered by all that the engine did until it had nothing more to do. */
export interface Exchange {
  exchange(command: Command): BoxEvent[];
  close(): void;
}

/** How a provider answers a call. */
export type Answer =
  | { call: number; result: JsonObject /** What the plugin answers instead, in bytes. */; message?: string }
  | { call: number; error: Failure };

export interface Failure extends Partial<Refusal> {
  message: string;
  id?: string;
  properties?: JsonObject;
  reasons?: string[];
}

/** Hears what one run does. */
export interface Hearer {
  hear(event: BoxEvent): void;
  /** Whether it has yet to answer the engine. */
  isBusy(): boolean;
  fail(fault: Error): void;
}

const CHUNK_BYTES = 1 << 16;
/** The engine leaves something behind of each run: it is meant to end with its process. */
const RUNS_OF_A_PROCESS = 500;

const MOST_STDERR_BYTES = 1 << 20;

/** `tools/engine-box/main.go` has the same: what happened at the same time comes in this order, and otherwise in that of chance. */
const ORDER = ["process", "", "planned", "registered", "end", "call"];

const DRAWN = /^(process|registered|call)$/;

/**
 * What happened at the same time, in the order that a seed decides where the engine leaves it to chance. The program hears nothing
 * after the end, and where that is not a good one, it may be gone before it hears of the last.
 */
export function inDrawnOrder(events: readonly BoxEvent[], seed: number): BoxEvent[] {
  const end = events.findIndex(({ kind }) => kind === "end");
  const [before, last] = end === -1 ? [events, []] : [events.slice(0, end), events.slice(end)];
  // Ids would not do: some are another each time.
  const nameOf = ({ method = "check", urn = "", kind }: BoxEvent) => `${kind === "call" ? method : ""} ${urn}`;
  const isUnheard = last[0]?.errors !== undefined && drawnFrom(`${seed} heard`) % 2 === 0;
  return ORDER.flatMap((sort) => {
    if (sort === "end") return last;
    if (sort === "registered" && isUnheard) return [];
    const some = before.filter(({ kind }) => (ORDER.includes(kind) ? kind : "") === sort);
    return DRAWN.test(sort) ? ordered(some, seed, nameOf) : some;
  });
}

/**
 * The engine that plays. Whoever gives it a command waits, with all that goes on here, until the engine has nothing more to do: so
 * no time passes meanwhile.
 */
export class Box {
  readonly #connect: () => Exchange;
  readonly #runs = new Map<number, Hearer>();
  readonly #heard: BoxEvent[] = [];
  #line: Exchange | undefined;
  #number = 0;
  #isHearing = false;

  constructor(connect: () => Exchange) {
    this.#connect = connect;
  }

  /** @param hearerOf is given the number of the run, and called before anything is heard of it */
  start(start: Start, hearerOf: (run: number) => Hearer): void {
    const run = ++this.#number;
    if (run % RUNS_OF_A_PROCESS === 0 && this.#runs.size === 0) this.#close();
    this.#runs.set(run, hearerOf(run));
    this.#send({ start: { ...start, run } });
  }

  answer(answer: Answer): void {
    this.#send({ answer });
  }

  cancel(run: number): void {
    this.#send({ cancel: run });
  }

  kill(run: number): void {
    this.#send({ kill: run });
  }

  #send(command: Command): void {
    try {
      this.#line ??= this.#connect();
      this.#heard.push(...this.#line.exchange(command));
    } catch (error) {
      this.#giveUp(error as Error);
      return;
    }
    // What hears it may send something: what is heard of that comes after the rest of this.
    if (this.#isHearing) return;
    this.#isHearing = true;
    for (let event = this.#heard.shift(); event !== undefined; event = this.#heard.shift()) this.#hear(event);
    this.#isHearing = false;
    const isStuck = [...this.#runs.values()].some((hearer) => !hearer.isBusy());
    if (isStuck) this.#giveUp(new EngineFault("The engine waits for ever."));
  }

  #hear(event: BoxEvent): void {
    const hearer = this.#runs.get(event.run);
    if (event.kind === "end") this.#runs.delete(event.run);
    hearer?.hear(event);
  }

  #close(): void {
    this.#line?.close();
    this.#line = undefined;
  }

  /** Ends the process. The next run has another. */
  #giveUp(fault: Error): void {
    this.#close();
    this.#heard.length = 0;
    const waiting = [...this.#runs.values()];
    this.#runs.clear();
    for (const hearer of waiting) hearer.fail(fault);
  }
}

/** A process that answers each line by a line. A pipe of Node's own cannot be read while nothing else goes on. */
export class Line implements Exchange {
  readonly #to: number;
  readonly #from: number;
  readonly #errors: number;
  #rest = Buffer.alloc(0);

  /** @param program path of what `scripts/engine-box.mts` builds */
  constructor(program: string) {
    const folder = mkdtempSync(join(tmpdir(), "engine-box-"));
    const [to, from, errors] = ["to", "from", "errors"].map((name) => join(folder, name)) as [string, string, string];
    execFileSync("mkfifo", [to, from]);
    // Of a pipe that is open both ways, either end can be opened without waiting for the other.
    const both = [to, from].map((name) => openSync(name, constants.O_RDWR));
    const given = [openSync(to, constants.O_RDONLY), openSync(from, constants.O_WRONLY)] as const;
    this.#to = openSync(to, constants.O_WRONLY);
    this.#from = openSync(from, constants.O_RDONLY);
    this.#errors = openSync(errors, "a+");
    const child = spawn(program, { stdio: [...given, this.#errors], env: { PATH: process.env.PATH, HOME: folder } });
    child.on("error", () => {});
    child.unref();
    // It ends when nobody has the other ends any more.
    for (const end of [...both, ...given]) closeSync(end);
    rmSync(folder, { recursive: true });
  }

  exchange(command: Command): BoxEvent[] {
    writeAll(this.#to, Buffer.from(`${JSON.stringify(command)}\n`));
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end !== -1) {
        const line = this.#rest.toString("utf8", 0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return JSON.parse(line) as BoxEvent[];
      }
      const piece = Buffer.alloc(CHUNK_BYTES);
      const length = readSync(this.#from, piece);
      if (length === 0) throw new EngineFault(`The engine has ended: ${this.#said()}`);
      this.#rest = Buffer.concat([this.#rest, piece.subarray(0, length)]);
    }
  }

  close(): void {
    for (const end of [this.#to, this.#from, this.#errors]) closeSync(end);
  }

  #said(): string {
    const text = Buffer.alloc(Math.min(MOST_STDERR_BYTES, statSync(`/proc/self/fd/${this.#errors}`).size));
    readSync(this.#errors, text, 0, text.length, 0);
    return text.toString("utf8");
  }
}

function writeAll(to: number, text: Buffer): void {
  for (let sent = 0; sent < text.length; ) sent += writeSync(to, text, sent);
}
