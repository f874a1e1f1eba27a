import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator";
import { SimulatedManager } from "../../simulator/manager";
import { edit, ROOT, type Scene, scene, secretsOf } from "./harness";

/** How an example is run, and what has to be so then. */
export interface Example {
  /** The services that it meets. */
  services?: SimulatorOptions;
  config?: Record<string, string>;
  /** What has to exist before, and was made by somebody else. */
  prepare?(scene: Scene): void | Promise<void>;
  /** How many resources it has, the stack itself among them. */
  resources: number;
  /** Expects the outputs and the services to be as they should after the first `up`. */
  made(scene: Scene, outputs: Record<string, unknown>): void;
  /** Does what else the README tells of, and expects what it says. */
  changed?(scene: Scene): Promise<void>;
  /** Expects the services to be as they should after the `destroy`. */
  gone(scene: Scene): void;
}

const zonesOf = ({ simulator }: Scene) => simulator.account.liveZones();

/** The ports, without the manager's own. */
export const portsOf = ({ simulator }: Scene) =>
  simulator.manager.state.records.filter(({ proxy_type }) => proxy_type === "persist");

/** What a port does not use, as `ip for host`, in the order of the addresses. */
const bansOf = ({ simulator }: Scene, port: unknown): string[] | undefined =>
  simulator.manager.state.running
    .get(String(port))
    ?.bans.list()
    .map(({ ip, domain }) => `${ip} for ${domain}`)
    .toSorted();

const requestsOf = ({ simulator }: Scene, method: string): string[] =>
  simulator.remote.service.requests.filter((request) => request.method === method).map(({ path }) => path);

/** What was changed in the manager since the last call. */
const changesIn = ({ simulator }: Scene): string[] =>
  simulator.manager.service.requests
    .splice(0)
    .filter(({ method, path }) => method !== "GET" || path === "/api/gen_token")
    .map(({ method, path }) => `${method} ${path}`);

