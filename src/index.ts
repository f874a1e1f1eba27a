export { readSettings, type Settings } from "./config";
export {
  type Download,
  type DownloadArgs,
  type DownloadProgress,
  downloadSnapshot,
} from "./download/download";
export * from "./errors";
export * from "./functions";
export { BannedIp, type BannedIpArgs } from "./kinds/bannedIp/resource";
export { DatasetCollection, type DatasetCollectionArgs } from "./kinds/datasetCollection/resource";
export { ManagerApiKey, type ManagerApiKeyArgs } from "./kinds/managerApiKey/resource";
export { ManagerRestart, type ManagerRestartArgs } from "./kinds/managerRestart/resource";
export { ManagerSettings, type ManagerSettingsArgs } from "./kinds/managerSettings/resource";
export { ManagerUpgrade, type ManagerUpgradeArgs } from "./kinds/managerUpgrade/resource";
export { ManagerUser, type ManagerUserArgs } from "./kinds/managerUser/resource";
export { PortIpRefresh, type PortIpRefreshArgs } from "./kinds/portIpRefresh/resource";
export { type LiftedBan, PortIpUnban, type PortIpUnbanArgs } from "./kinds/portIpUnban/resource";
export { PortSessionRefresh, type PortSessionRefreshArgs } from "./kinds/portSessionRefresh/resource";
export { PortSslEnable, type PortSslEnableArgs } from "./kinds/portSslEnable/resource";
export * from "./kinds/proxyPort/resource";
export * from "./kinds/snapshotDelivery/resource";
export { WhitelistIp, type WhitelistIpArgs } from "./kinds/whitelistIp/resource";
export {
  type PlanCount,
  type PlanFlag,
  Zone,
  type ZoneArgs,
  type ZonePlan,
  type ZonePlanArgs,
} from "./kinds/zone/resource";
export { ZoneAccess, type ZoneAccessArgs } from "./kinds/zoneAccess/resource";
export { ZoneIpRefresh, type ZoneIpRefreshArgs } from "./kinds/zoneIpRefresh/resource";
export { ZoneIps, type ZoneIpsArgs } from "./kinds/zoneIps/resource";
export { ZonePassword, type ZonePasswordArgs } from "./kinds/zonePassword/resource";
export { ManagerClient } from "./manager/client";
export type { TimeoutsArgs } from "./program/resource";
export { RemoteClient } from "./remote/client";
export * from "./remote/collectionErrors";
export * from "./remote/deliveryErrors";
export * from "./remote/snapshotErrors";
export type * from "./remote/storage";
