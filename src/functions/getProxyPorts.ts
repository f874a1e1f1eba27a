import type * as pulumi from "@pulumi/pulumi";
import type { CallOptions } from "../http/transport";
import { type PortDescription, withoutCredentials } from "../kinds/proxyPort/description";
import { managerClient } from "../program/clients";
import { whenKnown } from "../program/whenKnown";

export type { PortDescription } from "../kinds/proxyPort/description";

/** The ports of the Proxy Manager as they are declared. */
export interface GetProxyPortsResult {
  /** In the order in which they were made, the manager's own drop-in port included. */
  ports: PortDescription[];
}

/**
 * Lists the ports of the Proxy Manager as they are declared, whether they listen or not. Fields that hold credentials are
 * left out. `GET /api/proxies`.
 *
 * @throws {RequestError} when the manager refuses, or cannot be reached
 *
 * @example
 * const { ports } = await brightdata.getProxyPorts();
 * const numbersOfWeb = ports.filter(({ zone }) => zone === "web").map(({ port }) => port);
 */
export async function getProxyPorts(options: CallOptions = {}): Promise<GetProxyPortsResult> {
  return { ports: (await managerClient().ports.list(options)).map(withoutCredentials) };
}

/** {@link getProxyPorts} as an output. */
export const getProxyPortsOutput = (): pulumi.Output<GetProxyPortsResult> => whenKnown({}, () => getProxyPorts());
