import { describe, expect, it, vi } from "vitest";
import { type Running, signalGroup } from "../../scripts/process.mts";
import type { FaultTarget } from "../../simulator/fault";
import { hasTurn } from "../turn";
import { type Declaration, type Scene, scene } from "./harness";
import { Hold, type Side } from "./hold";
import { FORMS, putIn } from "./nativeScene";
import { childrenOf, signalProcessGroup } from "./processes";

/** The kinds that stand for the others, by the requests that are theirs. */
const KINDS = {
  zone: /^\/zone(\/get_all_zones)?$/,
  ips: /^\/zone\/ips/,
  password: /^\/zone\/(passwords|add_password|remove_password)$/,
  collection: /^\/datasets\//,
  port: /^\/api\/(proxies|proxies_running|zones)/,
  allowed: /^\/api\/(wip|whitelist_ip|mode)/,
  settings: /^\/api\/settings/,
} as const;

/** What was begun in a killed update is looked for until its time is over, where nothing tells what became of it. */
const TIME = { create: 30, update: 30, delete: 30 };

const program = (version: number): Declaration[] => [
  { kind: "Zone", name: "zone", args: { plan: { type: "static", country: version === 1 ? "us" : "de" } } },
  {
    kind: "ZoneIps",
    name: "ips",
    args: { zone: "ips", count: 2, country: version === 1 ? "us" : "de", timeouts: TIME },
  },
  { kind: "ZonePassword", name: "password", args: { zone: "password", triggers: [version] } },
  {
    kind: "DatasetCollection",
    name: "collection",
    args: {
      datasetId: "gd_simulated",
      inputs: [{ url: "https://example.com/1" }],
      pollInterval: 1,
      timeouts: TIME,
      triggers: [version],
    },
  },
  { kind: "ProxyPort", name: "port", args: { zone: "ports", port: version === 1 ? undefined : 24_700 } },
  { kind: "WhitelistIp", name: "allowed", args: { ip: version === 1 ? "203.0.113.7" : "203.0.113.8" } },
  { kind: "ManagerSettings", name: "settings", args: { logs: version === 1 ? 500 : 600 } },
];

/** How a command ends before its time. */
const ENDINGS: Record<string, (running: Running) => void> = {
  "its provider is killed": ({ child }) => {
    for (const provider of providersOf(child.pid)) signalProcessGroup(provider, "SIGKILL");
  },
  "the power fails": ({ child }) => {
    const started = childrenOf(child.pid, "pulumi-");
    signalGroup(child, "SIGKILL");
    for (const plugin of started) signalProcessGroup(plugin, "SIGKILL");
  },
  // The terminal sends it to the CLI alone: the engine gives each of its plugins a process group.
  "a person presses Ctrl-C": ({ child }) => signalGroup(child, "SIGINT"),
  "a person presses Ctrl-C twice": ({ child }) => {
    signalGroup(child, "SIGINT");
    child.stdout?.on("data", (text: string) => {
      if (text.includes("press ^C again")) signalGroup(child, "SIGINT");
    });
  },
};

const providersOf = (engine: number | undefined): number[] =>
  ["pulumi-resource-pulumi-nodejs", "resource-brightdata-v"].flatMap((name) => childrenOf(engine, name));

async function ready(form: (typeof FORMS)[number]): Promise<Scene> {
  const made = await scene({ manager: { dropin: false }, remote: { snapshotStates: ["running", "ready"] } });
  await putIn(form, made.stack);
  // A request that is under way is not given up when a person interrupts: it has to end by itself.
  made.stack.setEnvironment({ BRIGHTDATA_REQUEST_TIMEOUT: "3", BRIGHTDATA_RETRIES: "0" });
  const { account } = made.simulator;
  for (const name of ["password", "ports"]) account.addZone(name, { type: "static" });
  account.addZone("ips", { type: "static", ips: 2 });
  return made;
}

/** Everything that costs money or stands for something, as the services have it. */
function holdings({ simulator: { account, manager } }: Scene) {
  return {
    zone: account.liveZones().flatMap(({ name, plan }) => (/^zone_/.test(name) ? [plan.country] : [])),
    ips: account
      .zone("ips")
      ?.allocatedIps.slice(2)
      .map(({ country }) => country),
    password: account.zone("password")?.password.slice(1).length,
    collection: [...account.snapshots.values()].map(({ status }) => status),
    port: manager.state.records.length,
    allowed: manager.state.settings.www_whitelist_ips ?? [],
    settings: manager.state.settings.logs,
  };
}

