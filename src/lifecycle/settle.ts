import { RequestError } from "../base/errors";
import { endsIn } from "../http/end";
import { pause } from "../http/pause";
import { DeadlineError } from "./deadline";
import type { Run } from "./lifecycle";

const SETTLE_SECONDS = 20;

// What was made a moment ago may take some seconds to be listed.
const PAUSES_MS = [0, 500, 1000, 2000, 4000];

/** Time of its own for finding out what became of a request: the operation's may be what has just run out. */
export function settleSignal(): AbortSignal {
  const controller = new AbortController();
  const words = `Gave up after ${SETTLE_SECONDS} s, finding out what became of a request.`;
  endsIn(SETTLE_SECONDS, controller.signal);
  setTimeout(() => controller.abort(new DeadlineError(words)), SETTLE_SECONDS * 1000).unref();
  return controller.signal;
}

/** Whether a request that failed may have been carried out all the same. */
export const isUnsettled = (error: unknown, run: Run): boolean =>
  error instanceof RequestError ? !error.settled : run.deadline.signal.aborted;

/** Whether a thing turns up that a request whose answer was lost may have made: looks for it several times. */
export async function turnsUp(look: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const signal = settleSignal();
  for (const ms of PAUSES_MS) {
    await pause(ms, signal);
    if (await look(signal)) return true;
  }
  return false;
}
