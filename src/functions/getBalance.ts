import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { remoteClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";
import type { Balance } from "../remote/account";

/** Money of the account, in US dollars. Which figures there are beside the balance depends on the account. */
export type GetBalanceResult = Balance;

/**
 * Looks up the account's balance, in US dollars. `GET /customer/balance`.
 *
 * @throws {PermissionError} when the token may not see it
 * @throws {RequestError} when the service refuses for another reason, or cannot be reached
 *
 * @example
 * const { balance } = await brightdata.getBalance();
 */
export async function getBalance(options: CallOptions = {}): Promise<GetBalanceResult> {
  return remoteClient().account.balance(options);
}

/** {@link getBalance} as an output. */
export const getBalanceOutput = (): pulumi.Output<GetBalanceResult> => whenKnown({}, () => getBalance());
