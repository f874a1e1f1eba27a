import { mkdirSync, renameSync, rmSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { signalGroup } from "../../scripts/process.mts";
import { type Simulator, startSimulator } from "../../simulator";
import type { FaultTarget } from "../../simulator/fault";
import { type Declaration, type DeclaredStack, type Kind, type Scene, scene, stackOn } from "./harness";
import { Hold } from "./hold";
import { childrenOf, signalProcessGroup } from "./processes";

const PLAN = { type: "static", ipsType: "shared", country: "us" };
const OFFICE = "203.0.113.7";

const declared = (kind: Kind, name: string, args: object, options: object = {}): Declaration => ({
  kind,
  name,
  args,
  options,
});

const zone = (name: string, args: object, options?: object): Declaration =>
  declared("Zone", name, { plan: PLAN, ...args }, options);

const access = (name: string, options?: object): Declaration =>
  declared("ZoneAccess", name, { zone: "access", allowedIps: [OFFICE] }, options);

/** A resource whose creation fails. */
const BROKEN = declared("ProxyPort", "broken", { port: 24_999, zone: "access" });

/** A stack whose account has the zone `access`, open to everybody. */
async function standing(): Promise<Scene> {
  const made = await scene({ manager: { dropin: false } });
  const { simulator, stack } = made;
  stack.setEnvironment({ BRIGHTDATA_RETRIES: "0" });
  simulator.account.addZone("access", { type: "static", ips: 1 });
  simulator.manager.service.faults.add({
    method: "POST",
    path: "/api/proxies",
    containing: "24999",
    kind: "respond",
    status: 400,
    times: Number.POSITIVE_INFINITY,
  });
  return made;
}

/** Runs an update that fails because of {@link BROKEN}, and declares the rest afterwards. */
async function upBeside({ stack, declare }: DeclaredStack, declarations: Declaration[], ...options: string[]) {
  declare(...declarations, BROKEN);
  const { status, stdout } = await stack.command("up", ...options);
  expect(status, stdout).not.toBe(0);
  expect(stdout.match(/\*\*creating failed\*\*|\*\*updating failed\*\*|\*\*deleting failed\*\*/g), stdout).toHaveLength(
    1,
  );
  declare(...declarations);
  return stdout;
}

/** Looks at every request before it is served. */
function onRequest({ remote, manager }: Simulator, look: (request: FaultTarget) => void): void {
  for (const { service } of [remote, manager]) {
    const take = service.faults.take.bind(service.faults);
    vi.spyOn(service.faults, "take").mockImplementation((request) => {
      look(request);
      return take(request);
    });
  }
}

const zonesOf = ({ account }: Simulator): string[] =>
  account
    .liveZones()
    .map(({ name }) => name)
    .filter((name) => name !== "access")
    .sort();

/** What costs money: the zones, and how many IPs each has. */
const bought = ({ account }: Simulator): Record<string, number> =>
  Object.fromEntries(account.liveZones().map(({ name, allocatedIps }) => [name, allocatedIps.length]));

const passwordsOf = ({ account }: Simulator, name: string): string[] | undefined => account.zone(name)?.password;

const urnOf = async ({ stack }: DeclaredStack, name: string): Promise<string> =>
  (await stack.resources()).find(({ urn }) => urn.endsWith(`::${name}`))?.urn as string;

const namesIn = async ({ stack }: DeclaredStack): Promise<string[]> =>
  (await stack.resources()).map(({ urn }) => urn.split("::").at(-1) as string).sort();

const notesOf = async ({ stack }: DeclaredStack): Promise<string[]> =>
  readdir(join(stack.folder, "home/brightdata/intents")).catch(() => []);

/** Ends an update the moment something that is asked of a service has been carried out. */
async function killed(made: Scene, isHeld: (request: FaultTarget) => boolean): Promise<void> {
  const hold = new Hold(made.simulator, (request) => (isHeld(request) ? "after" : undefined));
  const running = made.stack.start("up");
  expect(await hold.settled(running.ending)).toBe(true);
  const started = childrenOf(running.child.pid, "pulumi-");
  signalGroup(running.child, "SIGKILL");
  for (const plugin of started) signalProcessGroup(plugin, "SIGKILL");
  await running.ending;
  hold.release();
}

const isAddition = ({ method, path }: FaultTarget): boolean => method === "POST" && path === "/zone/ips";
const isZoneCreation = ({ method, path }: FaultTarget): boolean => method === "POST" && path === "/zone";

/** The state as it is, to be given back later. */
async function savedState({ stack }: DeclaredStack): Promise<{ folder: string; giveBack(): Promise<void> }> {
  const all = join(stack.folder, "backend/.pulumi/stacks");
  const folder = join(all, (await readdir(all))[0] as string);
  const files = (await readdir(folder)).filter((name) => /^demo\.json(\.gz)?$/.test(name));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name))));
  return {
    folder,
    giveBack: async () => {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder);
      for (const [index, name] of files.entries()) await writeFile(join(folder, name), texts[index] as Buffer);
    },
  };
}

