import { pause } from "../http/pause";

/** For how long nothing was heard from the engine when it is taken for quiet, and how long that is waited for. */
const QUIET_MS = 200;
const MOST_MS = 5000;
const STEP_MS = 50;

let lastHeard = 0;

/** Notes that the engine has told of a resource. */
export const heard = (): void => {
  lastHeard = Date.now();
};

/**
 * Waits until the engine has told of the resources that it would tell of without waiting for this one. It registers them one
 * after another, within milliseconds, while operations are under way: what has just been found to be nobody's may be declared
 * by the next.
 */
export async function untilQuiet(signal: AbortSignal): Promise<void> {
  const end = Date.now() + MOST_MS;
  while (Date.now() - lastHeard < QUIET_MS && Date.now() < end) await pause(STEP_MS, signal);
}
