import { setImmediate as turn } from "node:timers/promises";

const BEGIN = Date.UTC(2030, 0, 1);

const LONGEST_HOURS = 400;

interface Timer {
  at: number;
  order: number;
  call: () => void;
  owner: object;
}

/** Nothing is under way any more, and a promise has not settled: its caller would wait for ever. */
export class Unanswered extends Error {}

/** Time that passes when nothing else is to be done. Nothing here takes real time, so one turn of the event loop is enough to tell. */
export class Time {
  now = BEGIN;
  #timers: Timer[] = [];
  #order = 0;
  /** What waits until all that can be done now is done: no time passes for it. */
  #waiting: (() => void)[] = [];
  /** How far the machine's clock is behind. */
  backMs = 0;
  /** Until when owners can do nothing. */
  readonly #busy = new Map<object, number>();
  /** What waits no more, whatever is still on its way to it. */
  readonly #gone = new WeakSet<object>();

  /** Takes the time back to its beginning, without anything that is to come. */
  restart(): void {
    this.now = BEGIN;
    this.#timers = [];
    this.#waiting = [];
    this.#busy.clear();
    this.backMs = 0;
    this.#order = 0;
  }

  /** What the clock of the machine shows. */
  get shown(): number {
    return this.now - this.backMs;
  }

  /** Keeps an owner busy: what it waits for comes afterwards, in its order. */
  async occupy(owner: object, milliseconds: number): Promise<void> {
    this.#busy.set(owner, this.now + milliseconds);
    await new Promise<void>((resolve) => this.set(this, resolve, milliseconds));
  }

  /** Until nothing else is to be done at this moment: another process has answered all that it can answer without waiting. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  set(owner: object, call: () => void, milliseconds: number): object {
    if (this.#gone.has(owner)) return {};
    const timer = { at: this.now + Math.max(1, milliseconds || 0), order: this.#order++, call, owner };
    this.#timers.push(timer);
    return timer;
  }

  clear(timer: unknown): void {
    const index = this.#timers.indexOf(timer as Timer);
    if (index !== -1) this.#timers.splice(index, 1);
  }

  isGone(owner: object): boolean {
    return this.#gone.has(owner);
  }

  /** Ends all that an owner waits for, or ever will. */
  forget(owner: object): void {
    this.#gone.add(owner);
    this.#timers = this.#timers.filter((timer) => timer.owner !== owner);
  }

  pass(milliseconds: number): Promise<void> {
    return this.until(new Promise((resolve) => this.set(this, resolve, milliseconds)));
  }

  /** Lets time pass until a promise has settled. */
  async until<T>(promise: Promise<T>): Promise<T> {
    let settled = false;
    const settle = () => {
      settled = true;
    };
    promise.then(settle, settle);
    const end = this.now + LONGEST_HOURS * 3_600_000;
    for (;;) {
      await turn();
      if (settled) return promise;
      const waiting = this.#waiting.shift();
      if (waiting !== undefined) {
        waiting();
        continue;
      }
      const next = this.#takeNext();
      if (next === undefined || next.at > end) throw new Unanswered("A call is never answered.");
      this.now = Math.max(this.now, next.at);
      next.call();
    }
  }

  #takeNext(): Timer | undefined {
    let next: Timer | undefined;
    let soonest = Number.POSITIVE_INFINITY;
    for (const timer of this.#timers) {
      const at = this.#busy.size === 0 ? timer.at : Math.max(timer.at, this.#busy.get(timer.owner) ?? 0);
      const isSooner = next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order);
      if (at > soonest || (at === soonest && !isSooner)) continue;
      next = timer;
      soonest = at;
    }
    if (next !== undefined) this.clear(next);
    return next && { ...next, at: soonest };
  }
}

/** The functions and classes that code finds time by, where all that it waits for belongs to an owner. */
export function globalsOf(time: Time, owner: () => object) {
  const handleOf = (timer: object) => {
    const handle = { timer, ref: () => handle, unref: () => handle, hasRef: () => true };
    return handle;
  };
  class VirtualDate extends Date {
    constructor(...parts: [] | [number]) {
      if (parts.length === 0) super(time.shown);
      else super(...parts);
    }

    static override now(): number {
      return time.shown;
    }
  }
  const clear = (handle: { timer?: object } | undefined): void => time.clear(handle?.timer);
  return {
    Date: VirtualDate,
    performance: { now: () => time.now - BEGIN },
    setTimeout: (call: (...given: unknown[]) => void, milliseconds = 0, ...given: unknown[]) =>
      handleOf(time.set(owner(), () => call(...given), milliseconds)),
    clearTimeout: clear,
    setInterval: (call: () => void, milliseconds: number) => {
      const handle = handleOf({});
      const again = (): void => {
        const tick = () => {
          again();
          call();
        };
        handle.timer = time.set(owner(), tick, milliseconds);
      };
      again();
      return handle;
    },
    clearInterval: clear,
    setImmediate: (call: () => void) => handleOf(time.set(owner(), call, 0)),
    AbortSignal: Object.assign(Object.create(AbortSignal) as typeof AbortSignal, {
      timeout(milliseconds: number): AbortSignal {
        const controller = new AbortController();
        const late = () =>
          controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
        time.set(owner(), late, milliseconds);
        return controller.signal;
      },
    }),
  };
}

/** `node:timers/promises`, where all that is waited for belongs to an owner. */
export function timersOf(time: Time, owner: () => object) {
  const passed = (milliseconds: number, { signal }: { signal?: AbortSignal } = {}) =>
    new Promise<void>((resolve, reject) => {
      signal?.throwIfAborted();
      time.set(owner(), resolve, milliseconds);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  return {
    setTimeout: (milliseconds: number, _value?: unknown, options?: { signal?: AbortSignal }) =>
      passed(milliseconds, options),
    setImmediate: () => passed(0),
  };
}