export const EXAMPLES: Record<string, Example> = {
  "account-report": {
    config: { month: "2026-04" },
    prepare({ simulator: { account } }) {
      const web = account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
      web.usage = {
        "2026-03-31": { cost: 100, bw_sum: 9e9 },
        "2026-04-01": { cost: 1.5, bw_sum: 2e9 },
        "2026-04-30": { cost: 2.25, bw_sum: 1e9 },
        "2026-05-01": { cost: 200, bw_sum: 9e9 },
      };
      web.ips = ["203.0.113.7"];
      web.recentIps = ["203.0.113.7", "192.0.2.1"];
      web.password.push("another-password");
      account.addZone("unblocker", { type: "unblocker" }).status = "disabled";
      account.addZone("old", { type: "static" }).usage = { "2026-04-02": { cost: 4 } };
      account.removeZone("old");
    },
    resources: 1,
    made(here, outputs) {
      expect(outputs).toEqual({
        balance: 1000,
        dollars: 7.75,
        zones: {
          web: {
            type: "static",
            status: "active",
            dollars: 3.75,
            gigabytes: 3,
            ips: 2,
            openToEveryone: false,
            recentClients: ["203.0.113.7", "192.0.2.1"],
            passwords: 2,
          },
          unblocker: {
            type: "unblocker",
            status: "disabled",
            dollars: 0,
            gigabytes: 0,
            ips: 0,
            openToEveryone: true,
            recentClients: [],
            passwords: 1,
          },
        },
        available: { dedicatedIps: 10_000, cities: expect.arrayContaining(["us-chicago"]) },
      });
      // The only request that is not a GET reads, too.
      expect(new Set(requestsOf(here, "POST"))).toEqual(new Set(["/costs/export/json"]));
    },
    async changed({ stack, simulator }) {
      const state = await stack.stateText();
      for (const secret of secretsOf(simulator)) expect(state).not.toContain(secret);
    },
    gone(here) {
      expect(zonesOf(here).map(({ name }) => name)).toEqual(["web", "unblocker"]);
    },
  },

  "collect-and-deliver": {
    config: {
      datasetId: "gd_simulated",
      urls: "https://example.com/1 https://example.com/2",
      bucket: "my-bucket",
      roleArn: "arn:aws:iam::123456789012:role/deliver",
      externalId: "hl_1234",
      pollInterval: "1",
    },
    resources: 3,
    made(here, outputs) {
      const { snapshots, deliveries } = here.simulator.account;
      const [snapshot, ...others] = [...snapshots.values()];
      expect(others).toEqual([]);
      expect(outputs).toEqual({ snapshotId: snapshot?.id, records: 2, files: ["pages.ndjson"] });
      expect(snapshot?.input).toEqual([{ url: "https://example.com/1" }, { url: "https://example.com/2" }]);
      expect([...deliveries.values()]).toMatchObject([{ snapshotId: snapshot?.id, type: "s3", status: "done" }]);
    },
    async changed({ stack }) {
      await stack.setConfig("edition", "second");
      expect(await stack.expect("up")).toContain("+-2 replaced");
    },
    gone(here) {
      // Nothing was collected or delivered beyond the two editions, and nothing was left to be cancelled.
      const snapshots = [...here.simulator.account.snapshots.keys()];
      expect(requestsOf(here, "POST")).toEqual(
        snapshots.flatMap((snapshot) => ["/datasets/v3/trigger", `/datasets/v3/deliver/${snapshot}`]),
      );
      expect(snapshots).toHaveLength(2);
    },
  },

  "dataset-report": {
    config: { datasetId: "gd_simulated", since: "2026-05-01" },
    async prepare({ simulator: { account }, stack }) {
      const collect = (created: string, status: string, ...pages: string[]) => {
        const inputs = pages.map((page) => ({ url: `https://example.com/${page}` }));
        return Object.assign(account.addSnapshot("gd_simulated", [status], inputs), { created });
      };
      collect("2026-04-30T08:00:00.000Z", "ready", "too", "old");
      const latest = collect("2026-05-14T08:00:00.000Z", "ready", "1", "2");
      collect("2026-05-13T08:00:00.000Z", "ready", "1");
      collect("2026-05-15T08:00:00.000Z", "failed", "1");
      const delivery = account.addDelivery(latest, ["done"], { type: "s3", filenames: ["pages.json"] });
      await stack.setConfig("deliveryId", delivery.id);
      await stack.setConfig("collectorRun", account.addCollectorRun([{ title: "A page" }], 0).responseId);
    },
    resources: 1,
    made(here, outputs) {
      const { snapshots, deliveries, collectorRuns } = here.simulator.account;
      const [, latest, , failed] = [...snapshots.values()];
      const [delivery] = deliveries.keys();
      const [responseId] = collectorRuns.keys();
      expect(outputs).toEqual({
        collections: 3,
        records: 3,
        failures: { [failed?.id ?? ""]: "Something went wrong. Our team is looking into it." },
        latest: {
          snapshotId: latest?.id,
          created: "2026-05-14T08:00:00.000Z",
          records: 2,
          filesOfAThousand: 1,
          input: expect.stringMatching(/^url\r?\nhttps:\/\/example\.com\/1\r?\nhttps:\/\/example\.com\/2\r?\n$/),
          sample: expect.objectContaining({ url: "https://example.com/1", title: "Title of https://example.com/1" }),
        },
        delivery: expect.objectContaining({ deliveryId: delivery, status: "done" }),
        collectorRun: { responseId, status: "ready", rows: [expect.objectContaining({ title: "A page" })] },
      });
    },
    gone(here) {
      expect(requestsOf(here, "POST")).toEqual([]);
      expect(here.simulator.account.snapshots.size).toBe(4);
    },
  },

  fleet: fleet(),

  "fleet-operations": {
    services: { manager: { latestVersion: "1.600.0" } },
    config: {
      zone: "web",
      users: "ann@example.com ben@example.com",
      upgrade: "true",
      // The addresses of the simulated service begin here.
      blockedIps: "198.18.0.1",
      ipEdition: "first",
    },
    async prepare(here) {
      const { account, manager } = here.simulator;
      account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
      await edit(manager.url, "POST", "/api/proxies", { proxy: { port: 24_500, zone: "web" } });
      changesIn(here);
    },
    // Three for the manager, four for each user, and three for the ports and their IPs; and the stack.
    resources: 15,
    made(here, outputs) {
      const { account, manager } = here.simulator;
      const [byHand, ...ports] = portsOf(here);
      expect(byHand).toMatchObject({ port: 24_500, ssl: true });
      expect(ports.map(({ ssl }) => ssl)).toEqual([true, true]);
      const password = new Map(manager.state.users.map((user) => [user.email, user.password]));
      const numbers = new Map(ports.map(({ user, port }) => [user, port]));
      const proxy = (name: string) =>
        `http://${name}%40example.com:${password.get(`${name}@example.com`)}@127.0.0.1:${numbers.get(`${name}@example.com`)}`;
      const ips = account.zone("web")?.allocatedIps.map(({ ip }) => ip) ?? [];
      expect(outputs).toEqual({
        apiKey: manager.state.settings.token_auth,
        proxies: { "ann@example.com": proxy("ann"), "ben@example.com": proxy("ben") },
        replacedIps: { "198.18.0.1": "198.18.0.3" },
      });
      // The one of the port first, then all.
      expect(ips).toEqual(["198.18.0.4", "198.18.0.5"]);
      expect(manager.state.version).toBe("1.600.0");
      // Everything waits for the restart.
      expect(changesIn(here).slice(0, 2)).toEqual(["POST /api/upgrade", "POST /api/restart"]);
    },
    async changed(here) {
      const { stack, simulator } = here;
      const numbers = portsOf(here)
        .map(({ port }) => port)
        .filter((port) => port !== 24_500)
        .toSorted();
      const [port] = numbers;
      await edit(simulator.manager.url, "POST", `/api/proxies/${port}/banip`, { ip: "192.0.2.10" });
      const key = simulator.manager.state.settings.token_auth;
      changesIn(here);
      await stack.setConfig("edition", "second");
      expect(await stack.expect("preview")).toContain(`the update will lift all bans on port ${port}`);
      expect(changesIn(here)).toEqual([]);
      await stack.expect("up");
      // There is no newer version, and so no restart.
      expect(changesIn(here).toSorted()).toEqual([
        "GET /api/gen_token",
        "POST /api/enable_ssl",
        ...numbers.map((number) => `POST /api/proxies/${number}/unbanips`),
        ...numbers.map((number) => `POST /api/refresh_sessions/${number}`),
      ]);
      expect(bansOf(here, port)).toEqual([]);
      expect(simulator.manager.state.settings.token_auth).not.toBe(key);
      await stack.setConfig("users", "");
      const { status, stdout } = await stack.command("preview");
      expect([status === 0, stdout]).toEqual([false, expect.stringContaining("a user's port: set `users`")]);
    },
    gone(here) {
      expect(portsOf(here).map(({ port }) => port)).toEqual([24_500]);
      // The manager has no way to remove them.
      expect(here.simulator.manager.state.users).toHaveLength(2);
      expect(zonesOf(here).map(({ name }) => name)).toEqual(["web"]);
    },
  },

  "manager-from-nothing": {
    resources: 9,
    made(here, outputs) {
      const [zone] = zonesOf(here);
      const { settings } = here.simulator.manager.state;
      expect(settings).toMatchObject({ log: "info", logs: 5000, har_limit: 4096 });
      expect(settings).toMatchObject({ www_whitelist_ips: ["203.0.113.7"], whitelist_ips: ["198.51.100.0/24"] });
      const ports = new Map(portsOf(here).map((port) => [port.country, port]));
      expect(outputs).toEqual({
        zoneName: zone?.name,
        urls: { us: `http://127.0.0.1:${ports.get("us")?.port}`, de: `http://127.0.0.1:${ports.get("de")?.port}` },
      });
      for (const port of ports.values()) {
        expect(port).toMatchObject({ zone: zone?.name, rotate_session: true });
        expect(bansOf(here, port.port)).toEqual(["192.0.2.10 for shop.example.com", "192.0.2.11 for shop.example.com"]);
      }
    },
    async changed(here) {
      // What a restart does to them.
      for (const { bans } of here.simulator.manager.state.running.values()) bans.clear();
      await here.stack.expect("refresh");
      expect(await here.stack.expect("up")).toContain("+ 2 created");
      for (const { port } of portsOf(here)) expect(bansOf(here, port)).toHaveLength(2);
    },
    gone(here) {
      expect(zonesOf(here)).toEqual([]);
      expect(portsOf(here)).toEqual([]);
      const { settings } = here.simulator.manager.state;
      expect([settings.whitelist_ips ?? [], settings.www_whitelist_ips ?? []]).toEqual([[], []]);
      expect(settings.logs).not.toBe(5000);
    },
  },

  "manager-report": {
    services: { manager: { latestVersion: "1.600.0" } },
    config: { port: "24000" },
    async prepare({ simulator: { account, manager } }) {
      account.addZone("web", { type: "static", ips_type: "dedicated", ips: 2 });
      account.addZone("homes", { type: "resident", vips_type: "domain", vips: 3, domain_whitelist: "example.com" });
      const add = (port: number) => edit(manager.url, "POST", "/api/proxies", { proxy: { port, zone: "web" } });
      for (const port of [24_000, 24_001]) await add(port);
      await edit(manager.url, "POST", "/api/proxies/24000/banip", { ip: "192.0.2.10" });
      manager.state.running.delete("24001");
      manager.state.users.push({ email: "ann@example.com", password: "hush-hush" });
      for (const [index, status] of [200, 502].entries())
        manager.state.addRequest({
          uuid: String(index),
          port: 24_000,
          url: "https://example.com/",
          method: "GET",
          hostname: "example.com",
          protocol: "https",
          status_code: status,
          content_type: "html",
          timestamp: NOW.getTime() - 1000,
          in_bw: 100,
          out_bw: 10,
          success: Number(status === 200),
        });
    },
    resources: 1,
    made(_here, outputs) {
      expect(outputs).toEqual({
        version: "1.570.247",
        outdated: true,
        allowedAddresses: { manager: [], ports: [] },
        users: ["ann@example.com"],
        ips: { web: 2, homes: 3 },
        silentPorts: [24_001],
        requests: { total: 2, failed: 1 },
        port: {
          zone: "web",
          ok: true,
          status: "ok",
          bannedIps: ["192.0.2.10"],
          failures: 1,
          lastFailures: [expect.objectContaining({ port: 24_000, success: false })],
        },
        log: expect.arrayContaining([expect.stringMatching(/MGRPR: Port 24000 ready$/)]),
      });
    },
    async changed(here) {
      expect(await here.stack.stateText()).not.toContain("hush-hush");
      here.simulator.manager.logOut();
      const { status, stdout, stderr } = await here.stack.command("preview");
      expect(status).not.toBe(0);
      expect(stdout + stderr).toContain("The Proxy Manager is not logged in.");
    },
    gone(here) {
      expect(portsOf(here).map(({ port }) => port)).toEqual([24_000, 24_001]);
    },
  },

  quickstart: {
    resources: 6,
    made(here, outputs) {
      const [zone, ...others] = zonesOf(here);
      expect(others).toEqual([]);
      const { urls, ...rest } = outputs;
      // The ports come up in any order.
      expect((urls as string[]).toSorted()).toEqual([24_000, 24_001, 24_002].map((port) => `http://127.0.0.1:${port}`));
      expect(rest).toEqual({
        zoneName: zone?.name,
        password: zone?.password[0],
        dollarsThisMonth: 0,
        bytesThisMonth: 0,
      });
      expect(portsOf(here).map((port) => port.zone)).toEqual(Array(3).fill(zone?.name));
      expect(here.simulator.manager.state.settings.whitelist_ips).toEqual(["203.0.113.7"]);
    },
    gone(here) {
      expect(zonesOf(here)).toEqual([]);
      expect(portsOf(here)).toEqual([]);
      expect(here.simulator.manager.state.settings.whitelist_ips ?? []).toEqual([]);
    },
  },

  "usage-guard": {
    config: { zone: "web", dollarsAMonth: "100" },
    prepare: (here) => spend(here, 99.5),
    resources: 2,
    made(here, outputs) {
      expect(outputs).toEqual({ dollarsThisMonth: 99.5, port: portsOf(here)[0]?.port });
      expect(portsOf(here).map(({ zone }) => zone)).toEqual(["web"]);
    },
    gone(here) {
      expect(portsOf(here)).toEqual([]);
      expect(zonesOf(here).map(({ name }) => name)).toEqual(["web"]);
    },
  },

  "zone-with-access": {
    resources: 5,
    made(here, outputs) {
      const [zone, ...others] = zonesOf(here);
      expect(others).toEqual([]);
      const [, ...added] = zone?.allocatedIps.map(({ ip }) => ip) ?? [];
      expect(added).toHaveLength(2);
      expect(zone).toMatchObject({ ips: ["203.0.113.7"], domains: { blacklist: ["login.example.com"] } });
      expect(zone?.password).toHaveLength(2);
      expect(outputs).toEqual({ zoneName: zone?.name, ips: added, scraperPassword: zone?.password[1] });
    },
    async changed(here) {
      const [before] = zonesOf(here);
      const passwords = before?.password.slice();
      await here.stack.setConfig("ips", "3");
      await here.stack.setConfig("passwordEdition", "second");
      await here.stack.expect("up");
      const [after, ...others] = zonesOf(here);
      expect(others).toEqual([]);
      expect(after?.name).toBe(before?.name);
      expect(after?.allocatedIps).toHaveLength(4);
      expect(after?.password).toEqual([passwords?.[0], expect.not.stringContaining(passwords?.[1] ?? "")]);
    },
    gone(here) {
      expect(zonesOf(here)).toEqual([]);
    },
  },
};

