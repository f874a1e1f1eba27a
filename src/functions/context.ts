import * as pulumi from "@pulumi/pulumi";
import { readSettings } from "../config";
import { RemoteClient } from "../remote/client";

const clients = new Map<string, RemoteClient>();

/**
 * The client of the remote service for the settings of the running program. Equal settings share one, and with it its
 * connections and its pace.
 *
 * @throws {ConfigurationError} without a token, or for a setting that cannot be used
 */
export function remoteClient(): RemoteClient {
  // Not `pulumi.Config`: its `get` is not meant for secrets, and its `getSecret` gives an output.
  const settings = readSettings((key) => pulumi.runtime.getConfig(key));
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? new RemoteClient(settings);
  clients.set(key, client);
  return client;
}
