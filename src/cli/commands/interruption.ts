import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { exitOf } from "./child";
import { Interrupted } from "./command";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Hears signals, however many, until it is told to stop: what the process has begun is to be ended, and nothing left behind. */
export class Interruption {
  /** The exit status of a process that had nothing to do but to wait for a signal. */
  readonly heard: Promise<number>;
  readonly #listeners: readonly (readonly [NodeJS.Signals, () => void])[];
  #signal: (typeof SIGNALS)[number] | undefined;
  #running: ChildProcess | undefined;

  constructor() {
    let resolve: (status: number) => void;
    this.heard = new Promise((resolved) => {
      resolve = resolved;
    });
    this.#listeners = SIGNALS.map((signal) => {
      const listener = () => {
        this.#signal ??= signal;
        resolve(0);
        // A terminal sends Ctrl+C to all of its programs: twice is an order to break off.
        if (signal !== "SIGINT") this.#running?.kill(signal);
      };
      process.on(signal, listener);
      return [signal, listener];
    });
  }

  /** @throws {Interrupted} after a signal */
  check(): void {
    if (this.#signal !== undefined) throw new Interrupted(this.#signal, "Nothing was written.");
  }

  /** Runs a program to its end, and passes signals on to it. @returns its exit code, as {@link exitOf} */
  async ran(command: string, args: readonly string[], options: SpawnOptions): Promise<number> {
    this.check();
    this.#running = spawn(command, args, options);
    try {
      return await exitOf(this.#running, command);
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }
}
