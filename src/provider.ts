import { Adapter } from "./engine/adapter";
import { bannedIpLifecycle } from "./kinds/bannedIp/lifecycle";
import { datasetCollectionLifecycle } from "./kinds/datasetCollection/lifecycle";
import { managerApiKeyLifecycle } from "./kinds/managerApiKey/lifecycle";
import { managerRestartLifecycle } from "./kinds/managerRestart/lifecycle";
import { managerSettingsLifecycle } from "./kinds/managerSettings/lifecycle";
import { managerUpgradeLifecycle } from "./kinds/managerUpgrade/lifecycle";
import { managerUserLifecycle } from "./kinds/managerUser/lifecycle";
import { portIpRefreshLifecycle } from "./kinds/portIpRefresh/lifecycle";
import { portIpUnbanLifecycle } from "./kinds/portIpUnban/lifecycle";
import { portSessionRefreshLifecycle } from "./kinds/portSessionRefresh/lifecycle";
import { portSslEnableLifecycle } from "./kinds/portSslEnable/lifecycle";
import { proxyPortLifecycle } from "./kinds/proxyPort/lifecycle";
import { snapshotDeliveryLifecycle } from "./kinds/snapshotDelivery/lifecycle";
import { whitelistIpLifecycle } from "./kinds/whitelistIp/lifecycle";
import { zoneLifecycle } from "./kinds/zone/lifecycle";
import { zoneAccessLifecycle } from "./kinds/zoneAccess/lifecycle";
import { zoneIpRefreshLifecycle } from "./kinds/zoneIpRefresh/lifecycle";
import { zoneIpsLifecycle } from "./kinds/zoneIps/lifecycle";
import { zonePasswordLifecycle } from "./kinds/zonePassword/lifecycle";
import type { Lifecycle } from "./lifecycle/lifecycle";

const LIFECYCLES: Record<string, Lifecycle> = {
  BannedIp: bannedIpLifecycle,
  DatasetCollection: datasetCollectionLifecycle,
  ManagerApiKey: managerApiKeyLifecycle,
  ManagerRestart: managerRestartLifecycle,
  ManagerSettings: managerSettingsLifecycle,
  ManagerUpgrade: managerUpgradeLifecycle,
  ManagerUser: managerUserLifecycle,
  PortIpRefresh: portIpRefreshLifecycle,
  PortIpUnban: portIpUnbanLifecycle,
  PortSessionRefresh: portSessionRefreshLifecycle,
  PortSslEnable: portSslEnableLifecycle,
  ProxyPort: proxyPortLifecycle,
  SnapshotDelivery: snapshotDeliveryLifecycle,
  WhitelistIp: whitelistIpLifecycle,
  Zone: zoneLifecycle,
  ZoneAccess: zoneAccessLifecycle,
  ZoneIpRefresh: zoneIpRefreshLifecycle,
  ZoneIps: zoneIpsLifecycle,
  ZonePassword: zonePasswordLifecycle,
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
