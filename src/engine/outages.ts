import { ConnectionError } from "../errors";

/** By outage: how many have met it since the engine started this process. */
const met = new Map<string, number>();

/**
 * A failure in words. That a service is down is said once in full, whatever the number of resources that meet it.
 *
 * @param failure what came out of an operation
 */
export function inWords(failure: unknown): string {
  const outage = outageOf(failure);
  const words = failure instanceof Error ? failure.message : String(failure);
  if (outage === undefined) return words;
  const before = met.get(outage.outage) ?? 0;
  met.set(outage.outage, before + 1);
  return before === 0
    ? words
    : `Could not ${outage.operation}, for the reason that is given above (${outage.code}); ${before} more before this one.`;
}

/** The connection that failed, however deep it stands among the causes. A creation that may have taken place has its own words. */
function outageOf(failure: unknown): ConnectionError | undefined {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (error instanceof ConnectionError) return error.settled ? error : undefined;
  }
  return undefined;
}
