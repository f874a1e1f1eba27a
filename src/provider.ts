import { Adapter } from "./engine/adapter";
import { bannedIp } from "./lifecycle/bannedIp";
import { datasetCollection } from "./lifecycle/datasetCollection";
import type { Lifecycle } from "./lifecycle/lifecycle";
import { managerApiKey } from "./lifecycle/managerApiKey";
import { managerRestart } from "./lifecycle/managerRestart";
import { managerSettings } from "./lifecycle/managerSettings";
import { managerUpgrade } from "./lifecycle/managerUpgrade";
import { managerUser } from "./lifecycle/managerUser";
import { portIpRefresh } from "./lifecycle/portIpRefresh";
import { portIpUnban } from "./lifecycle/portIpUnban";
import { portSessionRefresh } from "./lifecycle/portSessionRefresh";
import { portSslEnable } from "./lifecycle/portSslEnable";
import { proxyPort } from "./lifecycle/proxyPort";
import { snapshotDelivery } from "./lifecycle/snapshotDelivery";
import { whitelistIp } from "./lifecycle/whitelistIp";
import { zone } from "./lifecycle/zone";
import { zoneAccess } from "./lifecycle/zoneAccess";
import { zoneIpRefresh } from "./lifecycle/zoneIpRefresh";
import { zoneIps } from "./lifecycle/zoneIps";
import { zonePassword } from "./lifecycle/zonePassword";

const LIFECYCLES: Record<string, Lifecycle> = {
  BannedIp: bannedIp,
  DatasetCollection: datasetCollection,
  ManagerApiKey: managerApiKey,
  ManagerRestart: managerRestart,
  ManagerSettings: managerSettings,
  ManagerUpgrade: managerUpgrade,
  ManagerUser: managerUser,
  PortIpRefresh: portIpRefresh,
  PortIpUnban: portIpUnban,
  PortSessionRefresh: portSessionRefresh,
  PortSslEnable: portSslEnable,
  ProxyPort: proxyPort,
  SnapshotDelivery: snapshotDelivery,
  WhitelistIp: whitelistIp,
  Zone: zone,
  ZoneAccess: zoneAccess,
  ZoneIpRefresh: zoneIpRefresh,
  ZoneIps: zoneIps,
  ZonePassword: zonePassword,
};

/** Names of all kinds of resources. */
export const KINDS: readonly string[] = Object.keys(LIFECYCLES);

/**
 * What the provider text of a resource calls. The text lives in people's state files: kinds and protocol numbers that were
 * once given out are answered for ever.
 *
 * @param kind name of the resource's class
 * @param protocol number of the agreement between that text and this function
 */
export function resource(kind: string, protocol: number): Adapter {
  const lifecycle = Object.hasOwn(LIFECYCLES, kind) ? LIFECYCLES[kind] : undefined;
  if (lifecycle === undefined || protocol !== 1) {
    throw new Error(
      `This version of pulumi-brightdata does not know ${kind} (protocol ${protocol}). The stack was made with a newer one: install that, or a later one, in the project.`,
    );
  }
  return new Adapter(kind, lifecycle);
}
