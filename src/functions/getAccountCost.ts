import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { type Inputs, whenKnown } from "../program/whenKnown";
import type { AccountCost, CostDimension } from "../remote/usage";

/** Arguments of {@link getAccountCost}. Whole days count. */
export interface GetAccountCostArgs {
  /** First day, `YYYY-MM-DD`, UTC. */
  from: string;
  /** Day after the last, in the same form: exclusive. */
  to: string;
  /**
   * What the cost is split by.
   *
   * @default "zones"
   */
  dimension?: CostDimension | undefined;
}

/** Arguments of {@link getAccountCostOutput}. */
export type GetAccountCostOutputArgs = Inputs<GetAccountCostArgs>;

/** Cost of the account in a period, in US dollars. */
export type GetAccountCostResult = AccountCost;

/**
 * Looks up what the account has cost in a period, in US dollars, zones that have been deleted since included.
 * `POST /costs/export/json`, which only reads.
 *
 * @throws {ArgumentError} for a bad date, before anything is sent
 * @throws {RequestError} when the service refuses, or cannot be reached
 *
 * @example
 * const { total, byResource } = await brightdata.getAccountCost({ from: "2026-05-01", to: "2026-06-01" });
 */
export async function getAccountCost(
  args: GetAccountCostArgs,
  options: CallOptions = {},
): Promise<GetAccountCostResult> {
  const { dimension, ...period } = args;
  return remoteClient().usage.accountCost(period, dimension, options);
}

/** {@link getAccountCost} for arguments that are not known yet. */
export const getAccountCostOutput = (args: GetAccountCostOutputArgs): pulumi.Output<GetAccountCostResult> =>
  whenKnown(args, getAccountCost);