const NOTHING = { zone: [], ips: [], password: 0, port: 0, allowed: [], settings: 1000 };

const versionOf = (version: number) => ({
  zone: [version === 1 ? "us" : "de"],
  ips: version === 1 ? ["us", "us"] : ["de", "de"],
  password: 1,
  port: 1,
  allowed: [version === 1 ? "203.0.113.7" : "203.0.113.8"],
  settings: version === 1 ? 500 : 600,
});

/** Runs a command, of whose requests the n-th of each kind is held, and ends it there; what was held. */
async function cut(
  { simulator, stack }: Scene,
  command: "up" | "destroy",
  nth: number,
  turn: number,
  end: (running: Running) => void | Promise<void>,
): Promise<string[]> {
  const counts = new Map<number, number>();
  const sideOf = ({ path }: FaultTarget): Side | undefined => {
    const kind = Object.values(KINDS).findIndex((paths) => paths.test(path));
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    if (count < nth) return undefined;
    return (kind + Math.floor((nth + turn) / 2)) % 2 === 0 ? "before" : "after";
  };
  const hold = new Hold(simulator, sideOf);
  const running = stack.start(command, "--parallel", "32");
  if (await hold.settled(running.ending)) await end(running);
  await running.ending;
  hold.release();
  return hold.held;
}

/** What a person does: once more, after lifting the lock where the CLI asks for that. */
async function again({ stack }: Scene, command: "up" | "destroy"): Promise<void> {
  const { status, stdout, stderr } = await stack.command(command);
  if (status === 0) return;
  if (!stderr.includes("`pulumi cancel`")) throw new Error(`${stdout}\n${stderr}`);
  await stack.cancel();
  await stack.expect(command);
}

/** The most requests of one kind that a creation, a replacement or a deletion consists of. */
const MOST_REQUESTS = 5;

/** Two of the endings, each at one request, as a rule in different forms; other ones for each commit. */
const CASES = Object.keys(ENDINGS).flatMap((title, turn) =>
  Array.from({ length: MOST_REQUESTS }, (_, index) => index + 1).flatMap((nth) =>
    FORMS.filter((_, place) => {
      const half = (place + Math.floor(turn / 2)) % 2;
      return hasTurn(2 * nth + turn + 2 * MOST_REQUESTS * half, 4 * MOST_REQUESTS);
    }).map((form) => ({ title, turn, nth, form })),
  ),
);

it.each(CASES)("the next run converges when $title at request $nth of each kind ($form)", async (drawn) => {
  const { title, turn, nth, form } = drawn;
  const end = ENDINGS[title] as (running: Running) => void;
  const made = await ready(form);
  const { account } = made.simulator;
  made.declare(...program(1));
  const inCreation = await cut(made, "up", nth, turn, end);
  await again(made, "up");
  expect(holdings(made), `creation cut at ${inCreation.join()}`).toMatchObject(versionOf(1));
  expect(account.snapshots.size, `creation cut at ${inCreation.join()}`).toBe(1);

  made.declare(...program(2));
  const inReplacement = await cut(made, "up", nth, turn, end);
  await again(made, "up");
  expect(holdings(made), `replacement cut at ${inReplacement.join()}`).toMatchObject(versionOf(2));
  expect(account.snapshots.size, `replacement cut at ${inReplacement.join()}`).toBe(2);
  await made.stack.expect("preview", "--expect-no-changes");

  const inDeletion = await cut(made, "destroy", nth, turn, end);
  await again(made, "destroy");
  expect(holdings(made), `deletion cut at ${inDeletion.join()}`).toMatchObject(NOTHING);
});

