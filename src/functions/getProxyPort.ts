import type * as pulumi from "@pulumi/pulumi";
import { NotFoundError } from "../errors";
import type { CallOptions } from "../http/transport";
import { type PortDescription, withoutCredentials } from "../kinds/proxyPort/description";
import { managerClient } from "../program/clients";
import { portNumber } from "../program/portNumber";
import { type Inputs, whenKnown } from "../program/whenKnown";

/** Arguments of {@link getProxyPort}. */
export interface GetProxyPortArgs {
  /** Number of the port. */
  port: number;
}

/** Arguments of {@link getProxyPortOutput}. */
export type GetProxyPortOutputArgs = Inputs<GetProxyPortArgs>;

/** A port of the Proxy Manager as it is declared. */
export type GetProxyPortResult = PortDescription;

/**
 * Looks up a port of the Proxy Manager as it is declared. Fields that hold credentials are left out.
 * `GET /api/proxies/{PORT}`.
 *
 * @throws {NotFoundError} when no port is declared under that number; those that `multiply` made are not
 * @throws {ArgumentError} for what is no port's number, before anything is sent
 * @throws {RequestError} when the manager refuses for another reason, or cannot be reached
 *
 * @example
 * const { zone, whitelistIps = [] } = await brightdata.getProxyPort({ port: 24000 });
 */
export async function getProxyPort(args: GetProxyPortArgs, options: CallOptions = {}): Promise<GetProxyPortResult> {
  const client = managerClient();
  const port = portNumber(args.port);
  const found = await client.ports.get(port, options);
  if (found !== undefined) return withoutCredentials(found);
  throw new NotFoundError(
    {
      service: "manager",
      operation: `read proxy port ${port}`,
      method: "GET",
      url: `${client.url}/api/proxies/${port}`,
    },
    // The manager's own answer, which the client takes for "none".
    { status: 400, message: "invalid port number", remedy: "getProxyPorts lists the ports that are declared." },
  );
}

/** {@link getProxyPort} for arguments that are not known yet. */
export const getProxyPortOutput = (args: GetProxyPortOutputArgs): pulumi.Output<GetProxyPortResult> =>
  whenKnown(args, getProxyPort);
