import type { Journal } from "./journal.mts";
import type { Step } from "./step.mts";
import { anyOf, Signal, type Task, type Tasks } from "./tasks.mts";

/** What only an error makes known: the person has been told. */
export class Bail extends Error {}

/** What a run is to its parts. */
export interface Whole {
  readonly tasks: Tasks;
  /** Without it, nothing is done. */
  readonly journal: Journal | undefined;
  /** Is told what is wrong. */
  say(error: string): void;
  planned(step: Step): void;
}

interface Options {
  workers: number;
  /** What fails does not keep it from doing the rest. */
  isGoingOn?: boolean;
  /** The same, and what needs what has failed is not done. */
  continueOnError?: boolean;
}

/** Does steps, as many chains of them at a time as it has workers. */
export class Executor {
  readonly cancelled: Signal;
  readonly failed: Step[] = [];
  isFailed = false;
  readonly #whole: Whole;
  readonly #options: Options;
  #free: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  #idle = new Signal();

  constructor(whole: Whole, cancelled: Signal, options: Options) {
    this.#whole = whole;
    this.cancelled = new Signal();
    cancelled.heed(() => this.cancelled.set());
    this.#options = options;
    this.#free = options.workers;
  }

  /** Hands steps over that are done one after the other, as soon as there is a worker. */
  *serial(chain: readonly Step[]): Task<Signal> {
    const done = new Signal();
    while (this.#free === 0 && !this.cancelled.isSet) {
      const freed = new Signal();
      this.#waiting.push(() => freed.set());
      yield* anyOf(freed, this.cancelled);
    }
    if (this.cancelled.isSet) {
      done.set();
      return done;
    }
    this.#free--;
    this.#running++;
    const { tasks } = this.#whole;
    tasks.start(this.#work(chain, done));
    // What takes no time is done before the next resource is looked at.
    yield* tasks.settle();
    return done;
  }

  /** Hands each over by itself, and waits for all. */
  *parallel(steps: readonly Step[]): Task {
    const tokens: Signal[] = [];
    for (const step of steps) tokens.push(yield* this.serial([step]));
    for (const token of tokens) yield* anyOf(token, this.cancelled);
  }

  /** Until all that was begun is done. */
  *end(): Task {
    while (this.#running > 0) {
      this.#idle = new Signal();
      yield* this.#idle.wait();
    }
  }

  *#work(chain: readonly Step[], done: Signal): Task {
    for (const step of chain) {
      if (this.cancelled.isSet || !(yield* this.#do(step))) break;
    }
    done.set();
    this.#free++;
    this.#running--;
    this.#waiting.shift()?.();
    if (this.#running === 0) this.#idle.set();
  }

  /** @returns whether all went well */
  *#do(step: Step): Task<boolean> {
    const { journal } = this.#whole;
    if (journal === undefined) this.#whole.planned(step);
    try {
      if (journal !== undefined) yield* journal.begin(step);
    } catch (error) {
      return this.#fail(step, `pre-step event returned an error: ${(error as Error).message}`);
    }
    const applying = step.apply();
    const { error, isPartial = false, complete } = "next" in applying ? yield* applying : applying;
    if (error !== undefined) this.#whole.say(error.message);
    try {
      if (journal !== undefined) yield* journal.end(step, error === undefined || isPartial);
    } catch (failure) {
      return this.#fail(step, `post-step event returned an error: ${(failure as Error).message}`);
    }
    complete?.();
    return error === undefined || this.#fail(step);
  }

  #fail(step: Step, words?: string): false {
    this.isFailed = true;
    if (this.#options.isGoingOn !== true) {
      if (this.#options.continueOnError === true) {
        step.end?.("FAIL");
        this.failed.push(step);
      } else this.cancelled.set();
    }
    if (words !== undefined) this.#whole.say(words);
    return false;
  }
}
