import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { managerClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getLogTail}. */
export interface GetLogTailArgs {
  /**
   * The most lines to read.
   *
   * @default 100
   */
  limit?: number | undefined;
}

/** Arguments of {@link getLogTailOutput}. */
export type GetLogTailOutputArgs = Inputs<GetLogTailArgs>;

/** The end of the Proxy Manager's log. */
export interface GetLogTailResult {
  /** The oldest first. */
  lines: string[];
}

/**
 * Reads the last lines that the Proxy Manager wrote to its log. `GET /api/general_logs?limit=`.
 *
 * @throws {ArgumentError} when `limit` is no whole number from 1 on, before anything is sent
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { lines } = await brightdata.getLogTail({ limit: 20 });
 */
export async function getLogTail(args: GetLogTailArgs = {}, options: CallOptions = {}): Promise<GetLogTailResult> {
  return { lines: await managerClient().logs.tail(args.limit, options) };
}

/** {@link getLogTail} for arguments that are not known yet. */
export const getLogTailOutput = (args: GetLogTailOutputArgs = {}): pulumi.Output<GetLogTailResult> =>
  whenKnown(args, getLogTail);
