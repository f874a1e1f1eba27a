import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/base/json.ts";
import type * as intents from "../../src/run/intents.ts";
import { type Handlers, markOf, Providers } from "../protocol.mts";
import type { Machine } from "./machine.mts";
import type { Modules } from "./modules.mts";
import type { Watcher } from "./network.mts";

/** What the program's process does with it stands in a module of its own. */
const INTENTS = fileURLToPath(new URL("../../dist/run/intents.js", import.meta.url));

type Hearer = (message: unknown, name: string) => void;

/** What is found at the address of an engine whose connection is closed: it is gone. */
const NOBODY = {
  once: (event: string, hearer: (error: Error) => void) =>
    event === "error" && hearer(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })),
};

const CANCEL = {
  headers: { ":path": "/pulumirpc.ResourceProvider/Cancel" },
  stream: { session: { once: () => {} } },
};

/** What a run of the engine starts its provider with. */
export interface Start {
  config: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  /** The engine's address. */
  engine: string;
  hear(words: string): void;
  /** Looks at each request that the process sends. */
  watcher(): Watcher;
}

/** A process's modules, and what they find around them, for one process after another. */
class Shell {
  readonly modules: Modules;
  readonly interrupted: (() => void)[] = [];
  readonly subscribers: Hearer[] = [];
  owner: object = {};
  exit: () => void = () => {};
  #number = 0;
  #start: Start | undefined;
  #env: Readonly<Record<string, string>> = {};

  constructor(machine: Machine) {
    const isAlive = () => machine.alive.has(this.#number);
    const say = (...words: unknown[]) => isAlive() && this.#start?.hear(words.map(String).join(" "));
    const on = (event: string, hearer: () => void) => event === "SIGINT" && this.interrupted.push(hearer);
    const write = (words: string): boolean => {
      say(words);
      return true;
    };
    const stream = { write };
    const env = () => this.#env;
    const number = () => this.#number;
    const engine = () => this.#start?.engine ?? "";
    this.modules = machine.modules({
      owner: () => this.owner,
      process: {
        ...{
          versions: process.versions,
          platform: process.platform,
          ppid: 1,
          stdout: stream,
          stderr: stream,
        },
        get env() {
          return env();
        },
        get argv() {
          return ["node", "provider", engine()];
        },
        get pid() {
          return number();
        },
        on,
        once: on,
        off: () => {},
        exit: () => this.exit(),
        uptime: () => 1,
        cwd: () => process.cwd(),
        kill: (other: number, signal?: unknown) => {
          if (signal === 0 && !machine.alive.has(other)) throw Object.assign(new Error("ESRCH"), { code: "ESRCH" });
          return true;
        },
      },
      console: { log: say, info: say, warn: say, error: say, debug: say },
      modules: {
        "node:fs": machine.disk.sync(isAlive),
        "node:fs/promises": machine.disk.promises(isAlive),
        "node:net": { connect: () => NOBODY },
        "node:diagnostics_channel": {
          subscribe: (_channel: string, hearer: Hearer) => this.subscribers.push(hearer),
        },
        undici: machine.network.undici(
          () => this.owner,
          () => (this.#start as Start).watcher(),
        ),
      },
    });
  }

  renew(start: Start, number: number): void {
    this.#start = start;
    this.#env = start.env;
    this.#number = number;
    this.owner = {};
    this.interrupted.length = 0;
    this.subscribers.length = 0;
    this.modules.renew(isFresh);
  }
}

/** Shells that no process uses. */
const idle: Shell[] = [];

let isSurveyed = false;
let isFresh = false;

/** Whether each process that is started from now on evaluates all modules, as a real one does. */
export function startFresh(isWhole: boolean): void {
  isFresh = isWhole;
}

function newShell(machine: Machine): Shell {
  if (!isSurveyed) new Shell(machine).modules.survey("pulumi-brightdata/provider");
  isSurveyed = true;
  return new Shell(machine);
}

/** The dynamic provider's process, as the engine starts it for one run. */
export class ProviderProcess {
  readonly #machine: Machine;
  readonly #shell: Shell;
  readonly #providers: Providers;
  readonly #number: number;
  #isGone = false;

  constructor(machine: Machine, start: Start) {
    this.#machine = machine;
    this.#number = machine.nextProcess();
    this.#shell = idle.pop() ?? newShell(machine);
    this.#shell.renew(start, this.#number);
    this.#shell.exit = () => this.kill();
    this.#providers = new Providers((name) => this.#shell.modules.require(name), start.config);
  }

  /** The handlers for a resource with these properties. */
  handlers(properties: JsonObject): Promise<Handlers> {
    return this.#providers.handlers(properties);
  }

  /** The engine has saved a resource's state, and answers the program. */
  recorded(properties: JsonObject): void {
    const mark = markOf(properties);
    if (mark === undefined) return;
    const { acknowledge } = this.#shell.modules.require(INTENTS) as typeof intents;
    acknowledge(new Set([mark]), process.cwd());
  }

  /** The engine asks it to end what it does. */
  cancel(): void {
    for (const hearer of this.#shell.subscribers) hearer(CANCEL, "http2.server.stream.start");
  }

  /** The engine ends it in good order. */
  end(): void {
    for (const hearer of this.#shell.interrupted) hearer();
    this.kill();
  }

  /** It is gone, without a word to it. What it has begun may go on for a moment: nothing else uses its modules meanwhile. */
  kill(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#forget();
    // Given away twice, its modules would be those of two processes, of which the first to go ends all that the other waits for.
    this.#machine.atRest(() => idle.push(this.#shell));
  }

  /** Its engine is gone. @param isSeen whether it finds out, as with a newer Node.js: then it ends soon */
  abandon(isSeen: boolean): void {
    this.#machine.abandoned.add(() => this.kill());
    if (!isSeen) return;
    let close = () => {};
    const once = (_: string, hearer: () => void) => {
      close = hearer;
    };
    const message = { headers: {}, stream: { session: { once } } };
    for (const hearer of this.#shell.subscribers) hearer(message, "http2.server.stream.start");
    close();
  }

  /** Keeps it from doing anything else. */
  occupy(milliseconds: number): Promise<void> {
    return this.#machine.time.occupy(this.#shell.owner, milliseconds);
  }

  #forget(): void {
    this.#machine.alive.delete(this.#number);
    this.#machine.time.forget(this.#shell.owner);
  }
}
