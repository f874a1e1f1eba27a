import * as pulumi from "@pulumi/pulumi";
import { describe, expect, test } from "vitest";
import { ArgumentError, ConnectionError, NotFoundError, PermissionError } from "../../src/errors";
import * as functions from "../../src/functions";
import { ProxyPort } from "../../src/kinds/proxyPort/resource";
import type { RequestLog } from "../../src/simulator";
import { failureOf, program, settled, startManager, useEnvironment } from "./harness";

const NOW = new Date("2026-03-15T10:30:00.000Z");

const requestLog = (given: Partial<RequestLog>): RequestLog => ({
  uuid: "1",
  port: 24000,
  url: "https://example.com/",
  method: "GET",
  hostname: "example.com",
  protocol: "https",
  status_code: 200,
  content_type: "html",
  timestamp: NOW.getTime(),
  in_bw: 100,
  out_bw: 10,
  success: true,
  ...given,
});

describe("getManagerSettings", () => {
  test("are the general settings, without credentials", async () => {
    const { manager, account, asked } = await startManager();
    Object.assign(manager.state.settings, { password: "a-password", whitelist_ips: ["203.0.113.7"], log: "info" });
    const settings = await functions.getManagerSettings();
    expect(settings).toMatchObject({ customer: account.customer, whitelistIps: ["203.0.113.7"], log: "info" });
    const text = JSON.stringify(settings);
    for (const secret of ["a-password", manager.state.settings.lpm_token]) expect(text).not.toContain(secret);
    expect(asked()).toEqual(["GET /api/settings"]);
  });

  test("as an output", async () => {
    await program(true);
    const { account } = await startManager();
    const customer = functions.getManagerSettingsOutput().apply((settings) => settings.customer);
    await expect(settled(customer)).resolves.toEqual({
      value: account.customer,
      secret: false,
    });
  });
});

describe("getManagerVersions", () => {
  test("are what runs, the newest one, and Node.js", async () => {
    const { asked } = await startManager([], { manager: { version: "1.570.247", latestVersion: "1.644.172" } });
    const { running, latest, node } = await functions.getManagerVersions();
    expect(running.version).toBe("1.570.247");
    expect(latest).toMatchObject({ version: "1.644.172", newer: true });
    expect(node.current).toMatch(/^\d+\.\d+\.\d+$/);
    expect(asked().sort()).toEqual(["GET /api/last_version", "GET /api/node_version", "GET /api/version"]);
  });

  test("do without the newest one while the manager cannot reach its vendor", async () => {
    await startManager([], { manager: { vendorReachable: false } });
    const versions = await functions.getManagerVersions();
    expect(Object.keys(versions)).toEqual(["running", "node"]);
  });

  test("do not pass over a refusal", async () => {
    const { faults } = await startManager();
    faults.add({ path: "/api/last_version", kind: "respond", status: 403 });
    await expect(functions.getManagerVersions()).rejects.toBeInstanceOf(PermissionError);
  });

  test("as an output", async () => {
    await program(true);
    const { manager } = await startManager();
    await expect(settled(functions.getManagerVersionsOutput().running.version)).resolves.toEqual({
      value: manager.state.version,
      secret: false,
    });
  });
});

describe("getManagerZones", () => {
  test("are the zones that the manager knows, without passwords", async () => {
    const { manager, account, asked } = await startManager();
    account.addZone("web", { type: "static" }).password = ["a-password"];
    account.addZone("shop", { type: "static" }).status = "disabled";
    manager.logIn();
    const { zones } = await functions.getManagerZones();
    expect(zones).toMatchObject([
      { name: "web", disabled: false, plan: { type: "static", ipsType: "shared" } },
      { name: "shop", disabled: true },
    ]);
    expect(JSON.stringify(zones)).not.toContain("a-password");
    expect(asked()).toEqual(["GET /api/zones"]);
  });

  test("are none while it is logged out", async () => {
    const { account } = await startManager([], { manager: { loggedIn: false } });
    account.addZone("web", { type: "static" });
    await expect(functions.getManagerZones()).resolves.toEqual({ zones: [] });
  });

  test("as an output", async () => {
    await program(true);
    await startManager();
    await expect(settled(functions.getManagerZonesOutput().zones)).resolves.toEqual({ value: [], secret: false });
  });
});

