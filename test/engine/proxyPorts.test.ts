import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import { inTurn } from "../turn";
import { type Declaration, edit, type Scene, scene } from "./harness";
import { Hold } from "./hold";
import { nativeScene } from "./nativeScene";
import { childrenOf, signalProcessGroup } from "./processes";

const it = inTurn(2);

type Ports = Record<string, Record<string, unknown>>;

const MANY = 40;

const set = (ports: Ports, args: object = {}): Declaration => ({
  kind: "ProxyPorts",
  name: "fleet",
  args: { defaults: { zone: "web" }, ports, ...args },
});

/** Ports on numbers from 24100 on, under `p0`, `p1` and so on. */
const numbered = (count: number): Ports =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { port: 24_100 + index }]));

async function withZone(sceneOf = scene): Promise<Scene> {
  const made = await sceneOf({ manager: { dropin: false } });
  made.simulator.account.addZone("web", { type: "static" });
  return made;
}

const numbersOf = ({ simulator }: Scene): number[] =>
  simulator.manager.state.records.map(({ port }) => port).sort((left, right) => left - right);

/** What was changed since the last time. */
function changes({ simulator: { manager } }: Scene): string[] {
  const requests = manager.service.requests.filter(({ method }) => method !== "GET");
  manager.service.requests.length = 0;
  return requests.map(({ method, path }) => `${method} ${path}`);
}

const outputsOf = async ({ stack }: Scene): Promise<Ports> => {
  const [resource] = await stack.resources();
  return resource?.outputs?.ports as Ports;
};

