import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { Ban } from "../manager/bans";
import { managerClient } from "../program/clients";
import { portNumber } from "../program/portNumber";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getBannedIps}. */
export interface GetBannedIpsArgs {
  /** Number of the port. */
  port: number;
}

/** Arguments of {@link getBannedIpsOutput}. */
export type GetBannedIpsOutputArgs = Inputs<GetBannedIpsArgs>;

/** The IPs that a port is not to use. */
export interface GetBannedIpsResult {
  port: number;
  bans: Ban[];
}

/**
 * Lists the proxy IPs that a port of the Proxy Manager is not to use. `GET /api/banlist/{PORT}?full=true`.
 *
 * @throws {NotFoundError} when no port listens under that number
 * @throws {ArgumentError} for what is no port's number, before anything is sent
 * @throws {RequestError} when the manager refuses for another reason, or cannot be reached
 *
 * @example
 * const { bans } = await brightdata.getBannedIps({ port: 24000 });
 * const forEver = bans.filter(({ until }) => until === undefined);
 */
export async function getBannedIps(args: GetBannedIpsArgs, options: CallOptions = {}): Promise<GetBannedIpsResult> {
  const { port } = args;
  return { port, bans: await managerClient().bans.list(portNumber(port), options) };
}

/** {@link getBannedIps} for arguments that are not known yet. */
export const getBannedIpsOutput = (args: GetBannedIpsOutputArgs): pulumi.Output<GetBannedIpsResult> =>
  whenKnown(args, getBannedIps);
