import * as pulumi from "@pulumi/pulumi";
import * as brightdata from "pulumi-brightdata";

const port = new pulumi.Config().requireNumber("port");

/** How many IPs each zone has of its own: gIPs where it is residential, none where it shares a pool. */
async function ipsByZone() {
  const { zones } = await brightdata.getManagerZones();
  const counts = zones.map(async ({ name: zone, plan }): Promise<[string, number]> => {
    if (plan.type === "static") return [zone, (await brightdata.getAllocatedIps({ zone })).ips.length];
    if (plan.type === "resident") return [zone, (await brightdata.getAllocatedGips({ zone })).gips.length];
    return [zone, 0];
  });
  return Object.fromEntries(await Promise.all(counts));
}

/** The ports that are configured but do not listen. */
async function silentPorts() {
  const [{ ports: configured }, { ports: running }] = await Promise.all([
    brightdata.getProxyPorts(),
    brightdata.getRunningPorts(),
  ]);
  const listening = new Set(running.map(({ port }) => port));
  return configured
    .filter(({ port, proxyType }) => proxyType === "persist" && !listening.has(port))
    .map(({ port }) => port);
}

/** One port: its zone, whether requests pass through it, its bans, and its last failures, which are secret. */
async function examine(port: number) {
  const [{ zone }, { ok, status }, { bans }, { total, entries }] = await Promise.all([
    brightdata.getProxyPort({ port }),
    brightdata.getPortStatus({ port }),
    brightdata.getBannedIps({ port }),
    brightdata.getHarLogs({ port, statusCode: "5**", sort: "timestamp", descending: true, limit: 10 }),
  ]);
  return { zone, ok, status, bannedIps: bans.map(({ ip }) => ip), failures: total, lastFailures: entries };
}

export = async () => {
  const { loggedIn } = await brightdata.getManagerSession();
  if (!loggedIn)
    throw new pulumi.RunError("The Proxy Manager is not logged in. Log in on its web page, then run this again.");

  const [versions, settings, { users }, traffic, { lines }] = await Promise.all([
    brightdata.getManagerVersions(),
    brightdata.getManagerSettings(),
    brightdata.getManagerUsers(),
    brightdata.getRecentStats(),
    brightdata.getLogTail({ limit: 20 }),
  ]);
  return {
    version: versions.running.version,
    outdated: versions.latest?.newer ?? false,
    allowedAddresses: { manager: settings.wwwWhitelistIps, ports: settings.whitelistIps },
    users: users.map(({ email }) => email),
    ips: await ipsByZone(),
    silentPorts: await silentPorts(),
    requests: { total: traffic.total, failed: traffic.total - traffic.success },
    port: await examine(port),
    log: lines,
  };
};
