import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cli, ROOT, reason, type Scene, scene } from "./harness";

/** How an example is run, and what has to be so then. */
interface Example {
  config?: Record<string, string>;
  /** What has to exist before, and was made by somebody else. */
  prepare?(scene: Scene): void;
  /** How many resources it has, the stack itself among them. */
  resources: number;
  /** Expects the outputs and the services to be as they should after the first `up`. */
  made(scene: Scene, outputs: Record<string, unknown>): void;
  /** Makes a change that the README tells of, and expects what it says. */
  changed?(scene: Scene): Promise<void>;
  /** Expects the services to be as they should after the `destroy`. */
  gone(scene: Scene): void;
}

const zonesOf = ({ simulator }: Scene) => simulator.account.liveZones();

/** The ports, without the manager's own. */
const portsOf = ({ simulator }: Scene) =>
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

const EXAMPLES: Record<string, Example> = {
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

/** A zone `web` that has cost so much this month. */
function spend({ simulator }: Scene, dollars: number): void {
  const { account } = simulator;
  const zone = account.zone("web") ?? account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  zone.usage = { [account.clock().toISOString().slice(0, 10)]: { cost: dollars } };
}

/** An example on a stack of its own, configured, with what it needs. */
async function staged(name: string): Promise<Scene & Example> {
  const example = EXAMPLES[name];
  if (example === undefined) throw new Error(`There is no test of examples/${name}.`);
  const here = await scene({ clock: () => NOW }, join(ROOT, "examples", name));
  for (const [key, value] of Object.entries(example.config ?? {})) await here.stack.setConfig(key, value);
  example.prepare?.(here);
  return { ...here, ...example };
}

// In the middle of a month and of a day: what was spent today was spent this month.
const NOW = new Date("2026-05-15T12:00:00Z");

it("every example is tested", () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(readdirSync(join(ROOT, "examples")).sort());
});

describe.skipIf(cli === undefined)(`the examples on the real engine${reason}`, () => {
  it.each(Object.keys(EXAMPLES))("%s comes up as its README says, stays as it is, and goes", async (name) => {
    const here = await staged(name);
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
  });

  it("usage-guard ends a preview, and an up, of a program whose zone has cost too much", async () => {
    const here = await staged("usage-guard");
    spend(here, 120.5);
    for (const command of ["preview", "up"] as const) {
      const { status, stdout, stderr } = await here.stack.command(command);
      expect(status).not.toBe(0);
      expect(stdout + stderr).toContain('Zone "web" has cost $120.50 this month, and may cost $100.00.');
      expect(stdout + stderr).not.toMatch(/\bat \w+.* \(.*index\.ts/);
    }
    expect(portsOf(here)).toEqual([]);

    await here.stack.setConfig("dollarsAMonth", "121");
    await here.stack.expect("up");
    expect(portsOf(here)).toHaveLength(1);
  });
});
