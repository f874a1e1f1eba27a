import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { exitOf } from "./child";
import { Interrupted } from "./command";
import { startable } from "./startable";

const BY_CTRL_C = 128 + constants.signals.SIGINT;

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Hears signals, however many, until it is told to stop: what the process has begun is to be ended, and nothing left behind. */
export class Interruption {
  /** The exit status of a process that had nothing to do but to wait for a signal. */
  readonly heard: Promise<number>;
  readonly #words: string;
  readonly #isApart: boolean;
  readonly #listeners: readonly (readonly [NodeJS.Signals, () => void])[];
  #signal: (typeof SIGNALS)[number] | undefined;
  #running: ChildProcess | undefined;

  /**
   * @param words what has become of the work, after a signal
   * @param isApart whether programs are told of Ctrl+C, once, as twice is an order to break off: a terminal, which tells all of a group, does not reach them
   */
  constructor(words: string, isApart = false) {
    this.#words = words;
    // On Windows, that would be a program without a console, and signals do not tell it, but end it at once.
    this.#isApart = isApart && process.platform !== "win32";
    const { promise, resolve } = Promise.withResolvers<number>();
    this.heard = promise;
    this.#listeners = SIGNALS.map((signal) => {
      let isPassedOn = false;
      const listener = () => {
        this.#signal ??= signal;
        resolve(0);
        // npm, too, passes on what the terminal has told this process already.
        if (!isPassedOn && (signal !== "SIGINT" || this.#isApart)) isPassedOn = this.#running?.kill(signal) ?? false;
      };
      process.on(signal, listener);
      return [signal, listener];
    });
  }

  /** @throws {Interrupted} after a signal */
  check(): void {
    if (this.#signal !== undefined) throw new Interrupted(this.#signal, this.#words);
  }

  /** Runs a program to its end, and passes signals on to it. @returns its exit code, as {@link exitOf} */
  async ran(
    command: string,
    args: readonly string[],
    options: SpawnOptions,
    begun: (child: ChildProcess) => void = () => {},
  ): Promise<number> {
    this.check();
    const started = startable(command, args);
    this.#running = spawn(started.file, started.args, { ...options, ...started.options, detached: this.#isApart });
    begun(this.#running);
    try {
      const code = await exitOf(this.#running, command);
      // A terminal tells all of a group at once: a program may have ended before this process hears of it.
      if (code === BY_CTRL_C) this.#signal ??= "SIGINT";
      return code;
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    for (const [signal, listener] of this.#listeners) process.off(signal, listener);
  }
}
