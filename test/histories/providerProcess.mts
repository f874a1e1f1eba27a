import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/base/json.ts";
import type * as notes from "../../src/run/notes.ts";
import type { Machine } from "./machine.mts";
import type { Modules } from "./modules.mts";
import type { Watcher } from "./network.mts";

/** What the engine hands over with a failed creation or update of a thing that exists all the same. */
export interface PartialResult {
  id?: string;
  properties?: JsonObject;
  reasons?: string[];
}

/** The calls of the provider protocol. */
export interface Handlers {
  check(olds: JsonObject, news: JsonObject): Promise<{ inputs: JsonObject; failures: { reason: string }[] }>;
  diff(
    id: string,
    olds: JsonObject,
    news: JsonObject,
  ): Promise<{ changes: boolean; replaces: string[]; deleteBeforeReplace: boolean }>;
  /** Rejects with an error that is a {@link PartialResult} too where something was made. */
  create(inputs: JsonObject): Promise<{ id: string; outs: JsonObject }>;
  read(id: string, outputs: JsonObject): Promise<{ id?: string; props?: JsonObject; inputs?: JsonObject }>;
  /** Rejects as `create` does. */
  update(id: string, olds: JsonObject, news: JsonObject): Promise<{ outs: JsonObject }>;
  delete(id: string, outputs: JsonObject): Promise<void>;
}

type Dynamic = Handlers & {
  configure(request: { config: { get(key: string): string | undefined } }): Promise<void>;
};

/** What the program's process does with it stands in a module of its own. */
const NOTES = fileURLToPath(new URL("../../dist/run/notes.js", import.meta.url));

type Hearer = (message: unknown, name: string) => void;

const CANCEL = {
  headers: { ":path": "/pulumirpc.ResourceProvider/Cancel" },
  stream: { session: { once: () => {} } },
};

/** What a run of the engine starts its provider with. */
export interface Start {
  config: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
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
    this.modules = machine.modules({
      owner: () => this.owner,
      process: {
        ...{
          versions: process.versions,
          platform: process.platform,
          argv: [],
          ppid: 1,
          stdout: stream,
          stderr: stream,
        },
        get env() {
          return env();
        },
        get pid() {
          return number();
        },
        on,
        once: on,
        off: () => {},
        exit: () => {},
        uptime: () => 1,
        kill: (other: number, signal?: unknown) => {
          if (signal === 0 && !machine.alive.has(other)) throw Object.assign(new Error("ESRCH"), { code: "ESRCH" });
          return true;
        },
      },
      console: { log: say, info: say, warn: say, error: say, debug: say },
      modules: {
        "node:fs": machine.disk.sync(isAlive),
        "node:fs/promises": machine.disk.promises(isAlive),
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
    this.modules.renew();
  }
}

/** Shells that no process uses. */
const idle: Shell[] = [];

let isSurveyed = false;

function newShell(machine: Machine): Shell {
  if (!isSurveyed) new Shell(machine).modules.survey("pulumi-brightdata/provider");
  isSurveyed = true;
  return new Shell(machine);
}

/** The dynamic provider's process, as the engine starts it for one run. */
export class ProviderProcess {
  readonly #machine: Machine;
  readonly #config: Readonly<Record<string, string>>;
  readonly #shell: Shell;
  readonly #byText = new Map<string, Dynamic>();
  readonly #number: number;

  constructor(machine: Machine, start: Start) {
    this.#machine = machine;
    this.#config = start.config;
    this.#number = machine.nextProcess();
    this.#shell = idle.pop() ?? newShell(machine);
    this.#shell.renew(start, this.#number);
  }

  /** The handlers for a resource with these properties. */
  async handlers({ __provider: text }: JsonObject): Promise<Handlers> {
    if (typeof text !== "string") throw new Error("The text of the provider is missing.");
    let provider = this.#byText.get(text);
    if (provider === undefined) {
      const exported: { handler?: () => Dynamic } = {};
      evaluatorOf(text).call(exported, exported, (name) => this.#shell.modules.require(name));
      provider = exported.handler?.() as Dynamic;
      this.#byText.set(text, provider);
      await provider.configure({ config: { get: (key) => this.#config[key] } });
    }
    return provider;
  }

  /** The engine has saved a resource's state, and answers the program. */
  recorded({ __key: place, __provider: text }: JsonObject): void {
    const [, kind] = /resource\('(\w+)'/.exec(String(text)) ?? [];
    if (typeof place !== "string" || kind === undefined) return;
    const { acknowledge, placeId } = this.#shell.modules.require(NOTES) as typeof notes;
    acknowledge(new Set([placeId(kind, place)]), 0);
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
    this.#forget();
    this.#machine.atRest(() => idle.push(this.#shell));
  }

  #forget(): void {
    this.#machine.alive.delete(this.#number);
    this.#machine.time.forget(this.#shell.owner);
  }
}

const evaluators = new Map<string, (exports: object, require: (name: string) => unknown) => void>();

function evaluatorOf(text: string) {
  const known = evaluators.get(text);
  if (known !== undefined) return known;
  const made = new Function("exports", "require", text) as (
    exports: object,
    require: (name: string) => unknown,
  ) => void;
  evaluators.set(text, made);
  return made;
}
