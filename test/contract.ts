import { pageOfFunction } from "../scripts/generate/topics.mts";
import type { Simulator, SnapshotRecord } from "../simulator";
import type { ManagerClient } from "../src/manager/client";
import type { RemoteClient } from "../src/remote/client";

/** What the operations are tried on: both services, with one of everything. */
export interface Scene {
  simulator: Simulator;
  /** A port of {@link zone}, with an IP of the zone as its own. */
  port: number;
  /** A zone with IPs. */
  zone: string;
  ip: string;
  ready: SnapshotRecord;
  running: SnapshotRecord;
  deliveryId: string;
  responseId: string;
}

/** Noun and function of a client, such as `ports.list`. */
type FunctionOf<Client> = {
  [Noun in keyof Client & string]: `${Noun}.${keyof Client[Noun] & string}`;
}[keyof Client & string];

/** An operation of the contract, and where it is found. */
export type Operation = {
  /** As the contract calls it. */
  name: string;
  method: "GET" | "POST" | "PUT";
  /** What is variable stands in braces. */
  path: string;
  /** Arguments for the client's function; what has to be there for it to succeed is put into the scene. */
  args?: (scene: Scene) => unknown[];
  /** What reaches it from a Pulumi program: an export of the package, or why there is none. */
  reachedBy: string | { waived: string };
  /** The page of the documents that names the endpoint. */
  page: string;
} & (
  | { service: "manager"; client: FunctionOf<ManagerClient> }
  | { service: "remote"; client: FunctionOf<RemoteClient> }
);

type Given<Service> = Omit<Extract<Operation, { service: Service }>, "service" | "page"> & { page?: string };

/** The page of a function, or of a resource's class. */
const pageOf = (name: string): string =>
  name.startsWith("get")
    ? pageOfFunction(name)
    : `docs/${name.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()}.md`;

const page = ({ reachedBy, ...given }: Pick<Operation, "reachedBy"> & { page?: string }): string =>
  given.page ?? (typeof reachedBy === "string" ? pageOf(reachedBy) : "");

const manager = (given: Given<"manager">): Operation => ({ ...given, service: "manager", page: page(given) });

const remote = (given: Given<"remote">): Operation => ({ ...given, service: "remote", page: page(given) });

/** Operations of the Proxy Manager that the contract describes. */
export const MANAGER_OPERATIONS = [
  manager({
    name: "GET /api/settings",
    method: "GET",
    path: "/api/settings",
    client: "settings.get",
    reachedBy: "getManagerSettings",
  }),
  manager({
    name: "GET /api/proxies/{PORT}",
    method: "GET",
    path: "/api/proxies/{PORT}",
    client: "ports.get",
    args: ({ port }) => [port],
    reachedBy: "getProxyPort",
  }),
  manager({
    name: "PUT /api/proxies/{PORT}",
    method: "PUT",
    path: "/api/proxies/{PORT}",
    client: "ports.update",
    args: ({ port, zone }) => [port, { zone, country: "us" }],
    reachedBy: "ProxyPort",
  }),
  manager({
    name: "GET /api/proxies_running",
    method: "GET",
    path: "/api/proxies_running",
    client: "ports.running",
    reachedBy: "getRunningPorts",
  }),
  manager({
    name: "PUT /api/whitelist_ip",
    method: "PUT",
    path: "/api/whitelist_ip",
    client: "allowlists.add",
    args: () => [{ list: "ui", ip: "203.0.113.7" }],
    reachedBy: "WhitelistIp",
  }),
  manager({
    name: "POST /api/proxies/delete",
    method: "POST",
    path: "/api/proxies/delete",
    client: "ports.remove",
    args: ({ port }) => [port],
    reachedBy: "ProxyPort",
  }),
  manager({
    name: "POST /api/proxies/{PORT}/unbanips",
    method: "POST",
    path: "/api/proxies/{PORT}/unbanips",
    client: "bans.removeAll",
    args: ({ port }) => [port],
    reachedBy: "PortIpUnban",
  }),
  manager({
    name: "GET /api/gen_token",
    method: "GET",
    path: "/api/gen_token",
    client: "apiKeys.generate",
    reachedBy: "ManagerApiKey",
  }),
  manager({
    name: "POST /api/upgrade",
    method: "POST",
    path: "/api/upgrade",
    client: "process.upgrade",
    reachedBy: "ManagerUpgrade",
  }),
];