describe("getManagerSession", () => {
  test.each([true, false])("says whether the manager is logged in: %s", async (loggedIn) => {
    const { asked } = await startManager([], { manager: { loggedIn } });
    await expect(functions.getManagerSession()).resolves.toEqual({ loggedIn });
    expect(asked()).toEqual(["GET /api/mode"]);
  });

  test("as an output", async () => {
    await program(true);
    await startManager([], { manager: { loggedIn: false } });
    const { loggedIn } = functions.getManagerSessionOutput();
    await expect(settled(loggedIn)).resolves.toEqual({ value: false, secret: false });
  });
});

const PORT = {
  port: 24000,
  zone: "static",
  password: "p-1",
  user: "ann",
  user_password: "p-2",
  ext_proxies: ["bob:p-3@203.0.113.7"],
  ext_proxy_password: "p-4",
  whitelist_ips: ["198.51.100.7"],
};
const DESCRIBED = {
  port: 24000,
  zone: "static",
  user: "ann",
  whitelistIps: ["198.51.100.7"],
  proxyType: "persist",
};

describe("the ports", () => {
  test("getProxyPorts: as they are declared, without credentials", async () => {
    const { asked } = await startManager([PORT, { port: 24010, multiply: 2 }]);
    const { ports } = await functions.getProxyPorts();
    expect(ports).toEqual([DESCRIBED, { port: 24010, multiply: 2, proxyType: "persist", whitelistIps: [] }]);
    expect(asked()).toEqual(["GET /api/proxies"]);
  });

  test("getRunningPorts: as they run, those that were multiplied among them, without credentials", async () => {
    const { asked } = await startManager([PORT, { port: 24010, multiply: 2 }]);
    const { ports } = await functions.getRunningPorts();
    expect(ports.map(({ port, proxyType, masterPort }) => [port, proxyType, masterPort])).toEqual([
      [24000, "persist", undefined],
      [24010, "persist", undefined],
      [24011, "duplicate", 24010],
    ]);
    expect(ports[0]).toMatchObject({ ...DESCRIBED, dns: "local", tlsLib: "open_ssl" });
    expect(JSON.stringify(ports)).not.toMatch(/p-[1-4]/);
    expect(asked()).toEqual(["GET /api/proxies_running"]);
  });

  test("getProxyPort: one as it is declared, without credentials", async () => {
    const { asked } = await startManager([PORT]);
    await expect(functions.getProxyPort({ port: 24000 })).resolves.toEqual(DESCRIBED);
    expect(asked()).toEqual(["GET /api/proxies/24000"]);
  });

  test("as outputs", async () => {
    await program(true);
    await startManager([PORT]);
    const numbers = [
      functions.getProxyPortsOutput().ports.apply((ports) => ports.map(({ port }) => port)),
      functions.getRunningPortsOutput().ports.apply((ports) => ports.map(({ port }) => port)),
      functions.getProxyPortOutput({ port: pulumi.output(24000) }).apply(({ port }) => [port]),
    ];
    for (const output of numbers) await expect(settled(output)).resolves.toEqual({ value: [24000], secret: false });
  });
});

