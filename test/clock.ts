import { subscribe } from "node:diagnostics_channel";
import { setImmediate as turn } from "node:timers/promises";
import "undici";
import { vi } from "vitest";

// Both ends of every connection live in this process: what is on its way arrives within a few turns of its event loop.
const QUIET_TURNS = 12;
const QUIET_TURNS_WHILE_ASKING = 60;

const FILE_WORK = /^(FSReq|CloseReq)/;

const LONGEST_HOURS = 72;

const asking = new Set<object>();
let activity = 0;

const listen = (event: string, note: (request: object) => void): void =>
  subscribe(`undici:request:${event}`, (message) => {
    activity++;
    note((message as { request: object }).request);
  });
listen("create", (request) => asking.add(request));
listen("headers", () => {});
listen("trailers", (request) => asking.delete(request));
listen("error", (request) => asking.delete(request));

/** Nothing is under way any more, and a promise has not settled: its caller would wait for ever. */
export class Unanswered extends Error {}

/**
 * Time that passes when there is nothing else to do: a pause of an hour takes no longer than one of a second. Timers, dates
 * and time limits of the whole process go by it while it is installed.
 */
export function installClock(): () => void {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    const late = () => controller.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
    setTimeout(late, milliseconds).unref();
    return controller.signal;
  };
  return () => {
    AbortSignal.timeout = timeout;
    vi.useRealTimers();
  };
}

/** Lets time pass until `promise` has settled. */
export async function passing<T>(promise: Promise<T>): Promise<T> {
  let settled = false;
  const settle = () => {
    settled = true;
  };
  promise.then(settle, settle);
  const end = Date.now() + LONGEST_HOURS * 3_600_000;
  let seen = activity;
  let needed = QUIET_TURNS_WHILE_ASKING;
  for (let quiet = 0; ; quiet++) {
    await turn();
    if (settled) return promise;
    if (seen !== activity || process.getActiveResourcesInfo().some((resource) => FILE_WORK.test(resource))) {
      seen = activity;
      quiet = 0;
      needed = asking.size === 0 ? QUIET_TURNS : QUIET_TURNS_WHILE_ASKING;
    }
    if (quiet < needed) continue;
    if (vi.getTimerCount() === 0 || Date.now() > end) throw new Unanswered("A call is never answered.");
    vi.advanceTimersToNextTimer();
    quiet = 0;
    needed = QUIET_TURNS;
  }
}
