import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import type { PortStatus } from "../manager/sessions";
import { managerClient } from "../program/clients";
import { portNumber } from "../program/portNumber";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getPortStatus}. */
export interface GetPortStatusArgs {
  /** Number of the port. */
  port: number;
  /**
   * Whether to send a request through the port now, instead of telling what the last one came to. It is traffic like any
   * other, and is billed as such.
   *
   * @default false
   */
  force?: boolean | undefined;
}

/** Arguments of {@link getPortStatusOutput}. */
export type GetPortStatusOutputArgs = Inputs<GetPortStatusArgs>;

/** Whether requests come through a port. */
export interface GetPortStatusResult extends PortStatus {
  port: number;
}

/**
 * Looks up whether requests come through a port of the Proxy Manager. `GET /api/proxy_status/{PORT}`.
 *
 * The first time after the port was made or changed, and each time with `force`, the manager sends a small request through
 * it: traffic that the vendor bills as any other. It may take 20 s.
 *
 * @throws {NotFoundError} when no port listens under that number
 * @throws {ArgumentError} for what is no port's number, before anything is sent
 * @throws {RequestError} when the manager refuses for another reason, or cannot be reached
 *
 * @example
 * const { ok, status } = await brightdata.getPortStatus({ port: 24000 });
 */
export async function getPortStatus(args: GetPortStatusArgs, options: CallOptions = {}): Promise<GetPortStatusResult> {
  const { port, force = false } = args;
  return { port, ...(await managerClient().sessions.status(portNumber(port), { force, ...options })) };
}

/** {@link getPortStatus} for arguments that are not known yet. */
export const getPortStatusOutput = (args: GetPortStatusOutputArgs): pulumi.Output<GetPortStatusResult> =>
  whenKnown(args, getPortStatus);