describe("getPortStatus", () => {
  test("is what the last request through the port came to, and asks for no other", async () => {
    const { asked } = await startManager([PORT]);
    await expect(functions.getPortStatus({ port: 24000 })).resolves.toMatchObject({ port: 24000, status: "ok" });
    expect(asked()).toEqual(["GET /api/proxy_status/24000"]);
  });

  test("sends one through it when it is told to", async () => {
    const { manager, asked } = await startManager([PORT]);
    await functions.getPortStatus({ port: 24000 });
    const running = manager.state.running.get("24000");
    if (running !== undefined) running.health = "connection refused";
    await expect(functions.getPortStatus({ port: 24000 })).resolves.toMatchObject({ ok: true });
    await expect(functions.getPortStatus({ port: 24000, force: true })).resolves.toMatchObject({
      ok: false,
      status: "connection refused",
    });
    expect(asked().at(-1)).toBe("GET /api/proxy_status/24000?force=true");
  });
});

describe("getBannedIps", () => {
  test("are the IPs, for which host, and until when", async () => {
    const { manager, asked } = await startManager([PORT], { clock: () => NOW });
    const { bans } = manager.state.running.get("24000") ?? {};
    bans?.add("203.0.113.7");
    bans?.add("203.0.113.8", "example.com", 60_000);
    await expect(functions.getBannedIps({ port: 24000 })).resolves.toEqual({
      port: 24000,
      bans: [{ ip: "203.0.113.7" }, { ip: "203.0.113.8", domain: "example.com", until: "2026-03-15T10:31:00.000Z" }],
    });
    expect(asked()).toEqual(["GET /api/banlist/24000?full=true"]);
  });
});

type OfPort = { port: pulumi.Input<number> };

