import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { type Simulator, startSimulator } from "../../simulator";
import type { JsonObject } from "../../src/base/json";
import { ProviderProcess, providerText } from "../provider-process/providerProcess";
import { type Engine, PluginProcess } from "./pluginProcess";

const MINUTES = Number(process.env.SOAK_MINUTES ?? 20);

/** The share of the time after which everything is loaded, and has been as large as it needs to be. */
const WARM_UP = 0.25;

/**
 * What may come and go without being a leak: the heap's own rhythm, and connections that are kept for the next request. What a run
 * remembers of each resource stays as long as the process, 1 to 4 kB, and a cycle has seventeen new ones.
 */
const SLACK = { rssMiB: 12, sockets: 16, handles: 16 };

interface Sample {
  rssMiB: number;
  sockets: number;
  /** Everything that is open, sockets and files and pipes. */
  handles: number;
}

interface Declared {
  kind: string;
  inputs: JsonObject;
  /** The inputs after a change. */
  changed: JsonObject;
}

const PORTS_PER_CYCLE = 10;

/** What one cycle declares: things of its own, since a process takes what it has made for somebody's until it ends. */
function declared(cycle: number): Declared[] {
  const [name, zone, ip] = [`made_${cycle}`, `web_${cycle}`, `10.${cycle >> 16}.${(cycle >> 8) & 255}.${cycle & 255}`];
  const plan = { type: "static", country: "us" };
  const inputs = { datasetId: "gd_simulated", inputs: [{ url: `https://example.com/${cycle}` }], wait: false };
  const ports = Array.from({ length: PORTS_PER_CYCLE }, (_, index): Declared => {
    const port = FIRST_PORT + ((cycle * PORTS_PER_CYCLE + index) % PORTS);
    return { kind: "ProxyPort", inputs: { port, zone }, changed: { port, zone, country: "de" } };
  });
  const all: Declared[] = [
    { kind: "Zone", inputs: { name, plan }, changed: { name, plan, disabled: true } },
    { kind: "ZoneAccess", inputs: { zone, allowedIps: [ip] }, changed: { zone, allowedIps: ["203.0.113.8"] } },
    { kind: "ZoneIps", inputs: { zone, count: 2 }, changed: { zone, count: 3 } },
    { kind: "ZonePassword", inputs: { zone }, changed: { zone, timeouts: { create: 30 } } },
    { kind: "DatasetCollection", inputs, changed: { ...inputs, pollInterval: 5 } },
    ...ports,
    { kind: "WhitelistIp", inputs: { ip }, changed: { ip, timeouts: { create: 30 } } },
    {
      kind: "BannedIp",
      inputs: { ip, port: HIGHEST_PORT },
      changed: { ip, port: HIGHEST_PORT, durationMs: 3_600_000 },
    },
  ];
  return all.map(({ kind, inputs, changed }, index) => {
    const own = { __key: `${cycle}_${index}`, __provider: providerText(kind) };
    return { kind, inputs: { ...inputs, ...own }, changed: { ...changed, ...own } };
  });
}

const FIRST_PORT = 10_000;
const PORTS = 50_000;
const HIGHEST_PORT = 65_000;

/** A failure of each sort now and then, which the provider gets over without anybody's help. */
function trouble({ remote, manager }: Simulator, cycle: number): void {
  for (const { service } of [remote, manager]) {
    service.faults.clear();
    if (cycle % 5 !== 0) continue;
    service.faults.add({ method: "GET", after: cycle % 7, kind: "reset" });
    service.faults.add({
      method: "GET",
      after: cycle % 5,
      kind: "respond",
      status: 503,
      headers: { "retry-after": "0.01" },
    });
    service.faults.add({ method: "GET", after: cycle % 3, kind: "truncate" });
  }
}

/** What the simulator remembers of the past, it would remember for ever. What is past has to be as it was before. */
function forget({ account, remote, manager }: Simulator, cycle: number): void {
  for (const { service } of [remote, manager]) service.requests.length = 0;
  manager.state.logLines.length = 0;
  const past = `web_${cycle - 2}`;
  const web = account.zone(past);
  if (web === undefined) return;
  expect(web).toMatchObject({ ips: ["any"], plan: { ips: 2 }, password: [expect.any(String)] });
  expect(account.zone(`made_${cycle - 2}`)).toBeUndefined();
  account.zones.delete(past);
  account.zones.delete(`made_${cycle - 2}`);
  const [oldest] = account.snapshots.keys();
  if (oldest !== undefined) account.snapshots.delete(oldest);
}

/** A resource as the engine's state has it. */
interface Recorded extends Declared {
  id: string;
  outputs: JsonObject;
  /** The inputs as they were checked last. */
  checked: JsonObject;
}