it("a set of proxy ports is made, shows and sends one change alone, and keeps its secrets", async () => {
  const made = await withZone();
  const { stack, declare } = made;
  const ports: Ports = { ...numbered(3), any: { country: "us" }, safe: { userPassword: { $secret: "hush-hush" } } };
  declare(set(ports));
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  expect(await stack.expect("refresh")).toMatch(/2 unchanged/);
  expect(await outputsOf(made)).toMatchObject({ p0: { listenPort: 24_100, port: 24_100, zone: "web" } });
  expect(await stack.stateText()).not.toContain("hush-hush");
  expect(JSON.stringify(await stack.outputs())).not.toContain("hush-hush");
  changes(made);

  declare(set({ ...ports, p1: { port: 24_101, country: "de" } }));
  const preview = await stack.expect("preview", "--diff");
  expect(preview).toMatch(/~ p1\s*: \{\n\s*\+ country\s*: "de"/);
  expect(await stack.expect("preview")).toContain("1 to change (p1: country).");
  await stack.expect("up");
  expect(changes(made)).toEqual(["PUT /api/proxies/24101"]);

  declare(set({ ...ports, p1: { port: 24_101, country: "de" }, safe: { userPassword: { $secret: "other-one" } } }));
  const secret = await stack.expect("preview", "--diff");
  expect(secret).toMatch(/userPassword\s*: \[secret\]/);
  expect(secret).not.toMatch(/hush-hush|other-one/);
  await stack.expect("destroy");
  expect(numbersOf(made)).toEqual([]);
});

const keepsSecrets = (sceneOf: typeof scene) => async () => {
  const made = await withZone(sceneOf);
  const { stack, simulator, declare } = made;
  const headers = (value: string) => ({ headers: { $secret: [{ name: "X-Api-Key", value }] } });
  const defaults = { zone: "web", ...headers("hush-hush") };
  declare(set({ ...numbered(2), own: { port: 24_102, ...headers("other-one") } }, { defaults }));
  await stack.expect("up");
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh");
  const refusal = { method: "POST", path: "/api/proxies/delete", kind: "respond", status: 400, body: "no" } as const;
  simulator.manager.service.faults.add(refusal);
  declare(set(numbered(2), { defaults: { zone: "web", ...headers("third-one") } }));
  const { status, stdout, stderr } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(Object.keys(await outputsOf(made))).toEqual(["own", "p0", "p1"]);
  expect((await stack.stateText()) + stdout + stderr).not.toMatch(/hush-hush|other-one|third-one/);
  await stack.expect("up");
  expect(await stack.stateText()).not.toMatch(/hush-hush|other-one|third-one/);
  // They are made at the same time.
  expect(simulator.manager.state.records.toSorted((one, other) => one.port - other.port)).toMatchObject(
    [24_100, 24_101].map((port) => ({ port, headers: [{ name: "X-Api-Key", value: "third-one" }] })),
  );
};

it("no state of a set has a secret in clear that its ports share, or have had", keepsSecrets(scene));

it("nor has one of the plugin", keepsSecrets(nativeScene));

it("a set of proxy ports shows by port and property what somebody has changed, and makes what is gone again", async () => {
  const made = await withZone();
  const { stack, simulator, declare } = made;
  declare(set(numbered(3)));
  await stack.expect("up");
  const { url } = simulator.manager;
  simulator.account.addZone("shop", { type: "static" });
  await edit(url, "PUT", "/api/proxies/24101", { proxy: { zone: "shop" } });
  await edit(url, "POST", "/api/proxies/delete", { ports: [24_102] });
  await stack.expect("refresh");
  expect(Object.keys(await outputsOf(made))).toEqual(["p0", "p1"]);
  const preview = await stack.expect("preview", "--diff");
  expect(preview).toMatch(/~ p1: \{\n\s*port: 24101\n\s*- zone: "shop"/);
  expect(await stack.expect("preview")).toContain("1 to add (p2), 1 to change (p1: zone)");
  changes(made);
  await stack.expect("up");
  expect(changes(made)).toEqual(["PUT /api/proxies/24101", "POST /api/proxies"]);
  await stack.expect("preview", "--expect-no-changes");
});

it("a set of proxy ports keeps what was done when some ports fail, and goes on with those alone", async () => {
  const made = await withZone();
  const { stack, simulator, declare } = made;
  const { url } = simulator.manager;
  for (const port of [24_105, 24_130]) await edit(url, "POST", "/api/proxies", { proxy: { port, zone: "web" } });
  declare(set(numbered(60)));
  const { status, stdout, stderr } = await stack.command("up");
  expect(status).not.toBe(0);
  expect(stdout + stderr).toMatch(/2 of 60 ports failed/);
  expect(stdout + stderr).toMatch(
    /p30, p5, each with a number of its own: Port 24130 is in use by a proxy port of zone \\?"web\\?"/,
  );
  const done = Object.keys(numbered(60)).filter((key) => key !== "p5" && key !== "p30");
  expect(new Set(Object.keys(await outputsOf(made)))).toEqual(new Set(done));
  await edit(url, "POST", "/api/proxies/delete", { ports: [24_105] });
  changes(made);
  declare(set({ ...numbered(60), p30: { port: 24_130, adopt: true } }));
  await stack.expect("up");
  expect(changes(made)).toEqual(["POST /api/proxies"]);
  expect(numbersOf(made)).toHaveLength(60);
  await stack.expect("preview", "--expect-no-changes");
});

it("a set of proxy ports takes up what a process that was killed has made", async () => {
  const made = await withZone();
  const { stack, declare } = made;
  const ports = { ...numbered(MANY), any: {}, other: {} };
  declare(set(ports));
  let posts = 0;
  const hold = new Hold(made.simulator, ({ method, path }) => {
    if (method !== "POST" || path !== "/api/proxies") return undefined;
    posts++;
    return posts > MANY / 2 ? (posts % 2 === 0 ? "before" : "after") : undefined;
  });
  const running = stack.start("up");
  expect(await hold.settled(running.ending)).toBe(true);
  const providers = childrenOf(running.child.pid, "pulumi-");
  signalGroup(running.child, "SIGKILL");
  for (const provider of providers) signalProcessGroup(provider, "SIGKILL");
  await running.ending;
  hold.release();
  const before = numbersOf(made).length;
  expect(before).toBeGreaterThan(MANY / 2);
  changes(made);

  await stack.cancel();
  expect(await stack.expect("up")).toMatch(
    new RegExp(`Took up ${before} ports of the set ".+", which an update that was cut short had created\\.`),
  );
  expect(changes(made)).toEqual(Array(MANY + 2 - before).fill("POST /api/proxies"));
  expect(numbersOf(made)).toHaveLength(MANY + 2);
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("destroy");
  expect(numbersOf(made)).toEqual([]);
});

it("a set of proxy ports takes over single ports, and gives them back, without touching one", async () => {
  const made = await withZone();
  const { stack, declare } = made;
  const single = (adopt: boolean): Declaration[] =>
    Object.entries(numbered(4)).map(([name, { port }]) => ({
      kind: "ProxyPort",
      name,
      args: { zone: "web", port, ...(adopt ? { adopt } : {}) },
    }));
  declare(...single(false));
  await stack.expect("up");
  changes(made);
  declare(set(numbered(4), { adopt: true }));
  expect(await stack.expect("up")).toMatch(/belongs to another resource of this program now, and is kept/);
  expect(changes(made)).toEqual([]);
  declare(set(numbered(4)));
  await stack.expect("up");
  expect(changes(made)).toEqual([]);
  await stack.expect("preview", "--expect-no-changes");
  declare(...single(true));
  expect(await stack.expect("up")).toMatch(/belong to other resources of this program now, and are kept/);
  expect(changes(made)).toEqual([]);
  expect(numbersOf(made)).toHaveLength(4);
  await stack.expect("destroy");
  expect(numbersOf(made)).toEqual([]);
});

it("a set of proxy ports gives some of its ports to another set, and gets them back", async () => {
  const made = await withZone();
  const { stack, declare } = made;
  const { p2, p3, ...rest } = numbered(4);
  declare(set(numbered(4)));
  await stack.expect("up");
  changes(made);
  const other: Declaration = {
    kind: "ProxyPorts",
    name: "other",
    args: { defaults: { zone: "web" }, ports: { p2, p3 }, adopt: true },
  };
  declare(other, set(rest));
  await stack.expect("up");
  expect(changes(made)).toEqual([]);
  declare(set(numbered(4), { adopt: true }));
  await stack.expect("up");
  expect(changes(made)).toEqual([]);
  expect(numbersOf(made)).toHaveLength(4);
  await stack.expect("preview", "--expect-no-changes");
});

it("a set of proxy ports is looked up by its numbers, and imported without touching a port", async () => {
  const made = await withZone();
  const { stack, declare, simulator } = made;
  for (const port of [24_100, 24_101, 24_200])
    await edit(simulator.manager.url, "POST", "/api/proxies", { proxy: { port, zone: "web" } });
  changes(made);
  stack.setEnvironment({ BRIGHTDATA_MANAGERS: JSON.stringify({ "fra-1": { url: simulator.manager.url } }) });
  const text = "this.handler=()=>require('pulumi-brightdata/provider').resource('ProxyPorts')";
  const inputs = { __provider: text, manager: "fra-1", defaults: { zone: "web" }, ports: numbered(2) };
  const type = "pulumi-nodejs:dynamic/brightdata:ProxyPorts";
  const file = join(stack.folder, "import.json");
  const resources = [{ type, name: "fleet", id: "fra-1/24100-24101", inputs, outputs: inputs }];
  await writeFile(file, JSON.stringify({ resources }));
  const imported = await stack.importFile(file);
  expect(imported.stderr + imported.stdout).toContain("1 imported");
  const found: Declaration = { kind: "ProxyPorts", name: "found", get: "24100-24110,24200" };
  declare(set(numbered(2), { manager: "fra-1" }), found);
  await stack.expect("up");
  expect(await stack.outputs()).toMatchObject({
    fleet: { ports: { p0: { listenPort: 24_100, zone: "web" }, p1: { listenPort: 24_101 } } },
    found: { ports: { 24100: { listenPort: 24_100 }, 24101: { zone: "web" }, 24200: { port: 24_200 } } },
  });
  await stack.expect("preview", "--expect-no-changes");
  expect(changes(made)).toEqual([]);
});

it("a set of the plugin is imported by the engine's command as a program declares it, and nothing differs", async () => {
  const made = await withZone(nativeScene);
  const { stack, declare, simulator } = made;
  for (const port of [24_100, 24_101, 24_102])
    await edit(simulator.manager.url, "POST", "/api/proxies", { proxy: { port, zone: "web", rotate_session: true } });
  changes(made);
  declare();
  const { status, stdout, stderr } = await stack.import("brightdata:index:ProxyPorts", "fleet", "24100-24102");
  expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/fleet.*imported/)]);
  expect(stdout + stderr).not.toMatch(/bug in the provider|not a property/);
  const ports = Object.fromEntries([24_100, 24_101, 24_102].map((port) => [port, { port }]));
  const args = { defaults: { zone: "web", rotateSession: true }, ports };
  const inputs = (await stack.resources()).find(({ type }) => type.endsWith("ProxyPorts"))?.inputs;
  expect(inputs).toMatchObject(args);
  declare({ ...set(ports, args), options: { protect: true } });
  await stack.expect("preview", "--expect-no-changes");
  await stack.expect("refresh", "--expect-no-changes");
  expect(changes(made)).toEqual([]);
});

it("a set of the plugin shows what the program has changed, and nothing that its ports share as removed", async () => {
  const { stack, declare } = await withZone(nativeScene);
  const defaults = { zone: "web", rotateSession: true };
  const ports: Ports = { ...numbered(20), p3: { port: 24_103, country: "us" } };
  declare(set(ports, { defaults }));
  await stack.expect("up");
  const shown = async () => (await stack.expect("preview", "--diff")).split("--outputs:--")[0];

  declare(set({ ...ports, p3: { port: 24_103, country: "de" } }, { defaults }));
  const one = await shown();
  expect(one).toMatch(/~ ports: \{\n\s*~ p3: \{\n\s*~ country: "us" => "de"\n\s*\}\n\s*\}\n\s*$/);

  declare(set(ports, { defaults: { ...defaults, throttle: 7 } }));
  const shared = await shown();
  expect(shared).toMatch(/~ defaults: \{\n\s*\+ throttle: 7\n\s*\}\n\s*$/);
});
