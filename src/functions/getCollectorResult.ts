import type * as pulumi from "@pulumi/pulumi";
import { ArgumentError } from "../errors";
import { pause } from "../http/pause";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getCollectorResult}. */
export interface GetCollectorResultArgs {
  /** Id of the collector's run. */
  responseId: string;
  /**
   * Seconds to wait for a result that is not there yet; 0 for a single look.
   *
   * @default 300
   */
  timeout?: number | undefined;
}

/** Arguments of {@link getCollectorResultOutput}. */
export type GetCollectorResultOutputArgs = Inputs<GetCollectorResultArgs>;

/** What the run of a collector has yielded. */
export interface GetCollectorResultResult {
  responseId: string;
  /** `pending` when there was no result in the time allowed. */
  status: "pending" | "ready";
  /** The rows, as the collector has them, each with its `input`; absent while the result is pending. */
  rows?: Record<string, unknown>[];
}

const DEFAULT_TIMEOUT_SECONDS = 300;

// The service holds a question open for 25 to 50 seconds. One that it answers at once is not asked again before this.
const SHORTEST_HOLD_SECONDS = 25;
const LONGEST_HOLD_SECONDS = 50;
const PACE_SECONDS = 10;

/**
 * Looks up the result of a collector's run, and waits for one that is not there yet. That there is none in the time allowed
 * is a result, not an error. The service keeps a result for a week. `GET /dca/get_result?response_id=&timeout=`.
 *
 * @throws {NotFoundError} when there is no such run
 * @throws {ArgumentError} when the id is blank, or `timeout` is no number of seconds
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { status, rows = [] } = await brightdata.getCollectorResult({ responseId: "z7a1b2c3d4", timeout: 60 });
 */
export async function getCollectorResult(
  args: GetCollectorResultArgs,
  options: CallOptions = {},
): Promise<GetCollectorResultResult> {
  const { responseId, timeout = DEFAULT_TIMEOUT_SECONDS } = args;
  if (typeof responseId !== "string" || responseId.trim() === "") {
    throw new ArgumentError("The id of the collector's run is missing. Nothing was sent.");
  }
  if (!Number.isFinite(timeout) || timeout < 0) {
    throw new ArgumentError(`timeout is ${timeout}: expected a number of seconds from 0 on. Nothing was sent.`);
  }
  const { collector } = remoteClient();
  const end = performance.now() + timeout * 1000;
  for (;;) {
    const asked = performance.now();
    const result = await collector.getResult(responseId, { ...hold((end - asked) / 1000), ...options });
    if (result.status === "ready") return { responseId, ...result };
    const now = performance.now();
    if (now >= end) return { responseId, status: "pending" };
    await pause(Math.max(0, Math.min(asked + PACE_SECONDS * 1000, end) - now), options.signal);
  }
}

/** {@link getCollectorResult} for arguments that are not known yet. */
export const getCollectorResultOutput = (args: GetCollectorResultOutputArgs): pulumi.Output<GetCollectorResultResult> =>
  whenKnown(args, getCollectorResult);

/** For how long the service may hold the question open. */
const hold = (secondsLeft: number): { wait?: number } =>
  secondsLeft < SHORTEST_HOLD_SECONDS ? {} : { wait: Math.min(Math.floor(secondsLeft), LONGEST_HOLD_SECONDS) };