async function create(engine: Engine, resource: Declared): Promise<Recorded> {
  const { inputs } = resource;
  const checked = (await engine.check({}, inputs)).inputs;
  const { id, properties } = await engine.create(checked);
  return { ...resource, id, outputs: properties, checked };
}

async function change(engine: Engine, resource: Recorded): Promise<Recorded> {
  const { kind, id, outputs, changed } = resource;
  const checked = (await engine.check(resource.checked, changed)).inputs;
  expect(await engine.diff(id, outputs, checked), kind).toMatchObject({ changes: true, replaces: [] });
  return { ...resource, outputs: await engine.update(id, outputs, checked), checked };
}

async function destroy(engine: Engine, { kind, id, outputs, checked }: Recorded): Promise<void> {
  const refreshed = await engine.read(id, outputs);
  expect(refreshed.id).toBe(id);
  expect(await engine.diff(id, refreshed.properties, checked), kind).toMatchObject({ changes: false });
  await engine.delete(id, refreshed.properties);
}

function sample(pid: number): Sample {
  const targets = readdirSync(`/proc/${pid}/fd`).map((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return "closed meanwhile";
    }
  });
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return {
    rssMiB: Number(kibibytes) / 1024,
    sockets: targets.filter((target) => target.startsWith("socket:")).length,
    handles: targets.length,
  };
}

function median(samples: readonly Sample[], of: keyof Sample): number {
  const values = samples.map((each) => each[of]).sort((left, right) => left - right);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

// A heap and an allocator that are kept small give back what is free at once, so that what stays is what is held.
const SMALL = { NODE_OPTIONS: "--max-old-space-size=96 --max-semi-space-size=4", MALLOC_ARENA_MAX: "1" };

const STARTS: Record<string, (config: Record<string, string>) => Promise<Engine>> = {
  "provider's": (config) => new ProviderProcess(undefined, SMALL).start(config),
  "plugin's": (config) => PluginProcess.start(config, SMALL),
};

test.skipIf(process.platform !== "linux").each(Object.entries(STARTS))(
  `${MINUTES} minutes of up, change, refresh and destroy leave nothing behind in the %s processes`,
  { timeout: MINUTES * 60_000 + 120_000 },
  async (_, startProcess) => {
    const simulator = await startSimulator({ manager: { dropin: false, rateLimit: { perMinute: 1_000_000 } } });
    const { account, manager, remote } = simulator;
    await fetch(`${manager.url}/api/proxies`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ proxy: { port: HIGHEST_PORT } }),
    });
    const start = () =>
      startProcess({
        "brightdata:apiToken": simulator.token,
        "brightdata:baseUrl": remote.url,
        "brightdata:proxyManagerUrl": manager.url,
        "brightdata:requestsPerMinute": "0",
      });
    // A process stands for one run of the engine, and no resource is created, changed and destroyed in one. Each goes about
    // it a cycle after the other, so that no list that it has kept is older than the change.
    const processes = { create: await start(), change: await start(), destroy: await start() };
    const samples = Object.entries(processes).map(([name, engine]) => ({ name, engine, taken: [] as Sample[] }));
    const until = performance.now() + MINUTES * 60_000;
    let created: Recorded[] = [];
    let changed: Recorded[] = [];
    for (let cycle = 0; performance.now() < until || created.length + changed.length > 0; cycle++) {
      const isLast = performance.now() >= until;
      if (!isLast) account.addZone(`web_${cycle}`, { type: "static", ips: 2 });
      trouble(simulator, cycle);
      const next = isLast ? [] : declared(cycle);
      const past = changed;
      changed = await Promise.all(created.map((each) => change(processes.change, each)));
      await Promise.all(past.map((each) => destroy(processes.destroy, each)));
      created = await Promise.all(next.map((each) => create(processes.create, each)));
      forget(simulator, cycle);
      for (const { engine, taken } of samples) taken.push(sample(engine.child.pid as number));
    }

    expect(manager.state.records.map(({ port }) => port)).toEqual([HIGHEST_PORT]);
    expect(manager.state.settings.www_whitelist_ips ?? []).toEqual([]);
    expect(manager.state.running.get(String(HIGHEST_PORT))?.bans.keys()).toEqual([]);
    for (const { name, taken } of samples) {
      const warm = taken.slice(Math.floor(taken.length * WARM_UP));
      const third = Math.floor(warm.length / 3);
      expect(third, "too short a time to compare anything").toBeGreaterThanOrEqual(5);
      for (const [of, slack] of Object.entries(SLACK) as [keyof Sample, number][]) {
        const [early, late] = [median(warm.slice(0, third), of), median(warm.slice(-third), of)];
        console.log(`${name}, ${of}: ${early.toFixed(1)} early, ${late.toFixed(1)} late, ${taken.length} cycles`);
        expect(late, `${name}, ${of}`).toBeLessThanOrEqual(early + slack);
      }
    }
    await simulator.close();
  },
);
