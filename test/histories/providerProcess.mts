import * as net from "node:net";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "../../src/base/json.ts";
import type * as acknowledging from "../../src/run/acknowledge.ts";
import { type Handlers, Providers } from "../protocol.mts";
import { answerTo } from "./answers.mts";
import type { Answer, BoxEvent } from "./box.mts";
import type { Machine } from "./machine.mts";
import type { Modules } from "./modules.mts";
import type { Watcher } from "./network.mts";
import { Wire } from "./wire.mts";

/** What the program's process does with it stands in a module of its own. */
const ACKNOWLEDGE = fileURLToPath(new URL("../../dist/run/acknowledge.js", import.meta.url));

const PLUGIN = fileURLToPath(new URL("../../dist/plugin.js", import.meta.url));

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
  env: Readonly<Record<string, string>>;
  /** The engine's address. */
  engine: string;
  hear(words: string): void;
  /** Looks at each request that the process sends. */
  watcher(): Watcher;
}

/** The same with what its provider is configured with. */
export interface DynamicStart extends Start {
  config: Readonly<Record<string, string>>;
}

/** A process's modules, and what they find around them, for one process after another. */
class Shell {
  readonly modules: Modules;
  readonly interrupted: (() => void)[] = [];
  readonly subscribers: Hearer[] = [];
  owner: object = {};
  exit: () => void = () => {};
  wire = new Wire(() => {});
  readonly #machine: Machine;
  #number = 0;
  #start: Start | undefined;
  #env: Readonly<Record<string, string>> = {};

  constructor(machine: Machine) {
    this.#machine = machine;
    const isAlive = () => machine.alive.has(this.#number);
    const say = (...words: unknown[]) => this.#say(words.map(String).join(" "));
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
        "node:net": { ...net, connect: () => NOBODY },
        "node:http2": {
          createServer: () => this.wire.server,
          connect: () => this.wire.engine,
          constants: { NGHTTP2_NO_ERROR: 0 },
        },
        "node:diagnostics_channel": {
          subscribe: (_channel: string, hearer: Hearer) => this.subscribers.push(hearer),
        },
        ...machine.network.undici(
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
    this.wire = new Wire((words) => this.#say(words));
    this.owner = {};
    this.interrupted.length = 0;
    this.subscribers.length = 0;
    this.modules.renew(isFresh);
  }

  #say(words: string): void {
    if (this.#machine.alive.has(this.#number)) this.#start?.hear(words);
  }
}

type Sort = "dynamic" | "plugin";

/** Shells that no process uses: what one has loaded, it has anew in the next process. */
const idle: Readonly<Record<Sort, Shell[]>> = { dynamic: [], plugin: [] };

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

/** A process of a provider, as the engine starts it for one run. */
abstract class Process {
  protected readonly shell: Shell;
  readonly #machine: Machine;
  readonly #sort: Sort;
  readonly #number: number;
  #isGone = false;

  constructor(machine: Machine, start: Start, sort: Sort) {
    this.#machine = machine;
    this.#sort = sort;
    this.#number = machine.nextProcess();
    this.shell = idle[sort].pop() ?? newShell(machine);
    this.shell.exit = () => this.kill();
    this.shell.renew(start, this.#number);
  }

  abstract answer(event: BoxEvent): Promise<Answer>;

  /** The engine asks it to end what it does. */
  abstract cancel(): void;

  /** The connection of its engine is closed. */
  protected abstract lose(): void;

  /** The engine's state has what bears a mark, and the engine answers the program. */
  recorded(mark: string): void {
    const { acknowledge } = this.shell.modules.require(ACKNOWLEDGE) as typeof acknowledging;
    acknowledge(new Map([[mark, {}]]), process.cwd());
  }

  /** The engine ends it in good order. */
  end(): void {
    for (const hearer of this.shell.interrupted) hearer();
    this.kill();
  }

  /** It is gone, without a word to it. What it has begun may go on for a moment: nothing else uses its modules meanwhile. */
  kill(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#forget();
    // Given away twice, its modules would be those of two processes, of which the first to go ends all that the other waits for.
    this.#machine.atRest(() => idle[this.#sort].push(this.shell));
  }

  /** Its engine is gone. @param isSeen whether it finds out: then it ends soon */
  abandon(isSeen: boolean): void {
    this.#machine.abandoned.add(() => this.kill());
    if (isSeen) this.lose();
  }

  /** Keeps it from doing anything else. */
  occupy(milliseconds: number): Promise<void> {
    return this.#machine.time.occupy(this.shell.owner, milliseconds);
  }

  #forget(): void {
    this.#machine.alive.delete(this.#number);
    this.#machine.time.forget(this.shell.owner);
  }
}

/** The dynamic provider's process. */
export class ProviderProcess extends Process {
  readonly #providers: Providers;

  constructor(machine: Machine, { config, ...start }: DynamicStart) {
    super(machine, start, "dynamic");
    this.#providers = new Providers((name) => this.shell.modules.require(name), config);
  }

  /** The handlers for a resource with these properties. */
  handlers(properties: JsonObject): Promise<Handlers> {
    return this.#providers.handlers(properties);
  }

  answer(event: BoxEvent): Promise<Answer> {
    return answerTo(this, event);
  }

  cancel(): void {
    for (const hearer of this.shell.subscribers) hearer(CANCEL, "http2.server.stream.start");
  }

  protected lose(): void {
    let close = () => {};
    const once = (_: string, hearer: () => void) => {
      close = hearer;
    };
    const message = { headers: {}, stream: { session: { once } } };
    for (const hearer of this.shell.subscribers) hearer(message, "http2.server.stream.start");
    close();
  }
}

/** Nothing that becomes of a resource: the port, and that the configuration of histories is no secret. */
export const ASIDE = /^\d+$|is in plain text in the stack's configuration/;

/** The plugin's process. */
export class PluginProcess extends Process {
  constructor(machine: Machine, { hear, ...start }: Start) {
    super(machine, { ...start, hear: (words) => ASIDE.test(words) || hear(words) }, "plugin");
    this.shell.modules.require(PLUGIN);
  }

  async answer({ method = "check", call = 0, message }: BoxEvent): Promise<Answer> {
    return { call, ...(await this.shell.wire.ask(METHODS[method], message)) };
  }

  cancel(): void {
    void this.shell.wire.ask("Cancel");
  }

  /** However old its Node.js is, it finds out that its engine is gone. */
  override abandon(): void {
    super.abandon(true);
  }

  protected lose(): void {
    this.shell.wire.close();
  }
}

export const METHODS = {
  checkConfig: "CheckConfig",
  diffConfig: "DiffConfig",
  configure: "Configure",
  check: "Check",
  diff: "Diff",
  create: "Create",
  createPreview: "Create",
  read: "Read",
  update: "Update",
  updatePreview: "Update",
  delete: "Delete",
} satisfies Record<NonNullable<BoxEvent["method"]>, string>;