/** Operations of the Proxy Manager that the contract has by name only; methods and paths are the manager's own. */
export const NAMED_OPERATIONS = [
  manager({
    name: "get latest version",
    method: "GET",
    path: "/api/last_version",
    client: "versions.latest",
    reachedBy: "getManagerVersions",
  }),
  manager({
    name: "get version",
    method: "GET",
    path: "/api/version",
    client: "versions.running",
    reachedBy: "getManagerVersions",
  }),
  manager({
    name: "get current NodeJS version",
    method: "GET",
    path: "/api/node_version",
    client: "versions.node",
    reachedBy: "getManagerVersions",
  }),
  manager({
    name: "add a user",
    method: "POST",
    path: "/api/lpm_user",
    client: "users.add",
    args: () => ["ann@example.com"],
    reachedBy: "ManagerUser",
  }),
  manager({
    name: "get all users",
    method: "GET",
    path: "/api/lpm_users",
    client: "users.list",
    reachedBy: "getManagerUsers",
  }),
  manager({
    name: "whitelist IPs to access the UI",
    method: "PUT",
    path: "/api/whitelist_ip",
    client: "allowlists.add",
    args: () => [{ list: "ui", ip: "203.0.113.7" }],
    reachedBy: "WhitelistIp",
  }),
  manager({
    name: "restart",
    method: "POST",
    path: "/api/restart",
    client: "process.restart",
    args: () => [{ wait: 0 }],
    reachedBy: "ManagerRestart",
  }),
  manager({
    name: "shutdown",
    method: "POST",
    path: "/api/shutdown",
    client: "process.shutdown",
    reachedBy: {
      waived: "A stack that has ended the manager could neither be refreshed nor destroyed: it stays with the client.",
    },
    page: "docs/manager-restart.md",
  }),
  manager({
    name: "update general settings",
    method: "PUT",
    path: "/api/settings",
    client: "settings.update",
    args: () => [{ logs: 500 }],
    reachedBy: "ManagerSettings",
  }),
  manager({
    name: "get explicit configuration of specified ports",
    method: "GET",
    path: "/api/proxies",
    client: "ports.list",
    reachedBy: "getProxyPorts",
  }),
  manager({
    name: "get effective configuration",
    method: "GET",
    path: "/api/proxies_running",
    client: "ports.running",
    reachedBy: "getRunningPorts",
  }),
  manager({
    name: "get enabled zone configuration",
    method: "GET",
    path: "/api/zones",
    client: "zones.list",
    reachedBy: "getManagerZones",
  }),
  manager({
    name: "get recent status",
    method: "GET",
    path: "/api/recent_stats",
    client: "logs.stats",
    reachedBy: "getRecentStats",
  }),
  manager({ name: "get HAR logs", method: "GET", path: "/api/logs", client: "logs.list", reachedBy: "getHarLogs" }),
  manager({
    name: "get tail of the log file",
    method: "GET",
    path: "/api/general_logs",
    client: "logs.tail",
    reachedBy: "getLogTail",
  }),
  manager({
    name: "get allocated gIPs",
    method: "GET",
    path: "/api/allocated_vips",
    client: "ips.allocatedGips",
    args: ({ zone }) => [zone],
    reachedBy: "getAllocatedGips",
  }),
  manager({
    name: "get allocated IPs",
    method: "GET",
    path: "/api/allocated_ips",
    client: "ips.allocated",
    args: ({ zone }) => [zone],
    reachedBy: "getAllocatedIps",
  }),
  manager({
    name: "refresh IP/gIP",
    method: "POST",
    path: "/api/refresh_ip/{PORT}",
    client: "ips.refreshOfPort",
    args: ({ port, ip }) => [port, { ip }],
    reachedBy: "PortIpRefresh",
  }),
  manager({
    name: "create a port",
    method: "POST",
    path: "/api/proxies",
    client: "ports.create",
    args: ({ zone }) => [{ zone }],
    reachedBy: "ProxyPort",
  }),
  // The manager also has `DELETE /api/proxies/{PORT}`, which does no more.
  manager({
    name: "delete a port",
    method: "POST",
    path: "/api/proxies/delete",
    client: "ports.remove",
    args: ({ port }) => [port],
    reachedBy: "ProxyPort",
  }),
  manager({
    name: "get port status",
    method: "GET",
    path: "/api/proxy_status/{PORT}",
    client: "sessions.status",
    args: ({ port }) => [port],
    reachedBy: "getPortStatus",
  }),
  manager({
    name: "refresh port session",
    method: "POST",
    path: "/api/refresh_sessions/{PORT}",
    client: "sessions.refresh",
    args: ({ port }) => [port],
    reachedBy: "PortSessionRefresh",
  }),
  manager({
    name: "enable SSL analyzing",
    method: "POST",
    path: "/api/enable_ssl",
    client: "ssl.enable",
    args: () => ["all"],
    reachedBy: "PortSslEnable",
    page: "docs/port-ssl-enable.md",
  }),
  manager({
    name: "ban an IP",
    method: "POST",
    path: "/api/proxies/{PORT}/banip",
    client: "bans.add",
    args: ({ port, ip }) => [port, { ip }],
    reachedBy: "BannedIp",
  }),
  // In a stack these two are several bans: each can be looked after and lifted by itself.
  manager({
    name: "ban multiple IPs",
    method: "POST",
    path: "/api/proxies/{PORT}/banips",
    client: "bans.addAll",
    args: ({ port, ip }) => [port, { ips: [ip] }],
    reachedBy: "BannedIp",
  }),
  manager({
    name: "ban an IP on all ports",
    method: "POST",
    path: "/api/banip",
    client: "bans.addEverywhere",
    args: ({ ip }) => [{ ips: [ip] }],
    reachedBy: "BannedIp",
  }),
  manager({
    name: "unban an IP",
    method: "POST",
    path: "/api/proxies/{PORT}/unbanip",
    client: "bans.remove",
    args: ({ simulator, port, ip }) => {
      simulator.manager.state.running.get(String(port))?.bans.add(ip);
      return [port, { ip }];
    },
    reachedBy: "PortIpUnban",
  }),
  manager({
    name: "get banned IPs",
    method: "GET",
    path: "/api/banlist/{PORT}",
    client: "bans.list",
    args: ({ port }) => [port],
    reachedBy: "getBannedIps",
  }),
];