it("an update whose state is saved leaves no notes", async () => {
  const made = await standing();
  made.declare(
    zone("web", {}),
    access("limits"),
    declared("ZoneIps", "ips", { zone: "access", count: 2 }),
    declared("ZonePassword", "password", { zone: "access" }),
    { component: "group" },
    declared("ProxyPort", "port", { zone: "access" }, { parent: "group" }),
  );
  const begun = new Set<string>();
  let looking: Promise<unknown> = Promise.resolve();
  onRequest(made.simulator, () => {
    looking = notesOf(made).then((names) => names.map((name) => begun.add(name)));
  });
  await made.stack.expect("up");
  await looking;
  expect(begun.size).toBeGreaterThan(0);
  expect(await notesOf(made)).toEqual([]);
  made.declare(zone("web", {}), declared("ZoneIps", "ips", { zone: "access", count: 3 }));
  await made.stack.expect("up");
  expect(await notesOf(made)).toEqual([]);
  await made.stack.expect("destroy");
  expect(await notesOf(made)).toEqual([]);
});

it("what was renamed by an alias goes, and its former name has taken over what it had", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(zone("a", { name: "web" }), access("limits-a"));
  await stack.expect("up");
  const password = passwordsOf(simulator, "web");
  declare(
    zone("b", { name: "web" }, { aliases: [{ name: "a" }] }),
    access("limits-b", { aliases: [{ name: "limits-a" }] }),
  );
  await stack.expect("up", "--expect-no-changes");
  await upBeside(made, [zone("a", { name: "web", adopt: true }), access("limits-a")]);
  await stack.expect("up");
  expect(zonesOf(simulator)).toEqual(["web"]);
  expect(passwordsOf(simulator, "web")).toEqual(password);
  expect(simulator.account.zone("access")?.ips).toEqual([OFFICE]);
  expect(await namesIn(made)).toEqual(["a", "limits-a"]);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("what an engine has made that could not save its state is taken up, and nothing is bought again", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(access("limits"));
  await stack.expect("up");
  const { folder, giveBack } = await savedState(made);
  declare(access("limits"), zone("web", {}), declared("ZoneIps", "ips", { zone: "access", count: 2 }));
  let isGone = false;
  onRequest(simulator, ({ method }) => {
    if (isGone || method !== "POST") return;
    isGone = true;
    renameSync(folder, `${folder}-former`);
    // Nothing can be written into a file.
    mkdirSync(join(folder, "demo.json/full"), { recursive: true });
  });
  const { status, stdout, stderr } = await stack.command("up", "--parallel", "32");
  expect(isGone).toBe(true);
  expect(status, `${stdout}\n${stderr}`).not.toBe(0);
  rmSync(`${folder}-former`, { recursive: true });
  await giveBack();
  expect(await namesIn(made)).toEqual(["limits"]);
  const before = bought(simulator);
  expect(Object.values(before)).toEqual([3, 0]);

  expect(await stack.expect("up")).toContain("Took up");
  expect(bought(simulator)).toEqual(before);
  expect(await namesIn(made)).toEqual(["ips", "limits", "web"]);
  expect(await notesOf(made)).toEqual([]);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("a zone is not open for a moment where its access is replaced beside a failure, which is removed", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(access("limits"));
  await stack.expect("up");
  const isOpen = () => simulator.account.zone("access")?.ips.includes("any");
  const moments = new Set<unknown>();
  onRequest(simulator, () => moments.add(isOpen()));
  await upBeside(made, [access("limits")], "--replace", await urnOf(made, "limits"));
  await stack.expect("up");
  expect([...moments, isOpen()]).toEqual([false, false]);
  expect(simulator.account.zone("access")?.ips).toEqual([OFFICE]);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("two zones swap their names, and both stay", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const zones = (one: string, two: string) => [
    zone("one", { name: one, adopt: true }),
    zone("two", { name: two, adopt: true }),
  ];
  declare(...zones("web", "shop"));
  await stack.expect("up");
  const passwords = () => ["web", "shop"].map((name) => passwordsOf(simulator, name));
  const before = passwords();
  const deleted: string[] = [];
  onRequest(simulator, ({ method, path }) => {
    if (method === "DELETE") deleted.push(path);
  });
  declare(...zones("shop", "web"));
  await stack.expect("up");
  expect(deleted).toEqual([]);
  expect(passwords()).toEqual(before);
  expect((await stack.outputs()) as object).toMatchObject({ one: { name: "shop" }, two: { name: "web" } });
  await stack.expect("preview", "--expect-no-changes", "--refresh");
  await stack.expect("destroy");
  expect(zonesOf(simulator)).toEqual([]);
});

it("a zone stays that another resource takes over in the update in which the first gets another", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(zone("a", { name: "web" }));
  await stack.expect("up");
  const password = passwordsOf(simulator, "web");
  simulator.remote.service.faults.add({ delayMs: 400, times: Number.POSITIVE_INFINITY });
  const deleted: string[] = [];
  onRequest(simulator, ({ method, path, query }) => {
    if (method === "DELETE") deleted.push(`${path}?${query}`);
  });
  declare(zone("a", { name: "shop" }), zone("b", { name: "web", adopt: true }));
  await stack.expect("up");
  expect(deleted).toEqual([]);
  expect(zonesOf(simulator)).toEqual(["shop", "web"]);
  expect(passwordsOf(simulator, "web")).toEqual(password);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("nothing is done with another account's token", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const other = await startSimulator({ customer: "hl_other" });
  onTestFinished(() => other.close());
  other.account.addZone("access", { type: "static", ips: 1 });
  const program = (count: number, disabled: boolean): Declaration[] => [
    zone("web", { name: "web", disabled }),
    access("limits"),
    declared("ZoneIps", "ips", { zone: "access", count }),
    declared("ZonePassword", "password", { zone: "access" }),
  ];
  declare(...program(1, false));
  await stack.expect("up");
  const [before, theirs] = [bought(simulator), bought(other)];
  const state = await namesIn(made);
  const { BRIGHTDATA_PROXY_MANAGER_URL: _, ...environment } = other.environment();
  stack.setEnvironment(environment);
  declare(...program(3, true));
  for (const command of ["refresh", "up", "destroy"] as const) {
    const { status, stdout } = await stack.command(command);
    expect(status, command).not.toBe(0);
    expect(stdout, command).toContain("is recorded with another account than that of the token");
    expect([bought(simulator), bought(other), await namesIn(made)], command).toEqual([before, theirs, state]);
  }
  expect(other.remote.service.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  stack.setEnvironment(simulator.environment());
  await stack.expect("up");
  expect(bought(simulator)).toEqual({ access: 4, web: 0 });
});

it("a stack of the same name with another backend takes nothing over, and deletes nothing of the first", async () => {
  const made = await standing();
  const { simulator, stack } = made;
  const second = await stackOn(simulator);
  second.stack.setEnvironment({ BRIGHTDATA_RETRIES: "0", PULUMI_HOME: join(stack.folder, "home") });
  const program = [zone("web", {}), declared("ZoneIps", "ips", { zone: "access", count: 2 })];
  for (const { declare } of [made, second]) declare(...program);
  let held = 0;
  await killed(made, (request) => (isZoneCreation(request) || isAddition(request)) && ++held > 0);
  expect(held).toBe(2);
  const first = bought(simulator);
  expect(Object.values(first)).toEqual([3, 0]);

  const printed = await second.stack.expect("up");
  expect(printed).not.toContain("Took up");
  expect(Object.values(bought(simulator))).toEqual([5, 0, 0]);
  await second.stack.expect("destroy");
  expect(bought(simulator)).toEqual(first);
  await stack.cancel();
  expect(await stack.expect("up")).toContain("Took up");
  expect(bought(simulator)).toEqual(first);
});

it("IPs that a killed update has added are not bought again where the Proxy Manager has another URL", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  declare(declared("ZoneIps", "ips", { zone: "access", count: 2 }));
  await killed(made, isAddition);
  expect(bought(simulator)).toEqual({ access: 3 });
  stack.setEnvironment({ BRIGHTDATA_PROXY_MANAGER_URL: simulator.manager.url.replace("127.0.0.1", "localhost") });
  await stack.cancel();
  await stack.expect("up");
  expect(bought(simulator)).toEqual({ access: 3 });
});

it("a ban stands on the port that takes its port's place", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const bans = () => [...(simulator.manager.state.running.get("24000")?.bans.keys() ?? [])];
  declare(
    declared("ProxyPort", "port", { port: 24_000, zone: "access" }),
    declared("BannedIp", "ban", { ip: "203.0.113.9", port: { $output: ["port", "port"] } }),
  );
  await stack.expect("up");
  const before = bans();
  expect(before).toHaveLength(1);
  await stack.expect("up", "--replace", await urnOf(made, "port"));
  expect(bans()).toEqual(before);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("one thing that two resources declare is refused in the preview, which names both", async () => {
  const made = await standing();
  const { stack, declare } = made;
  const things: [kind: Kind, args: object, thing: string][] = [
    ["ProxyPort", { port: 24_000, zone: "access" }, "port 24000"],
    ["Zone", { name: "web", plan: PLAN }, "zone web"],
    ["WhitelistIp", { ip: OFFICE }, `ui-list ${OFFICE}`],
  ];
  for (const [kind, args, thing] of things) {
    declare(declared(kind, "one", args), declared(kind, "two", args));
    const { status, stdout } = await stack.command("preview");
    expect(status, kind).not.toBe(0);
    expect(stdout).toMatch(new RegExp(`${thing} is declared twice, by "(one|two)" and by "(?!\\1")(one|two)"`));
  }
});

it("an address stays on the list where it goes from a WhitelistIp to the settings", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const list = () => simulator.manager.state.settings.www_whitelist_ips ?? [];
  const settings = (args: object) => declared("ManagerSettings", "settings", { logs: 500, ...args });
  declare(declared("WhitelistIp", "office", { ip: OFFICE }), settings({}));
  await stack.expect("up");
  expect(list()).toEqual([OFFICE]);
  declare(settings({ wwwWhitelistIps: [OFFICE] }));
  await stack.expect("up");
  expect(list()).toEqual([OFFICE]);
  await stack.expect("preview", "--expect-no-changes", "--refresh");
});

it("a preview warns once of each thing that is wrong with the configuration", async () => {
  const made = await standing();
  const { simulator, stack, declare } = made;
  const options = { customTimeouts: { create: "5m" } };
  declare(zone("one", {}, options), zone("two", {}, options), access("limits"));
  await stack.setConfig("brightdata:apiTokn", "x", true);
  await stack.setConfig("brightdata:apiToken", simulator.token);
  // The lines above tell of the course, with the last warning of each resource.
  const diagnosticsOf = async () => (await stack.expect("preview")).split("Diagnostics:")[1] ?? "";
  const warned = await diagnosticsOf();
  const times = (printed: string, words: string) => printed.split(words).length - 1;
  for (const words of ["has brightdata:apiTokn, which", "is in plain text", "`customTimeouts` has no effect"])
    expect(times(warned, words), warned).toBe(1);
  expect(warned).toContain("Did you mean brightdata:apiToken?");
  expect(warned).not.toContain("There is no Bright Data API token.");

  await stack.removeConfig("brightdata:apiToken");
  stack.setEnvironment({ BRIGHTDATA_API_TOKEN: undefined });
  const printed = await diagnosticsOf();
  expect(times(printed, "There is no Bright Data API token."), printed).toBe(1);
});
