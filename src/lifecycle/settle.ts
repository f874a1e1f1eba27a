import { NotFoundError, RequestError } from "../base/errors";
import { endsIn } from "../http/end";
import { pause } from "../http/pause";
import { DeadlineError } from "./deadline";
import type { Step } from "./lifecycle";

const SETTLE_SECONDS = 20;

// What was created a moment ago may take some seconds to be listed.
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
export const isUnsettled = (error: unknown, step: Step): error is Error =>
  error instanceof RequestError ? !error.settled : error instanceof Error && step.deadline.signal.aborted;

/** The same of a removal: what was not found may have been removed. */
export const mayBeGone = (error: unknown, step: Step): error is Error =>
  error instanceof NotFoundError || isUnsettled(error, step);

/** Waits for a request, and returns what its answer was lost with; throws what it was refused with. */
export async function lossOf(
  request: Promise<unknown>,
  step: Step,
  isLoss: typeof isUnsettled = isUnsettled,
): Promise<Error | undefined> {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (isLoss(error, step)) return error;
    throw error;
  }
}

/** Whether a thing turns up that a request whose answer was lost may have created: looks for it several times. */
export async function turnsUp(look: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
  const signal = settleSignal();
  for (const ms of PAUSES_MS) {
    await pause(ms, signal);
    if (await look(signal)) return true;
  }
  return false;
}

/** Removes something, and waits until two looks find it gone. What has failed is judged by what there is then. */
export async function removeOnce(
  waiting: string,
  send: () => Promise<unknown>,
  isGone: (signal: AbortSignal) => Promise<boolean>,
  step: Step,
): Promise<void> {
  const isSurely = async (signal: AbortSignal) => (await isGone(signal)) && (await isGone(signal));
  try {
    await send();
  } catch (error) {
    const isDone = isUnsettled(error, step) ? turnsUp(isSurely) : isSurely(settleSignal());
    if (await isDone.catch(() => false)) return;
    throw error;
  }
  await step.deadline.poll(waiting, async () => (await isSurely(step.deadline.signal)) || undefined);
}
