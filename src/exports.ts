export * from "./base/errors";
export {
  type Download,
  type DownloadArgs,
  type DownloadProgress,
  downloadSnapshot,
} from "./download/download";
export { type PortRange, portRange } from "./kinds/proxyPorts/portRange";
export { ManagerClient } from "./manager/client";
export type { OrUndefined } from "./program/failures";
export type { Invoke, InvokeOutput } from "./program/function";
export type { ProviderArgs, ProviderOptions } from "./program/provider";
export { type ProxyUrlArgs, type ProxyUrlOutputArgs, proxyUrl, proxyUrlOutput } from "./program/proxyUrl";
export type { ProxyUsernameArgs } from "./program/proxyUsername";
export type { FunctionOptions } from "./program/settings";
export type { Timeouts, TimeoutsArgs } from "./program/timeouts";
export { RemoteClient } from "./remote/client";
export * from "./remote/collectionErrors";
export * from "./remote/deliveryErrors";
export * from "./remote/snapshotErrors";
export type * from "./remote/storage";
export { type Connection, connected } from "./settings/connections";
export { readSettings, type Settings } from "./settings/settings";
