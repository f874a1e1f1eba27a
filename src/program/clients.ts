import * as pulumi from "@pulumi/pulumi";
import { readSettings, type Settings } from "../config";
import { ManagerClient } from "../manager/client";
import { RemoteClient } from "../remote/client";

const remoteClients = new Map<string, RemoteClient>();
const managerClients = new Map<string, ManagerClient>();

/**
 * The client of the remote service for the settings of the running program. Equal settings share one, and with it its
 * connections and its pace.
 *
 * @throws {ConfigurationError} without a token, or for a setting that cannot be used
 */
export const remoteClient = (): RemoteClient => shared(remoteClients, (settings) => new RemoteClient(settings));

/**
 * The client of the Proxy Manager for the settings of the running program; shared as {@link remoteClient} is.
 *
 * @throws {ConfigurationError} for a setting that cannot be used
 */
export const managerClient = (): ManagerClient => shared(managerClients, (settings) => new ManagerClient(settings));

function shared<Client>(clients: Map<string, Client>, make: (settings: Settings) => Client): Client {
  // Not `pulumi.Config`: its `get` is not meant for secrets, and its `getSecret` gives an output.
  const settings = readSettings((key) => pulumi.runtime.getConfig(key));
  const key = JSON.stringify(settings);
  const client = clients.get(key) ?? make(settings);
  clients.set(key, client);
  return client;
}
