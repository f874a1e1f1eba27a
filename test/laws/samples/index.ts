import type { Sample } from "../sample";
import { samples as bannedIp } from "./BannedIp";
import { samples as datasetCollection } from "./DatasetCollection";
import { samples as managerApiKey } from "./ManagerApiKey";
import { samples as managerRestart } from "./ManagerRestart";
import { samples as managerSettings } from "./ManagerSettings";
import { samples as managerUpgrade } from "./ManagerUpgrade";
import { samples as managerUser } from "./ManagerUser";
import { samples as portIpRefresh } from "./PortIpRefresh";
import { samples as portIpUnban } from "./PortIpUnban";
import { samples as portSessionRefresh } from "./PortSessionRefresh";
import { samples as portSslEnable } from "./PortSslEnable";
import { samples as proxyPort } from "./ProxyPort";
import { samples as snapshotDelivery } from "./SnapshotDelivery";
import { samples as whitelistIp } from "./WhitelistIp";
import { samples as zone } from "./Zone";
import { samples as zoneAccess } from "./ZoneAccess";
import { samples as zoneIpRefresh } from "./ZoneIpRefresh";
import { samples as zoneIps } from "./ZoneIps";
import { samples as zonePassword } from "./ZonePassword";

/** Samples of each kind. A kind without one fails the suite. */
export const SAMPLES: Readonly<Record<string, readonly Sample[]>> = {
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