describe.each<[string, (args: { port: number }) => Promise<unknown>, (args: OfPort) => pulumi.Output<unknown>]>([
  ["getProxyPort", functions.getProxyPort, functions.getProxyPortOutput],
  ["getPortStatus", functions.getPortStatus, functions.getPortStatusOutput],
  ["getBannedIps", functions.getBannedIps, functions.getBannedIpsOutput],
])("%s", (_, plain, output) => {
  test("tells that there is no such port", async () => {
    await startManager([PORT]);
    await expect(plain({ port: 24999 })).rejects.toBeInstanceOf(NotFoundError);
  });

  test.each([0, 24000.5, 70_000, "../settings" as unknown as number])("sends nothing for the port %s", async (port) => {
    const { asked } = await startManager();
    await expect(plain({ port })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("asks once a port of the same program is made, and not in the preview of that", async () => {
    await program(false);
    const { asked } = await startManager([PORT]);
    const made = new ProxyPort("web", { zone: "static", port: 24000 });
    await expect(settled(output({ port: made.port.apply(Number) }))).resolves.toMatchObject({ value: { port: 24000 } });
    expect(asked()).toHaveLength(1);
    await program(true);
    const planned = new ProxyPort("web", { zone: "static", port: 24000 });
    await expect(settled(output({ port: planned.port.apply(Number) }))).resolves.toMatchObject({ value: "unknown" });
    expect(asked()).toHaveLength(1);
  });
});

describe("getRecentStats", () => {
  test("counts requests and bytes", async () => {
    const { manager, asked } = await startManager();
    manager.state.requestLogs = [requestLog({}), requestLog({ uuid: "2", status_code: 502, success: false })];
    const stats = await functions.getRecentStats();
    expect(stats).toMatchObject({ total: 2, success: 1 });
    expect(stats.ports).toMatchObject([{ key: "24000", reqs: 2, success: 1, inBw: 200, outBw: 20 }]);
    expect(stats.statusCodes.map(({ key }) => key)).toEqual(["200", "502"]);
    expect(asked()).toEqual(["GET /api/recent_stats"]);
  });

  test("as an output", async () => {
    await program(true);
    await startManager();
    await expect(settled(functions.getRecentStatsOutput().total)).resolves.toEqual({ value: 0, secret: false });
  });
});

describe("getHarLogs", () => {
  test("are the requests, as a secret", async () => {
    const { manager, asked } = await startManager();
    manager.state.requestLogs = [requestLog({})];
    const { entries, ...page } = await functions.getHarLogs();
    expect(page).toEqual({ total: 1, skip: 0, inBw: 100, outBw: 10 });
    const { value, secret } = await settled(entries);
    expect(secret).toBe(true);
    expect(value).toMatchObject([{ uuid: "1", port: 24000, request: { url: "https://example.com/" } }]);
    expect(asked()).toEqual(["GET /api/logs"]);
  });

  test("passes every filter on", async () => {
    const { asked } = await startManager();
    await functions.getHarLogs({
      port: 24000,
      portFrom: 24000,
      portTo: 24010,
      statusCode: "2**",
      contentType: "html",
      protocol: "https",
      search: "example",
      skip: 1,
      limit: 2,
      sort: "statusCode",
      descending: true,
    });
    const [line = ""] = asked();
    expect(Object.fromEntries(new URL(line.slice("GET ".length), "http://manager").searchParams)).toEqual({
      port: "24000",
      port_from: "24000",
      port_to: "24010",
      status_code: "2**",
      content_type: "html",
      protocol: "https",
      search: "example",
      skip: "1",
      limit: "2",
      sort: "status_code",
      sort_desc: "true",
    });
  });

  test("sends nothing for a filter that makes no sense", async () => {
    const { asked } = await startManager();
    await expect(functions.getHarLogs({ limit: 0.5 })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("are secret as an output, as a whole", async () => {
    await program(true);
    const { manager } = await startManager();
    manager.state.requestLogs = [requestLog({})];
    const { total } = functions.getHarLogsOutput({ port: pulumi.output(24000) });
    await expect(settled(total)).resolves.toEqual({ value: 1, secret: true });
  });
});

describe("getLogTail", () => {
  test.each([
    [1, ["third"]],
    [2, ["second", "third"]],
    [undefined, ["first", "second", "third"]],
  ])("with the limit %s is %j", async (limit, lines) => {
    const { manager } = await startManager();
    manager.state.logLines.splice(0, Number.POSITIVE_INFINITY, "first", "second", "third");
    await expect(functions.getLogTail({ limit })).resolves.toEqual({ lines });
    expect(manager.service.requests).toMatchObject([{ method: "GET", path: "/api/general_logs" }]);
  });

  test("sends nothing for a limit that makes no sense", async () => {
    const { asked } = await startManager();
    await expect(functions.getLogTail({ limit: 0 })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
  });

  test("as an output", async () => {
    await program(true);
    const { manager } = await startManager();
    manager.state.logLines.splice(0, Number.POSITIVE_INFINITY, "first", "second");
    const { lines } = functions.getLogTailOutput({ limit: Promise.resolve(1) });
    await expect(settled(lines)).resolves.toEqual({ value: ["second"], secret: false });
  });
});

describe("allocated addresses", () => {
  async function startWithZones() {
    const started = await startManager();
    const web = started.account.addZone("web", { type: "static", ips: 2 });
    const homes = started.account.addZone("homes", {
      type: "resident",
      vips_type: "domain",
      vip: true,
      vips: 2,
      domain_whitelist: "example.com",
    });
    started.manager.logIn();
    return { ...started, ips: web.allocatedIps.map(({ ip }) => ip), gips: homes.allocatedGips.map(({ vip }) => vip) };
  }

  test("getAllocatedIps: the IPs of a zone", async () => {
    const { ips, asked } = await startWithZones();
    expect(ips).toHaveLength(2);
    await expect(functions.getAllocatedIps({ zone: "web" })).resolves.toEqual({ zone: "web", ips });
    expect(asked()).toEqual(["GET /api/allocated_ips?zone=web"]);
  });

  test("getAllocatedGips: the gIPs of a zone", async () => {
    const { gips, asked } = await startWithZones();
    expect(gips).toHaveLength(2);
    await expect(functions.getAllocatedGips({ zone: "homes" })).resolves.toEqual({ zone: "homes", gips });
    expect(asked()).toEqual(["GET /api/allocated_vips?zone=homes"]);
  });

  test.each([
    ["getAllocatedIps", functions.getAllocatedIps],
    ["getAllocatedGips", functions.getAllocatedGips],
  ])("%s: a zone that the manager does not know, and a blank name", async (_, plain) => {
    const { asked } = await startManager();
    await expect(plain({ zone: " " })).rejects.toBeInstanceOf(ArgumentError);
    expect(asked()).toEqual([]);
    await expect(plain({ zone: "wep" })).rejects.toBeInstanceOf(NotFoundError);
  });

  test("as outputs", async () => {
    await program(true);
    const { ips, gips } = await startWithZones();
    const zone = pulumi.secret("web");
    await expect(settled(functions.getAllocatedIpsOutput({ zone }).ips)).resolves.toEqual({ value: ips, secret: true });
    await expect(settled(functions.getAllocatedGipsOutput({ zone: "homes" }).gips)).resolves.toEqual({
      value: gips,
      secret: false,
    });
  });
});

describe("getManagerUsers", () => {
  const users = [{ email: "ann@example.com", password: "a-password" }];

  test("have secret passwords", async () => {
    const { manager, asked } = await startManager();
    manager.state.users = users;
    const [user] = (await functions.getManagerUsers()).users;
    expect(user?.email).toBe("ann@example.com");
    await expect(settled(pulumi.output(user?.password))).resolves.toEqual({ value: "a-password", secret: true });
    expect(asked()).toEqual(["GET /api/lpm_users"]);
  });

  test("may have none that the manager knows", async () => {
    const { faults } = await startManager();
    const headers = { "content-type": "application/json" };
    faults.add({ kind: "respond", status: 200, headers, body: JSON.stringify([{ email: "ann@example.com" }]) });
    await expect(functions.getManagerUsers()).resolves.toEqual({ users: [{ email: "ann@example.com" }] });
  });

  test("are secret as an output, as a whole", async () => {
    await program(true);
    const { manager } = await startManager();
    manager.state.users = users;
    await expect(settled(functions.getManagerUsersOutput())).resolves.toEqual({ value: { users }, secret: true });
  });
});

describe("a manager that does not run", () => {
  const PLAIN: Record<string, () => Promise<unknown>> = {
    getManagerSettings: functions.getManagerSettings,
    getManagerVersions: functions.getManagerVersions,
    getManagerZones: functions.getManagerZones,
    getManagerSession: functions.getManagerSession,
    getManagerUsers: functions.getManagerUsers,
    getProxyPorts: functions.getProxyPorts,
    getRunningPorts: functions.getRunningPorts,
    getRecentStats: functions.getRecentStats,
    getHarLogs: functions.getHarLogs,
    getLogTail: functions.getLogTail,
    getProxyPort: () => functions.getProxyPort({ port: 24000 }),
    getPortStatus: () => functions.getPortStatus({ port: 24000 }),
    getBannedIps: () => functions.getBannedIps({ port: 24000 }),
    getAllocatedIps: () => functions.getAllocatedIps({ zone: "web" }),
    getAllocatedGips: () => functions.getAllocatedGips({ zone: "web" }),
  };

  test.each(Object.entries(PLAIN))("%s says so, and needs no token for it", async (_, plain) => {
    useEnvironment({
      BRIGHTDATA_API_TOKEN: undefined,
      BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:1",
      BRIGHTDATA_RETRIES: "0",
      BRIGHTDATA_LOG: "off",
    });
    const call = plain();
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
    await expect(call).rejects.toThrow("Check that the Proxy Manager is running");
  });

  test("makes an output fail", async () => {
    await program(false);
    useEnvironment({
      BRIGHTDATA_PROXY_MANAGER_URL: "http://127.0.0.1:1",
      BRIGHTDATA_RETRIES: "0",
      BRIGHTDATA_LOG: "off",
    });
    await expect(failureOf(() => functions.getManagerSessionOutput())).resolves.toBeInstanceOf(ConnectionError);
  });
});
