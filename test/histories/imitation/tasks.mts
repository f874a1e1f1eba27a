/** What a task waits for: it is handed what wakes it. */
type Waiting = (wake: () => void) => void;

/** Something that goes on until it has to wait. */
export type Task<T = void> = Generator<Waiting, T, void>;

interface Alarm {
  at: number;
  order: number;
  wake: () => void;
}

/** Nothing else is as short. */
const INSTANT_US = 0.001;

/** Tasks of one thread. Time passes for them when none of them can go on. */
export class Tasks {
  readonly #ready: (() => void)[] = [];
  readonly #alarms: Alarm[] = [];
  #now = 0;
  #order = 0;

  start(task: Task): void {
    this.#ready.push(() => this.#advance(task));
  }

  /** Until nothing can go on any more. */
  run(): void {
    for (;;) {
      const next = this.#ready.shift() ?? this.#soonest();
      if (next === undefined) return;
      next();
    }
  }

  *sleep(microseconds: number): Task {
    const at = this.#now + microseconds;
    yield (wake) => this.#alarms.push({ at, order: this.#order++, wake });
  }

  /** Until all that can be done without waiting is done. */
  *settle(): Task {
    yield* this.sleep(INSTANT_US);
  }

  #advance(task: Task): void {
    const { done, value } = task.next();
    if (done === true) return;
    value(() => this.#ready.push(() => this.#advance(task)));
  }

  #soonest(): (() => void) | undefined {
    const [alarm] = this.#alarms.sort((one, other) => one.at - other.at || one.order - other.order);
    if (alarm === undefined) return undefined;
    this.#alarms.shift();
    this.#now = alarm.at;
    return alarm.wake;
  }
}

/** Happens once. */
export class Signal<T = void> {
  #value: { is: T } | undefined;
  readonly #waiting: (() => void)[] = [];

  get isSet(): boolean {
    return this.#value !== undefined;
  }

  set(value: T): void {
    if (this.#value !== undefined) return;
    this.#value = { is: value };
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Calls it when that happens, or at once. */
  heed(wake: () => void): void {
    if (this.isSet) wake();
    else this.#waiting.push(wake);
  }

  *wait(): Task<T> {
    if (this.#value === undefined) yield (wake) => this.#waiting.push(wake);
    return (this.#value as unknown as { is: T }).is;
  }
}

/** Until one of them happens. */
export function* anyOf(...signals: readonly { heed(wake: () => void): void }[]): Task {
  let isAwake = false;
  yield (wake) => {
    for (const signal of signals) {
      signal.heed(() => {
        if (!isAwake) wake();
        isAwake = true;
      });
    }
  };
}

/** Things that are handed over one by one. */
export class Queue<T> {
  readonly #items: T[] = [];
  #waiting: (() => void)[] = [];

  push(item: T): void {
    this.#items.push(item);
    for (const wake of this.#waiting.splice(0)) wake();
  }

  heed(wake: () => void): void {
    if (this.#items.length > 0) wake();
    else this.#waiting.push(wake);
  }

  take(): T | undefined {
    return this.#items.shift();
  }
}
