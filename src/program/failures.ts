import { ArgumentError, BrightDataError, ConfigurationError, ConnectionError, RateLimitError } from "../base/errors";
import { once } from "../base/once";
import { ofRun } from "./ofRun";
import { warnOnce } from "./warnings";

/** The option of a function whose failure must not fail the program. */
export interface OrUndefined {
  /**
   * What the result is if the service refuses or cannot be reached; a warning says why. What is wrong with the program fails
   * in any case, with {@link ArgumentError} or {@link ConfigurationError}.
   */
  onError: "undefined";
}

interface CalledFunction {
  /** The function's name. */
  name: string;
  onError: OrUndefined["onError"] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * A function's result, or what its failure becomes.
 *
 * @throws {ArgumentError} for an `onError` that there is not
 */
export async function answered<Result>(asked: CalledFunction, ask: () => Promise<Result>): Promise<Result | undefined> {
  const { name, onError } = asked;
  if (onError === undefined) return ask();
  if (onError !== "undefined") {
    throw new ArgumentError(`${name}: \`onError\` must be "undefined" or left out, not ${JSON.stringify(onError)}.`);
  }
  return ask().catch((error: unknown) => {
    if (!isOfTheService(error, asked)) throw error;
    warnOnce(`failed ${outageOf(error) ?? `${name} ${error}`}`, () => [`${name} gives undefined: ${error}`]);
    return undefined;
  });
}

/** Whether it failed at the service, or was given up on, and not because the program is wrong. */
const isOfTheService = (error: unknown, { signal }: CalledFunction): boolean =>
  signal?.aborted === true ||
  (error instanceof BrightDataError && !(error instanceof ArgumentError) && !(error instanceof ConfigurationError));

const errors = () => new Map<string, unknown>();

/** The first error of the same outage: Pulumi prints an error once, however many outputs fail with it. */
export function firstOfOutage(error: unknown): unknown {
  const outage = outageOf(error);
  return outage === undefined ? error : once(ofRun(errors), outage, () => error);
}

const outageOf = (error: unknown): string | undefined =>
  error instanceof ConnectionError || error instanceof RateLimitError ? error.outage : undefined;
