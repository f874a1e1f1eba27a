import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as functions from "../../src/functions";

type Names<T> = Record<keyof T, true>;

// The compiler sees to it that these are all the fields, and no others.
const FIELDS = {
  getZone: {
    arguments: { name: true } satisfies Names<functions.GetZoneArgs>,
    result: {
      name: true,
      created: true,
      ips: true,
      perm: true,
      description: true,
      plan: true,
      disabled: true,
      status: true,
    } satisfies Names<functions.GetZoneResult>,
  },
  getZonePasswords: {
    arguments: { zone: true } satisfies Names<functions.GetZonePasswordsArgs>,
    result: { zone: true, passwords: true, password: true } satisfies Names<functions.GetZonePasswordsResult>,
  },
  getZoneBandwidth: {
    arguments: { zone: true, from: true, to: true } satisfies Names<functions.GetZoneBandwidthArgs>,
    result: {
      zone: true,
      customerId: true,
      from: true,
      to: true,
      daily: true,
      sums: true,
      lastValueAt: true,
      lastUpdateAt: true,
    } satisfies Names<functions.GetZoneBandwidthResult>,
  },
  getZoneCost: {
    arguments: { zone: true, from: true, to: true } satisfies Names<functions.GetZoneCostArgs>,
    result: { zone: true, customerId: true, periods: true } satisfies Names<functions.GetZoneCostResult>,
  },
  getSnapshots: {
    arguments: {
      datasetId: true,
      status: true,
      skip: true,
      limit: true,
      fromDate: true,
      toDate: true,
      triggerType: true,
    } satisfies Names<functions.GetSnapshotsArgs>,
    result: { datasetId: true, snapshots: true } satisfies Names<functions.GetSnapshotsResult>,
  },
  getSnapshotProgress: {
    arguments: { snapshotId: true } satisfies Names<functions.GetSnapshotProgressArgs>,
    result: {
      snapshotId: true,
      datasetId: true,
      status: true,
      errorMessage: true,
    } satisfies Names<functions.GetSnapshotProgressResult>,
  },
  getSnapshot: {
    arguments: { snapshotId: true, maxRecords: true } satisfies Names<functions.GetSnapshotArgs>,
    result: {
      snapshotId: true,
      datasetId: true,
      status: true,
      errorMessage: true,
      created: true,
      size: true,
      triggerType: true,
      records: true,
    } satisfies Names<functions.GetSnapshotResult>,
  },
  getZones: {
    arguments: { active: true } satisfies Names<functions.GetZonesArgs>,
    result: { zones: true } satisfies Names<functions.GetZonesResult>,
  },
  getZoneStatus: {
    arguments: { zone: true } satisfies Names<functions.GetZoneStatusArgs>,
    result: { zone: true, status: true } satisfies Names<functions.GetZoneStatusResult>,
  },
  getZoneIps: {
    arguments: { zone: true } satisfies Names<functions.GetZoneIpsArgs>,
    result: { zone: true, ips: true } satisfies Names<functions.GetZoneIpsResult>,
  },
  getStaticCities: {
    arguments: { country: true, poolIpType: true } satisfies Names<functions.GetStaticCitiesArgs>,
    result: { country: true, poolIpType: true, cities: true } satisfies Names<functions.GetStaticCitiesResult>,
  },
  getAvailableIpCount: {
    arguments: { zone: true, plan: true } satisfies Names<functions.GetAvailableIpCountArgs>,
    result: { count: true } satisfies Names<functions.GetAvailableIpCountResult>,
  },
  getZoneRecentIps: {
    arguments: { zone: true } satisfies Names<functions.GetZoneRecentIpsArgs>,
    result: { zone: true, ips: true } satisfies Names<functions.GetZoneRecentIpsResult>,
  },
  getAccountCost: {
    arguments: { from: true, to: true, dimension: true } satisfies Names<functions.GetAccountCostArgs>,
    result: { total: true, byResource: true, daily: true } satisfies Names<functions.GetAccountCostResult>,
  },
  getBalance: {
    arguments: {},
    result: {
      balance: true,
      pendingBalance: true,
      pendingCosts: true,
      credit: true,
      prepayment: true,
    } satisfies Names<functions.GetBalanceResult>,
  },
  getCollectorResult: {
    arguments: { responseId: true, timeout: true } satisfies Names<functions.GetCollectorResultArgs>,
    result: { responseId: true, status: true, rows: true } satisfies Names<functions.GetCollectorResultResult>,
  },
  getSnapshotParts: {
    arguments: {
      snapshotId: true,
      format: true,
      compress: true,
      batchSize: true,
    } satisfies Names<functions.GetSnapshotPartsArgs>,
    result: { snapshotId: true, parts: true } satisfies Names<functions.GetSnapshotPartsResult>,
  },
  getSnapshotInput: {
    arguments: { snapshotId: true } satisfies Names<functions.GetSnapshotInputArgs>,
    result: { snapshotId: true, csv: true } satisfies Names<functions.GetSnapshotInputResult>,
  },
  getDelivery: {
    arguments: { deliveryId: true } satisfies Names<functions.GetDeliveryArgs>,
    result: { deliveryId: true, status: true, files: true } satisfies Names<functions.GetDeliveryResult>,
  },
  getManagerSettings: {
    arguments: {},
    result: {
      customer: true,
      accountId: true,
      customerId: true,
      username: true,
      zone: true,
      wwwWhitelistIps: true,
      whitelistIps: true,
      fixedWhitelistIps: true,
      pendingIps: true,
      pendingWwwIps: true,
      readOnly: true,
      config: true,
      testUrl: true,
      mailDomain: true,
      logs: true,
      log: true,
      harLimit: true,
      debug: true,
      lpmAuth: true,
      requestStats: true,
      dropin: true,
      zagent: true,
      avServer: true,
      reseller: true,
      syncConfig: true,
      askSyncConfig: true,
      cacheReport: true,
      cacheLimit: true,
      cloudUrlAddress: true,
      proxyPort: true,
      bwLimitWebhookUrl: true,
      bwThWebhookUrl: true,
      useCustomCert: true,
      socketInactivityTimeout: true,
      newUi: true,
      shouldSanitize: true,
    } satisfies Names<functions.GetManagerSettingsResult>,
  },
  getManagerVersions: {
    arguments: {},
    result: { running: true, latest: true, node: true } satisfies Names<functions.GetManagerVersionsResult>,
  },
  getManagerZones: {
    arguments: {},
    result: { zones: true } satisfies Names<functions.GetManagerZonesResult>,
  },
  getManagerSession: {
    arguments: {},
    result: { loggedIn: true } satisfies Names<functions.GetManagerSessionResult>,
  },
  getManagerUsers: {
    arguments: {},
    result: { users: true } satisfies Names<functions.GetManagerUsersResult>,
  },
  getProxyPorts: {
    arguments: {},
    result: { ports: true } satisfies Names<functions.GetProxyPortsResult>,
  },
  getRunningPorts: {
    arguments: {},
    result: { ports: true } satisfies Names<functions.GetRunningPortsResult>,
  },
  getProxyPort: {
    arguments: { port: true } satisfies Names<functions.GetProxyPortArgs>,
    // The others are those of the resource, which has a page of its own.
    result: { port: true, listenPort: true } satisfies Names<Pick<functions.GetProxyPortResult, "port" | "listenPort">>,
  },
  getPortStatus: {
    arguments: { port: true, force: true } satisfies Names<functions.GetPortStatusArgs>,
    result: { port: true, ok: true, status: true, details: true } satisfies Names<functions.GetPortStatusResult>,
  },
  getBannedIps: {
    arguments: { port: true } satisfies Names<functions.GetBannedIpsArgs>,
    result: { port: true, bans: true } satisfies Names<functions.GetBannedIpsResult>,
  },
  getRecentStats: {
    arguments: {},
    result: {
      total: true,
      success: true,
      ports: true,
      statusCodes: true,
      hostnames: true,
      protocols: true,
      sslEnable: true,
      sslWarning: true,
    } satisfies Names<functions.GetRecentStatsResult>,
  },
  getHarLogs: {
    arguments: {
      port: true,
      portFrom: true,
      portTo: true,
      statusCode: true,
      contentType: true,
      protocol: true,
      search: true,
      skip: true,
      limit: true,
      sort: true,
      descending: true,
    } satisfies Names<functions.GetHarLogsArgs>,
    result: {
      entries: true,
      total: true,
      skip: true,
      inBw: true,
      outBw: true,
    } satisfies Names<functions.GetHarLogsResult>,
  },
  getLogTail: {
    arguments: { limit: true } satisfies Names<functions.GetLogTailArgs>,
    result: { lines: true } satisfies Names<functions.GetLogTailResult>,
  },
  getAllocatedIps: {
    arguments: { zone: true } satisfies Names<functions.GetAllocatedIpsArgs>,
    result: { zone: true, ips: true } satisfies Names<functions.GetAllocatedIpsResult>,
  },
  getAllocatedGips: {
    arguments: { zone: true } satisfies Names<functions.GetAllocatedGipsArgs>,
    result: { zone: true, gips: true } satisfies Names<functions.GetAllocatedGipsResult>,
  },
};

const FUNCTIONS = Object.keys(functions)
  .filter((name) => !name.endsWith("Output"))
  .sort();

/** The names in the first column of the first table below a heading. */
function namesBelow(page: string, heading: string): string[] {
  const [, below = ""] = page.split(`\n## ${heading}\n`);
  const [table = ""] = below.trimStart().split("\n\n");
  const firstColumn = table.split("\n").map((row) => row.split("|")[1] ?? "");
  return firstColumn.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));
}

test("every function is looked at here", () => {
  expect(Object.keys(FIELDS).sort()).toEqual(FUNCTIONS);
});

test.each(Object.entries<{ arguments: object; result: object }>(FIELDS))(
  "the page of %s names every argument and every field of the result",
  (name, fields) => {
    const page = readFileSync(join(__dirname, `../../docs/functions/${name}.md`), "utf8");
    expect(page.startsWith(`# ${name}\n`)).toBe(true);
    expect(namesBelow(page, "Arguments")).toEqual(Object.keys(fields.arguments));
    expect(namesBelow(page, "Result")).toEqual(Object.keys(fields.result));
  },
);