/** Machines of two accounts: each account's first manager, and further ones of the first account. */
function fleet(): Example {
  let shop: Simulator;
  let machines: SimulatedManager[];
  const zoneNames = ({ account }: Simulator) => account.liveZones().map(({ name }) => name);
  return {
    config: { portsPerCountry: "2" },
    async prepare({ simulator: { account, manager }, stack }) {
      shop = await startSimulator({ manager: { dropin: false } });
      const more = [0, 1].map(() => new SimulatedManager({ account, clock: account.clock, dropin: false }));
      onTestFinished(async () => void (await Promise.all([shop, ...more].map((each) => each.close()))));
      for (const each of more) await each.listen();
      const [second, spare] = more as [SimulatedManager, SimulatedManager];
      machines = [manager, second, spare, shop.manager];
      await stack.setConfig("brightdata:managers.fra-1.url", manager.url);
      await stack.setConfig("brightdata:managers.fra-2.url", second.url);
      await stack.setConfig("brightdata:managers.nyc-1.url", shop.manager.url);
      await stack.setConfig("spareUrl", spare.url);
      await stack.setConfig("brightdata:accounts.shop.apiToken", shop.token, true);
      await stack.setConfig("brightdata:accounts.shop.baseUrl", shop.remote.url);
    },
    // Two zones, the ports of four machines, the provider of one of them, and the stack.
    resources: 8,
    made({ simulator }, outputs) {
      const zones = outputs.zones as { web: string; shop: string };
      expect([zoneNames(simulator), zoneNames(shop)]).toEqual([[zones.web], [zones.shop]]);
      expect(outputs.numbers).toEqual([4, 4, 4, 4]);
      expect(outputs.dollarsThisMonth).toBe(0);
      for (const { state } of machines) {
        const ports = state.records.filter(({ proxy_type }) => proxy_type === "persist");
        expect(ports.map(({ port, country }) => [port, country]).toSorted()).toEqual([
          [24_000, "us"],
          [24_001, "us"],
          [24_100, "de"],
          [24_101, "de"],
        ]);
        expect(new Set(ports.map(({ zone }) => zone))).toEqual(
          new Set([state === shop.manager.state ? zones.shop : zones.web]),
        );
      }
    },
    async changed({ stack }) {
      for (const { service } of machines) service.requests.length = 0;
      await stack.setConfig("portsPerCountry", "3");
      await stack.expect("up");
      for (const { service } of machines) {
        const changes = service.requests.filter(({ method }) => method !== "GET");
        expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual(Array(2).fill("POST /api/proxies"));
      }
    },
    gone({ simulator }) {
      expect([zoneNames(simulator), zoneNames(shop)]).toEqual([[], []]);
      for (const { state } of machines) {
        expect(state.records.filter(({ proxy_type }) => proxy_type === "persist")).toEqual([]);
      }
    },
  };
}

