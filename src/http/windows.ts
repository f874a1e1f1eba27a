import { originOf } from "../base/errors";
import { numberIn } from "../base/numberIn";
import type { Log } from "./log";
import { pause } from "./pause";

/** What a service still takes of one kind of request. */
interface RateWindow {
  left: number;
  /** Milliseconds since 1970. */
  endsAt: number;
  /** Requests without an answer: whether they are counted among `left` already is not known. */
  underWay: number;
  /** Whether its end is waited for already. */
  isAwaited: boolean;
}

// A window that lasts longer is for requests that are not sent in numbers: their refusal says more than a long wait.
const LONGEST_WAIT_MS = 61_000;

const UNKNOWN = Number.POSITIVE_INFINITY;

// Until an answer tells when a window ends.
const UNKNOWN_WAIT_MS = 1000;

// So little of a window is used up by what is asked for now and then: there is no need to remember that.
const OCCASIONAL = 10;

/**
 * Keeps to the windows in which a service counts the requests of each route, as its `RateLimit` headers tell of them: what would
 * be too many waits for the next window, instead of being refused.
 */
export class Windows {
  readonly #limit: number;
  readonly #tell: (seconds: number) => void;
  readonly #windows = new Map<string, RateWindow>();

  /**
   * @param limit how many requests a window takes, until an answer tells
   * @param tell is told how long the wait for the end of a window is, when it begins
   */
  constructor(limit: number, tell: (seconds: number) => void = () => {}) {
    this.#limit = limit;
    this.#tell = tell;
  }

  async run<T>(route: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T> {
    const window = await this.#enter(route, signal);
    try {
      return await task();
    } finally {
      window.underWay--;
      if (window.underWay === 0 && window.left > this.#limit - OCCASIONAL) this.#windows.delete(route);
    }
  }

  learn(route: string, header: string | readonly string[] | undefined): void {
    const window = this.#windows.get(route);
    const told = [header ?? []]
      .flat()
      .map(read)
      .filter((each) => each !== undefined);
    const [scarcest] = told.sort((one, other) => one.left - other.left);
    if (window === undefined || scarcest === undefined) return;
    const endsAt = Date.now() + scarcest.seconds * 1000;
    const isSame = Date.now() < window.endsAt && window.endsAt !== UNKNOWN;
    window.isAwaited &&= isSame;
    window.left = isSame ? Math.min(window.left, scarcest.left) : scarcest.left;
    window.endsAt = isSame ? Math.min(window.endsAt, endsAt) : endsAt;
  }

  async #enter(route: string, signal: AbortSignal | undefined): Promise<RateWindow> {
    for (;;) {
      const window = this.#current(route);
      const wait = window.endsAt === UNKNOWN ? UNKNOWN_WAIT_MS : window.endsAt - Date.now();
      if (window.underWay < window.left || wait > LONGEST_WAIT_MS) {
        window.underWay++;
        return window;
      }
      if (window.endsAt !== UNKNOWN && !window.isAwaited) {
        window.isAwaited = true;
        this.#tell(Math.ceil(wait / 1000));
      }
      await pause(wait, signal);
    }
  }

  #current(route: string): RateWindow {
    const fresh = { left: this.#limit, endsAt: UNKNOWN, isAwaited: false };
    const window = this.#windows.get(route) ?? { ...fresh, underWay: 0 };
    if (Date.now() >= window.endsAt) Object.assign(window, fresh);
    this.#windows.set(route, window);
    return window;
  }
}

/** The windows of a service, whose waits are logged; `undefined` where it has none. */
export function windowsOf(options: { perWindow?: number; baseUrl: string; log: Log }): Windows | undefined {
  const { perWindow, baseUrl, log } = options;
  if (perWindow === undefined) return undefined;
  const reached = `${originOf(baseUrl)} accepts no more requests of this kind in this minute`;
  return new Windows(perWindow, (seconds) => log.line("warn", `${reached}: waiting ${seconds} s.`));
}

/** What is left, by `limit=2000, remaining=1999, reset=60`, or `"2000-in-1min"; r=1999; t=60` as managers have it since 1.597. */
export const leftIn = (header: string): number | undefined => numberIn(header, /\b(?:remaining|r)=(\d+)/);

function read(header: string): { left: number; seconds: number } | undefined {
  const left = leftIn(header);
  const seconds = numberIn(header, /\b(?:reset|t)=(\d+)/);
  return left === undefined || seconds === undefined ? undefined : { left, seconds };
}
