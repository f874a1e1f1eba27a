import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { type PortDescription, withoutCredentials } from "../kinds/proxyPort/description";
import type { RunningPort } from "../manager/ports";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

/** A port that listens. */
export type RunningPortDescription = PortDescription & Pick<RunningPort, "masterPort" | "status">;

/** The ports of the Proxy Manager that listen. */
export interface GetRunningPortsResult {
  /** By number, those that `multiply` made included, the manager's own drop-in port not. */
  ports: RunningPortDescription[];
}

/**
 * Lists the ports of the Proxy Manager that listen, with what they run with where that differs from what is declared.
 * Fields that hold credentials are left out. `GET /api/proxies_running`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { ports } = await brightdata.getRunningPorts();
 * const numbers = ports.map(({ port }) => port);
 */
export async function getRunningPorts(options: CallOptions = {}): Promise<GetRunningPortsResult> {
  return { ports: (await managerClient().ports.running(options)).map(withoutCredentials) };
}

/** {@link getRunningPorts} as an output. */
export const getRunningPortsOutput = (): pulumi.Output<GetRunningPortsResult> => whenKnown({}, () => getRunningPorts());
