export { readSettings, type Settings } from "./config";
export * from "./errors";
export * from "./functions";
export { ManagerClient } from "./manager/client";
export { RemoteClient } from "./remote/client";
export * from "./remote/collectionErrors";
export * from "./remote/deliveryErrors";
export {
  type Download,
  type DownloadArgs,
  type DownloadProgress,
  downloadSnapshot,
} from "./remote/download";
export * from "./remote/snapshotErrors";
export type * from "./remote/storage";
export { BannedIp, type BannedIpArgs } from "./resources/bannedIp";
export { DatasetCollection, type DatasetCollectionArgs } from "./resources/datasetCollection";
export type * from "./resources/deliveryTarget";
export { ManagerApiKey, type ManagerApiKeyArgs } from "./resources/managerApiKey";
export { ManagerRestart, type ManagerRestartArgs } from "./resources/managerRestart";
export { ManagerSettings, type ManagerSettingsArgs } from "./resources/managerSettings";
export { ManagerUpgrade, type ManagerUpgradeArgs } from "./resources/managerUpgrade";
export { ManagerUser, type ManagerUserArgs } from "./resources/managerUser";
export { PortIpRefresh, type PortIpRefreshArgs } from "./resources/portIpRefresh";
export { type LiftedBan, PortIpUnban, type PortIpUnbanArgs } from "./resources/portIpUnban";
export { PortSessionRefresh, type PortSessionRefreshArgs } from "./resources/portSessionRefresh";
export { PortSslEnable, type PortSslEnableArgs } from "./resources/portSslEnable";
export { ProxyPort, type ProxyPortArgs } from "./resources/proxyPort";
export type { TimeoutsArgs } from "./resources/resource";
export {
  type DeliveryFilenameArgs,
  SnapshotDelivery,
  type SnapshotDeliveryArgs,
} from "./resources/snapshotDelivery";
export { WhitelistIp, type WhitelistIpArgs } from "./resources/whitelistIp";
export { type PlanCount, type PlanFlag, Zone, type ZoneArgs, type ZonePlan, type ZonePlanArgs } from "./resources/zone";
export { ZoneAccess, type ZoneAccessArgs } from "./resources/zoneAccess";
export { ZoneIpRefresh, type ZoneIpRefreshArgs } from "./resources/zoneIpRefresh";
export { ZoneIps, type ZoneIpsArgs } from "./resources/zoneIps";
export { ZonePassword, type ZonePasswordArgs } from "./resources/zonePassword";