/** Operations on the account's zones and on collectors. */
export const REMOTE_OPERATIONS = [
  remote({
    name: "GET /dca/get_result",
    method: "GET",
    path: "/dca/get_result",
    client: "collector.getResult",
    args: ({ responseId }) => [responseId],
    reachedBy: "getCollectorResult",
  }),
  remote({
    name: "GET /zone/bw",
    method: "GET",
    path: "/zone/bw",
    client: "usage.bandwidth",
    args: ({ zone }) => [zone],
    reachedBy: "getZoneBandwidth",
  }),
  remote({
    name: "GET /zone",
    method: "GET",
    path: "/zone",
    client: "zones.get",
    args: ({ zone }) => [zone],
    reachedBy: "getZone",
  }),
  remote({
    name: "POST /zone",
    method: "POST",
    path: "/zone",
    client: "zones.create",
    args: () => [{ name: "another", plan: { type: "static" } }],
    reachedBy: "Zone",
  }),
  remote({
    name: "GET /zone/cost",
    method: "GET",
    path: "/zone/cost",
    client: "usage.cost",
    args: ({ zone }) => [zone],
    reachedBy: "getZoneCost",
  }),
  remote({
    name: "POST /zone/ips/refresh",
    method: "POST",
    path: "/zone/ips/refresh",
    client: "ips.refresh",
    args: ({ zone }) => [zone, { all: true }],
    reachedBy: "ZoneIpRefresh",
  }),
];

export const DELIVERY = {
  storage: { type: "webhook", endpoint: "https://example.com/" },
  filename: { template: "pages", extension: "json" },
};

/** Operations on datasets. */
export const DATASET_OPERATIONS = [
  remote({
    name: "Trigger",
    method: "POST",
    path: "/datasets/v3/trigger",
    client: "collections.trigger",
    args: () => [{ datasetId: "gd_simulated", input: [{ url: "https://example.com/" }] }],
    reachedBy: "DatasetCollection",
  }),
  remote({
    name: "Download snapshot",
    method: "GET",
    path: "/datasets/v3/snapshot/{snapshot_id}",
    client: "snapshots.records",
    args: ({ ready }) => [ready.id, { limit: 1 }],
    reachedBy: "getSnapshot",
  }),
  remote({
    name: "Parts",
    method: "GET",
    path: "/datasets/v3/snapshot/{snapshot_id}/parts",
    client: "snapshots.parts",
    args: ({ ready }) => [ready.id],
    reachedBy: "getSnapshotParts",
  }),
  remote({
    name: "Input file",
    method: "GET",
    path: "/datasets/v3/snapshot/{snapshot_id}/input",
    client: "snapshots.input",
    args: ({ ready }) => [ready.id],
    reachedBy: "getSnapshotInput",
  }),
  remote({
    name: "Cancel",
    method: "POST",
    path: "/datasets/v3/snapshot/{snapshot_id}/cancel",
    client: "collections.cancel",
    args: ({ running }) => [running.id],
    reachedBy: "DatasetCollection",
  }),
  remote({
    name: "Progress",
    method: "GET",
    path: "/datasets/v3/progress/{snapshot_id}",
    client: "snapshots.progress",
    args: ({ ready }) => [ready.id],
    reachedBy: "getSnapshotProgress",
  }),
  remote({
    name: "Delivery status",
    method: "GET",
    path: "/datasets/v3/delivery/{delivery_id}",
    client: "deliveries.status",
    args: ({ deliveryId }) => [deliveryId],
    reachedBy: "getDelivery",
  }),
  remote({
    name: "Deliver",
    method: "POST",
    path: "/datasets/v3/deliver/{snapshot_id}",
    client: "deliveries.deliver",
    args: ({ ready }) => [ready.id, DELIVERY],
    reachedBy: "SnapshotDelivery",
  }),
  remote({
    name: "Snapshot list",
    method: "GET",
    path: "/datasets/v3/snapshots",
    client: "snapshots.list",
    args: () => [{ datasetId: "gd_simulated" }],
    reachedBy: "getSnapshots",
  }),
];

export const OPERATIONS: readonly Operation[] = [
  ...MANAGER_OPERATIONS,
  ...NAMED_OPERATIONS,
  ...REMOTE_OPERATIONS,
  ...DATASET_OPERATIONS,
];
