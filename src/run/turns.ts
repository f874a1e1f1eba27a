import { randomBytes } from "node:crypto";
import { appendFileSync, statSync } from "node:fs";
import { succeeds } from "../base/cause";
import { quietly } from "../base/disk";
import { isObject } from "../base/json";
import { digest } from "../base/location";
import { once } from "../base/once";
import { pause } from "../http/pause";
import { timesOf } from "../lifecycle/creation";
import { CancelledError, EndedError } from "../lifecycle/deadline";
import type { OnMachine, Turn } from "../lifecycle/scope";
import { machineFile, Tail, tidy, turnsFile } from "./runFiles";
import { isAlive, type Writer } from "./writer";

/** A process's wish to be alone with what these keys stand for. */
interface Wish {
  wish: string;
  keys: readonly string[];
  by: Writer;
  /** When its time is over (ISO 8601), where it has one. */
  until?: string | undefined;
}

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;

/**
 * The turns of the processes of one run, where one thing is changed by one of them at a time. Each appends its wish to the run's
 * file, waits for the wishes before it that share a key, and appends that it is over. With a process, its wishes end: nothing has
 * to be taken away for it.
 */
export class Turns {
  readonly #own: Writer;
  readonly #file: string;
  readonly #tail: Tail;
  readonly #cancelled: AbortSignal | undefined;
  /** Those that are not over, the earliest first. */
  readonly #wishes = new Map<string, Wish>();
  /** Wishes of its own that are over, and of which the file does not say so yet. */
  readonly #untold = new Set<string>();
  /** Keys that another process has had its turn with since this one had. */
  readonly #had = new Set<string>();

  /** @param programs the file of the run's program; `own` is this process, and `cancelled` ends every wait at once */
  constructor(programs: string, own: Writer, cancelled?: AbortSignal) {
    this.#own = own;
    this.#file = turnsFile(programs);
    this.#tail = new Tail(this.#file);
    this.#cancelled = cancelled;
  }

  /**
   * Waits for the turn with some keys. Where nothing can be written, nobody is waited for: an update works all the same.
   *
   * @param of until when its time may last, if that is known, what ends the wait, and what is called where there is somebody to wait for
   */
  async take(
    names: readonly string[],
    of: { until?: string | undefined; ended?: AbortSignal; waits?: () => void } = {},
  ): Promise<Turn> {
    const { until, ended = this.#cancelled, waits } = of;
    const keys = names.map(digest);
    const wish = randomBytes(UNIQUE_BYTES).toString("base64url");
    this.#tellOver();
    this.#append({ wish, keys, by: this.#own, until });
    const end = () => {
      this.#untold.add(wish);
      this.#tellOver();
    };
    try {
      for (let ms = FIRST_PAUSE_MS; !this.#isNext(wish, keys); ms = Math.min(ms * 2, LONGEST_PAUSE_MS)) {
        if (ms === FIRST_PAUSE_MS) waits?.();
        await pause(ms, ended);
      }
    } catch (error) {
      end();
      if (error instanceof EndedError) throw error;
      throw new CancelledError("The update was cancelled, waiting for another process of it.", { cause: error });
    }
    const wasAnothers = keys.filter((key) => this.#had.delete(key)).length > 0;
    return { wasAnothers, end };
  }

  /** For an empty file, a full disk has room. */
  #tellOver(): void {
    for (const wish of this.#untold)
      if (this.#append({ over: wish }) || isAppended(overFile(this.#file, wish), "")) this.#untold.delete(wish);
  }

  /** Returns whether it could. The line before may be one that was cut off. */
  #append(line: object): boolean {
    return isAppended(this.#file, `\n${JSON.stringify(line)}\n`);
  }

  #isNext(own: string, keys: readonly string[]): boolean {
    for (const said of this.#tail.unread()) {
      if (isWish(said)) this.#wishes.set(said.wish, said);
      else if (isObject(said) && typeof said.over === "string") this.#end(said.over);
    }
    if (!this.#wishes.has(own)) return true;
    for (const before of this.#wishes.values()) {
      if (before.wish === own) break;
      if (!before.keys.some((key) => keys.includes(key))) continue;
      if (this.#isOpen(before)) return false;
      this.#end(before.wish);
    }
    return true;
  }

  #isOpen({ wish, by, until }: Wish): boolean {
    if (this.#untold.has(wish) || quietly(() => statSync(overFile(this.#file, wish))) !== undefined) return false;
    return this.#isOwn(by) || isAlive(by, this.#own, until);
  }

  #isOwn({ run }: Writer): boolean {
    return run === this.#own.run;
  }

  #end(wish: string): void {
    const ended = this.#wishes.get(wish);
    this.#wishes.delete(wish);
    if (ended !== undefined && !this.#isOwn(ended.by)) for (const key of ended.keys) this.#had.add(key);
  }
}

/**
 * The turns of this process, among those of all updates on this machine, with what some names stand for. Each name has a file of its
 * own, which goes a day after it was last needed; the files are met in one order, so that nobody waits in a circle.
 */
export class MachineTurns {
  readonly #own: Writer;
  readonly #say: (words: string) => void;
  /** By name: what is read of a file is not read again, and what could not be written to it is known all the same. */
  readonly #turns = new Map<string, Turns>();

  /** @param own this process */
  constructor(own: Writer, say: (words: string) => void) {
    this.#own = own;
    this.#say = say;
  }

  /** @throws {EndedError} where another one is still at it when the time is over */
  readonly alone: OnMachine = async (names, task, deadline) => {
    const [name, ...others] = [...names].sort();
    if (name === undefined) return task();
    quietly(tidy);
    const turns = once(this.#turns, name, () => new Turns(machineFile(digest(name)), this.#own));
    const waits = () => this.#say(`W${ANOTHERS.slice(1)}.`);
    const { until } = timesOf({ deadline });
    const { end } = await deadline.wait(ANOTHERS, (ended) => turns.take([name], { until, ended, waits }));
    return this.alone(others, task, deadline).finally(end);
  };
}

const ANOTHERS = "waiting for another update on this machine that works on the same zone, dataset or Proxy Manager";

const UNIQUE_BYTES = 6;

/** The empty file that tells of a wish that it is over. */
const overFile = (turns: string, wish: string): string => `${turns}~${wish}`;

const isAppended = (file: string, text: string): boolean => succeeds(() => appendFileSync(file, text, { mode: 0o600 }));

const isWish = (said: unknown): said is Wish =>
  isObject(said) && typeof said.wish === "string" && Array.isArray(said.keys) && isObject(said.by);
