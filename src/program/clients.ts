import { ofProcess } from "../base/memory";
import { once } from "../base/once";
import { ManagerClient } from "../manager/client";
import { RemoteClient } from "../remote/client";
import { type ConnectedSettings, keyOf } from "../settings/connections";

const remoteClients = () => new Map<string, RemoteClient>();
const managerClients = () => new Map<string, ManagerClient>();

/**
 * The client of the remote service. Equal settings share one, and with it its connections and its pace.
 *
 * @throws {ConfigurationError} without a token
 */
export const remoteClient = (settings: ConnectedSettings): RemoteClient =>
  once(ofProcess(remoteClients), keyOf(settings), () => new RemoteClient(settings));

/** The client of the Proxy Manager; shared as {@link remoteClient} is. */
export const managerClient = (settings: ConnectedSettings): ManagerClient =>
  once(ofProcess(managerClients), keyOf(settings), () => new ManagerClient(settings));