describe("a provider does not outlive the CLI that started it", () => {
  /** Kills the CLI and the program's process, and waits for the provider's own end. */
  async function killed(running: Running): Promise<void> {
    const started = childrenOf(running.child.pid, "pulumi-");
    const providers = providersOf(running.child.pid);
    expect(providers).toHaveLength(1);
    signalGroup(running.child, "SIGKILL");
    for (const other of started) if (!providers.includes(other)) signalProcessGroup(other, "SIGKILL");
    await running.ending;
    await vi.waitFor(() => expect(providers.filter(isAlive)).toEqual([]), { timeout: 10_000 });
  }

  it.each(FORMS)("in the middle of something (%s)", async (form) => {
    const made = await ready(form);
    made.declare(...program(1));
    const hold = new Hold(made.simulator, ({ method }) => (method === "POST" ? "after" : undefined));
    const running = made.stack.start("up");
    expect(await hold.settled(running.ending)).toBe(true);
    await killed(running);
  });

  it("in the form of the plugin, and the next run takes up what it had begun", async () => {
    const made = await ready("native");
    const { account } = made.simulator;
    made.declare(...program(1));
    const inCreation = await cut(made, "up", 2, 1, killed);
    await again(made, "up");
    expect(holdings(made), `creation cut at ${inCreation.join()}`).toMatchObject(versionOf(1));
    expect(account.snapshots.size, `creation cut at ${inCreation.join()}`).toBe(1);
    await made.stack.expect("preview", "--expect-no-changes");
  });

  it.each(FORMS)("when it is idle (%s)", async (form) => {
    const made = await ready(form);
    made.declare(
      { kind: "ProxyPort", name: "port", args: { zone: "ports", port: 24_700 } },
      { call: "getZoneOutput", name: "waiting", args: { name: { $output: ["port", "zone"] } } },
    );
    const hold = new Hold(made.simulator, ({ path }) => (path === "/zone" ? "before" : undefined));
    const running = made.stack.start("up");
    expect(await hold.settled(running.ending)).toBe(true);
    expect(await made.stack.resources()).toHaveLength(1);
    await killed(running);
    hold.release();
  });
});

describe("a replacement that was killed when its creation was carried out", () => {
  /** Runs an update whose first request of a kind is held when it is carried out, and ends it there. */
  async function killed(made: Scene, isHeld: (request: FaultTarget) => boolean): Promise<void> {
    const hold = new Hold(made.simulator, (request) => (isHeld(request) ? "after" : undefined));
    const running = made.stack.start("up");
    expect(await hold.settled(running.ending)).toBe(true);
    ENDINGS["the power fails"]?.(running);
    await running.ending;
    hold.release();
  }

  it.each(FORMS)("goes on where what is replaced had to make room (%s)", async (form) => {
    const made = await ready(form);
    const { state } = made.simulator.manager;
    const allowed = (ip: string): Declaration => ({ kind: "WhitelistIp", name: "allowed", args: { ip } });
    made.declare(allowed("203.0.113.7"));
    await made.stack.expect("up");
    made.declare(allowed("203.0.113.8"));
    const isGone = () => state.settings.www_whitelist_ips?.includes("203.0.113.7") !== true;
    await killed(made, ({ method }) => method !== "GET" && isGone());
    expect(state.settings.www_whitelist_ips).toEqual(["203.0.113.8"]);
    await again(made, "up");
    expect(state.settings.www_whitelist_ips).toEqual(["203.0.113.8"]);
    await made.stack.expect("preview", "--expect-no-changes");
  });

  it.each(FORMS)("is told of where the program goes back (%s)", async (form) => {
    const made = await ready(form);
    const zone = (country: string): Declaration => ({
      kind: "Zone",
      name: "zone",
      args: { plan: { type: "static", country } },
    });
    made.declare(zone("us"));
    await made.stack.expect("up");
    made.declare(zone("de"));
    await killed(made, ({ method, path }) => method === "POST" && path === "/zone");
    expect(holdings(made).zone).toEqual(["us", "de"]);
    made.declare(zone("us"));
    await made.stack.cancel();
    expect(await made.stack.expect("up")).toMatch(/may have created zone "zone_\w+", which may be in no state/);
    await made.stack.expect("preview", "--expect-no-changes");
    expect(holdings(made).zone).toEqual(["us", "de"]);
  });
});

it.each(FORMS)("an update without checkpoints loses none of its creations (%s)", async (form) => {
  const made = await ready(form);
  const { manager } = made.simulator;
  made.stack.setEnvironment({ PULUMI_SKIP_CHECKPOINTS: "true" });
  const numbers = [24_701, 24_702, 24_703, 24_704, 24_705];
  made.declare(
    ...numbers.map((port): Declaration => ({ kind: "ProxyPort", name: `port-${port}`, args: { zone: "ports", port } })),
  );
  let creations = 0;
  const hold = new Hold(made.simulator, ({ method }) => {
    if (method === "POST") creations++;
    return creations > 3 ? "after" : undefined;
  });
  const running = made.stack.start("up", "--parallel", "1");
  expect(await hold.settled(running.ending)).toBe(true);
  ENDINGS["the power fails"]?.(running);
  await running.ending;
  hold.release();
  expect(manager.state.records).toHaveLength(4);
  expect(await made.stack.resources()).toEqual([]);

  await again(made, "up");
  expect(manager.state.records.map(({ port }) => port).toSorted()).toEqual(numbers);
  expect(await made.stack.resources()).toHaveLength(5);
  await made.stack.expect("preview", "--expect-no-changes");
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