/** A zone `web` that has cost so much this month. */
export function spend({ simulator }: Scene, dollars: number): void {
  const { account } = simulator;
  const zone = account.zone("web") ?? account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  zone.usage = { [account.clock().toISOString().slice(0, 10)]: { cost: dollars } };
}

/**
 * An example on a stack of its own, configured, with what it needs.
 *
 * @param stage makes the stack: by default, as its own language wants it
 */
export async function staged(
  name: string,
  stage = (options: SimulatorOptions) => scene(options, folderOf(name)),
): Promise<Scene & Example> {
  const example = EXAMPLES[name];
  if (example === undefined) throw new Error(`There is no test of examples/${name}.`);
  const here = await stage({ clock: () => NOW, ...example.services });
  for (const [key, value] of Object.entries(example.config ?? {})) await here.stack.setConfig(key, value);
  await example.prepare?.(here);
  return { ...here, ...example };
}

const folderOf = (name: string): string => join(ROOT, "examples", name);

/** Walks through the life of an example's stack. */
export async function walk(here: Scene & Example): Promise<void> {
  const { stack, resources } = here;
  await stack.expect("preview");
  expect(await stack.expect("up")).toContain(`+ ${resources} created`);
  here.made(here, await stack.outputs());
  await stack.expect("preview", "--expect-no-changes");
  expect(await stack.expect("refresh")).toContain(`${resources} unchanged`);
  await stack.expect("preview", "--expect-no-changes");
  await here.changed?.(here);
  expect(await stack.expect("destroy")).toContain(`- ${resources} deleted`);
  here.gone(here);
  expect(here.simulator.account.sweeps).toEqual([]);
}

// In the middle of a month and of a day: what was spent today was spent this month.
const NOW = new Date("2026-05-15T12:00:00Z");
