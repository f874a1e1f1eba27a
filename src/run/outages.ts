import { messageOf } from "../base/cause";
import { ConnectionError, RateLimitError } from "../base/errors";

/** What has kept services from answering in this run. */
export class Outages {
  /** By outage: how many have met it. */
  readonly #met = new Map<string, number>();

  /**
   * A failure in words. That a service is down is said once in full, whatever the number of resources that meet it.
   *
   * @param failure what came out of an operation
   */
  inWords(failure: unknown): string {
    const cause = outageOf(failure);
    const words = messageOf(failure);
    if (cause === undefined) return words;
    const before = this.#met.get(cause.outage) ?? 0;
    this.#met.set(cause.outage, before + 1);
    if (before === 0) return words;
    const short = `Could not ${cause.operation}, for the reason that another resource gives in full (${cause.outage}); ${before} more before this one.`;
    // What is said around it is said nowhere else.
    return words.includes(cause.message) ? words.replace(cause.message, () => short) : short;
  }
}

/** What keeps a service from answering, however deep it stands among the causes. What may have been carried out has its own words. */
function outageOf(failure: unknown): ConnectionError | RateLimitError | undefined {
  for (let error = failure; error instanceof Error; error = error.cause) {
    if (error instanceof ConnectionError || error instanceof RateLimitError) return error.settled ? error : undefined;
  }
  return undefined;
}
