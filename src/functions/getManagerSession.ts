import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** The Proxy Manager's session with the vendor. */
export interface GetManagerSessionResult {
  /** Whether the manager is logged in to an account. Logged out it knows no zones, and refuses changes of ports that name one. */
  loggedIn: boolean;
}

/**
 * Looks up whether the Proxy Manager is logged in to an account. `GET /api/mode`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { loggedIn } = await brightdata.getManagerSession();
 */
export async function getManagerSession(options: CallOptions = {}): Promise<GetManagerSessionResult> {
  return { loggedIn: await managerClient().session.isLoggedIn(options) };
}

/** {@link getManagerSession} as an output. */
export const getManagerSessionOutput = (): pulumi.Output<GetManagerSessionResult> =>
  whenKnown({}, () => getManagerSession());
