import { describe, expect, test, vi } from "vitest";
import type { BanList } from "../../../simulator/manager/banList";
import { ArgumentError, ConnectionError, NotFoundError, ResponseFormatError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { bannedIpLifecycle as bannedIp } from "../../../src/kinds/bannedIp/lifecycle";
import { CancelledError } from "../../../src/lifecycle/deadline";
import { PartialFailure, type Step, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { pick } from "../../../src/lifecycle/paths";
import {
  cancelledBy,
  changes,
  declaredIn,
  described,
  failure,
  forgetRequests,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

const IP = "203.0.113.7";

interface Ports extends Stage {
  /** The banned IPs of a port as the manager lists them. */
  banned(port: number): string[];
  /** Reads as a refresh does. */
  refresh(id: string, state: JsonObject, inputs: JsonObject): Promise<JsonObject | undefined>;
  /** The state after a refresh, and an update if that finds a difference. */
  converge(id: string, state: JsonObject, inputs: JsonObject): Promise<JsonObject>;
  /** Lets time pass for the manager and for this process. */
  pass(ms: number): void;
}

/** A manager with the ports 24000 and 24001, and no drop-in port. */
async function ports(aheadMs = 0): Promise<Ports> {
  let offset = aheadMs;
  const scene = await stage({ clock: () => new Date(Date.now() + offset), manager: { dropin: false } });
  scene.account.addZone("web", { type: "static" });
  for (const port of [24_000, 24_001]) await scene.context.manager.ports.create({ port, zone: "web" });
  forgetRequests(scene);
  const refresh: Ports["refresh"] = (id, state, inputs) => {
    const step = { ...scene.step(), context: scene.anotherContext() };
    return bannedIp.read(id, pick(state, declaredIn(inputs)), step, state);
  };
  return Object.assign(scene, {
    banned: (port: number) => scene.manager.state.running.get(String(port))?.bans.keys() ?? [],
    refresh,
    converge: async (id: string, state: JsonObject, inputs: JsonObject) => {
      const found = await refresh(id, state, inputs);
      if (found === undefined) throw new Error("it is gone");
      const { changed } = bannedIp.diff(found, declaredIn(inputs), inputs);
      return changed.length === 0 ? found : bannedIp.update(id, found, declaredIn(inputs), inputs, scene.step());
    },
    pass: (ms: number) => {
      offset += ms;
    },
  });
}

describe("checking a ban", () => {
  test.each<[JsonObject, string]>([
    [{}, "`ip` is missing: expected an IPv4 address."],
    [{ ip: "10.0.0.0/8" }, '`ip` is "10.0.0.0/8": expected an IPv4 address of four octets'],
    [{ ip: "2001:db8::1" }, '`ip` is "2001:db8::1"'],
    [
      { ip: IP, domain: "https://example.com" },
      '`domain` is "https://example.com": expected a host name in lower case',
    ],
    [{ ip: IP, domain: "Example.com" }, '`domain` is "Example.com"'],
    [{ ip: IP, port: 0 }, "`port` is 0: expected the number of a proxy port"],
    [{ ip: IP, ports: [] }, "`ports` is []: expected one or more ports"],
    [{ ip: IP, port: 24_000, ports: [24_001] }, "`port` and `ports` exclude each other"],
    [{ ip: IP, durationMs: 2 ** 31 }, "`durationMs` is 2147483648: expected whole milliseconds from 1 to 2147483647"],
    [{ ip: IP, durationMs: 0.5 }, "`durationMs` is 0.5"],
    [{ ip: IP, renew: true }, "`renew` is true without `durationMs`"],
    [{ ip: IP, adopt: true }, "`adopt` is not a property of this resource"],
  ])("%j fails", (inputs, words) => {
    const { failures } = bannedIp.check(inputs, undefined);
    expect(failures).toHaveLength(1);
    expect(failures[0]).toContain(words);
  });

  test("takes an IP in its one form, or as the service hides it, and what is not known yet", () => {
    expect(bannedIp.check({ ip: " 203.0.113.7/32" }, undefined)).toEqual({ inputs: { ip: IP }, failures: [] });
    expect(bannedIp.check({ ip: `r${"0a".repeat(16)}` }, undefined).failures).toEqual([]);
    const unknown = {
      ip: UNKNOWN,
      domain: UNKNOWN,
      port: UNKNOWN,
      ports: [UNKNOWN],
      durationMs: UNKNOWN,
      renew: UNKNOWN,
    };
    expect(bannedIp.check(unknown, undefined)).toEqual({ inputs: unknown, failures: [] });
  });

  test("another IP or host is another ban; all else is changed in place", () => {
    const state = { ip: IP, ports: [24_000] };
    const replaces = (inputs: JsonObject) => bannedIp.diff(state, new Set(["ip"]), { ip: IP, ...inputs }).replaces;
    expect(replaces({ ip: "203.0.113.8" })).toEqual(["ip"]);
    expect(replaces({ domain: "example.com" })).toEqual(["domain"]);
    expect(replaces({ port: 24_001, durationMs: 5, renew: true })).toEqual([]);
    expect(bannedIp.diff(state, new Set(["ip", "ports"]), { ip: IP, ports: [24_000, 24_000] }).changed).toEqual([]);
  });

  test("a ban that is over is as declared, unless it is to begin again then", () => {
    const changed = (state: JsonObject, inputs: JsonObject) =>
      bannedIp.diff({ ip: IP, ports: [24_000], ...state }, declaredIn(inputs), { ip: IP, ...inputs }).changed;
    const inputs = { ip: IP, durationMs: 5 };
    expect(changed({ ...inputs, expired: true }, inputs)).toEqual([]);
    expect(changed({ ...inputs, renew: true }, { ...inputs, renew: true })).toEqual([]);
    expect(changed({ ...inputs, renew: true, expired: true }, { ...inputs, renew: true })).toEqual(["ports"]);
  });
});

test("what a ban has of the manager is itself on each of its ports", () => {
  expect(bannedIp.holdings(IP, { ip: IP, ports: [24_001, 24_000] }).has).toEqual([
    `ban of ${IP} on port 24000`,
    `ban of ${IP} on port 24001`,
  ]);
  const forHost = { ip: `${IP}/32`, domain: "example.com", port: 24_000 };
  expect(bannedIp.holdings(undefined, forHost).has).toEqual([`ban of ${IP}/example.com on port 24000`]);
});

test("what a ban has of the manager is certain from inputs only where they say all of it", () => {
  expect(bannedIp.holdings(undefined, { ip: IP }).has).toEqual([]);
  expect(bannedIp.holdings(undefined, { ip: UNKNOWN, port: 24_000 }).has).toEqual([]);
  expect(bannedIp.holdings(undefined, { ip: IP, domain: UNKNOWN, port: 24_000 }).has).toEqual([]);
  expect(bannedIp.holdings(undefined, { ip: IP, ports: [UNKNOWN, 24_001] }).has).toEqual([
    `ban of ${IP} on port 24001`,
  ]);
});

test("what a ban has of the manager is kept for one that is announced, whoever has made it", () => {
  const ban = `ban of ${IP} on port 24000`;
  expect(bannedIp.holdings(undefined, { ip: IP, port: 24_000 }).takesOver).toEqual([ban]);
  expect(bannedIp.holdings(IP, { ip: IP, ports: [24_000] }).takesOver).toBeUndefined();
});

test("what a ban has of the manager stays where it is another resource's by now, and goes from the other ports", async () => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP }, scene.step());
  const own = bannedIp.without(state, new Set([`ban of ${IP} on port 24000`]));
  await bannedIp.delete(id, own, scene.step());
  expect([24_000, 24_001].map(scene.banned)).toEqual([[IP], []]);
});

test("what a ban of every port has stays meant for a port where another resource has made it, or lifted it", async () => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP }, scene.step());
  const without = bannedIp.without(state, new Set([`ban of ${IP} on port 24000`])) as typeof state;
  const update = () => bannedIp.update(id, without, declaredIn({ ip: IP }), { ip: IP }, scene.step());
  forgetRequests(scene);
  expect(await update()).toEqual(state);
  expect(changes(scene)).toEqual([]);
  await scene.context.manager.bans.remove(24_000, { ip: IP });
  scene.context.bans(24_000).forget();
  // One that listens only now is not meant.
  await scene.context.manager.ports.create({ port: 24_002, zone: "web" });
  expect(await update()).toEqual(state);
  expect([24_000, 24_001, 24_002].map(scene.banned)).toEqual([[IP], [IP], []]);
});

test("what a ban of every port has keeps the end that another resource has given it on a port", async () => {
  const scene = await ports();
  const [every, other] = [{ mark: "m.every" }, { mark: "m.other" }];
  const { id, state } = await bannedIp.create({ ip: IP }, { ...scene.step(), me: every });
  const brief = { ip: IP, port: 24_000, durationMs: 60_000 };
  const { state: made } = await bannedIp.create(brief, { ...scene.step(), me: other });
  scene.context.claims.made(other, bannedIp.holdings(id, made).has);
  const without = bannedIp.without(state, new Set([`ban of ${IP} on port 24000`])) as typeof state;
  forgetRequests(scene);
  const step = { ...scene.step(), me: every };
  expect(await bannedIp.update(id, without, declaredIn({ ip: IP }), { ip: IP }, step)).toEqual(state);
  expect(changes(scene)).toEqual([]);
  scene.pass(60_001);
  await bannedIp.update(id, without, declaredIn({ ip: IP }), { ip: IP }, step);
  expect([24_000, 24_001].map(scene.banned)).toEqual([[IP], [IP]]);
});

test("what a ban has of the manager goes before its replacement comes, which would be nothing beside it", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  const narrower = { ...inputs, domain: "example.com" };
  const { replaces, deleteBeforeReplace } = bannedIp.diff(state, declaredIn(inputs), narrower);
  expect({ replaces, deleteBeforeReplace }).toEqual({ replaces: ["domain"], deleteBeforeReplace: true });
  await bannedIp.delete(id, state, scene.step());
  await bannedIp.create(narrower, scene.step());
  expect(scene.banned(24_000)).toEqual([`${IP}|example.com`]);
});

test("banning an IP on one port", async () => {
  const scene = await ports();
  const inputs = { ip: IP, domain: "example.com", port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  expect(id).toBe("203.0.113.7/example.com");
  expect(state).toEqual({ ...inputs, ports: [24_000] });
  expect(scene.banned(24_000)).toEqual(["203.0.113.7|example.com"]);
  expect(scene.banned(24_001)).toEqual([]);
  expect(await scene.converge(id, state, inputs)).toEqual(state);
  await bannedIp.delete(id, state, scene.step());
  expect(scene.banned(24_000)).toEqual([]);
  await bannedIp.delete(id, state, scene.step());
});

test("banning an IP on every port that there is, but not on those that come later", async () => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP }, scene.step());
  expect(state).toEqual({ ip: IP, ports: [24_000, 24_001] });
  await scene.context.manager.ports.create({ port: 24_002, zone: "web" });
  expect(await scene.converge(id, state, { ip: IP })).toEqual(state);
  expect([24_000, 24_001, 24_002].map(scene.banned)).toEqual([[IP], [IP], []]);
  await bannedIp.delete(id, state, scene.step());
  expect([24_000, 24_001].flatMap(scene.banned)).toEqual([]);
});

test("banning an IP without any port fails", async () => {
  const scene = await stage({ manager: { dropin: false } });
  const error = await failure(bannedIp.create({ ip: IP }, scene.step()));
  expect(error.message).toContain("has no ports yet");
});

test("banning an IP on a port that does not exist fails before anything is sent", async () => {
  const scene = await ports();
  const error = await failure(bannedIp.create({ ip: IP, ports: [24_000, 24_999] }, scene.step()));
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error.message).toContain("24999");
  expect(changes(scene)).toEqual([]);
});

test("moving a ban to a port that does not exist fails before it is lifted on the former one", async () => {
  const scene = await ports();
  const before = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(before, scene.step());
  forgetRequests(scene);
  const moved = bannedIp.update(id, state, declaredIn(before), { ip: IP, port: 24_999 }, scene.step());
  expect(await failure(moved)).toBeInstanceOf(NotFoundError);
  expect(changes(scene)).toEqual([]);
  const recreated = bannedIp.create({ ip: IP, port: 24_999 }, cutShort(scene, [24_000]));
  expect(await failure(recreated)).toBeInstanceOf(NotFoundError);
  expect(changes(scene)).toEqual([]);
});

test("banning an IP that is banned already makes the ban as declared", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_000, { ip: IP, ms: 5000 });
  await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  expect(await scene.context.manager.bans.list(24_000)).toEqual([{ ip: IP }]);
  forgetRequests(scene);
  await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  expect(changes(scene)).toEqual([]);
});

test("banning an IP that is banned already makes the ban as declared on every port, if none is named", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_001, { ip: IP, ms: 5000 });
  await bannedIp.create({ ip: IP }, scene.step());
  expect(await scene.context.manager.bans.list(24_001)).toEqual([{ ip: IP }]);
});

test("banning an IP that is banned already for a while begins anew with the time that is declared", async () => {
  const scene = await ports();
  const { bans } = scene.context.manager;
  const inputs = { ip: IP, port: 24_000, durationMs: 3_600_000 };
  await bans.add(24_000, { ip: IP, ms: 5000 });
  const { state } = await bannedIp.create(inputs, scene.step());
  expect(await bans.list(24_000)).toEqual([{ ip: IP, until: state.until }]);
  expect(Date.parse(String(state.until))).toBeGreaterThan(Date.now() + 3_000_000);
  // Also where it is another resource's: the port is named.
  scene.context.claims.made({ mark: "m.other" }, bannedIp.holdings(IP, state).has);
  const brief = await bannedIp.create({ ...inputs, durationMs: 60_000 }, { ...scene.step(), me: { mark: "m.me" } });
  expect(await bans.list(24_000)).toEqual([{ ip: IP, until: brief.state.until }]);
  expect(Date.parse(String(brief.state.until))).toBeLessThan(Date.now() + 3_000_000);
});

test("banning an IP is seen by those that look for it next", async () => {
  const scene = await ports();
  const look = () => bannedIp.read(IP, undefined, scene.step(), { ports: [24_000] });
  expect(await look()).toBeUndefined();
  await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  expect(await look()).toEqual({ ip: IP, ports: [24_000] });
});

test("banning an IP for one host where every host is covered already leaves it at that", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_000, { ip: IP });
  const inputs = { ip: IP, domain: "example.com", port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  expect(await scene.converge(id, state, inputs)).toEqual(state);
  await bannedIp.delete(id, state, scene.step());
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("lifting the ban of every host that covers another resource's for one host says that this one is to be created", async () => {
  const scene = await ports();
  const [wide, narrow] = [{ mark: "m.wide" }, { mark: "m.narrow" }];
  const said: string[] = [];
  const step = (me: { mark: string }) => ({ ...scene.step(), me, say: (words: string) => said.push(words) });
  const every = await bannedIp.create({ ip: IP }, step(wide));
  const inputs = { ip: IP, domain: "example.com", port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, step(narrow));
  scene.context.claims.made(narrow, bannedIp.holdings(id, state).has);
  // One list before the request, and one behind it that nobody answers.
  scene.manager.service.faults.add({ path: "/api/banlist/24000", kind: "respond", status: 500, times: 10 });
  await bannedIp.delete(every.id, every.state, step(wide));
  scene.manager.service.faults.clear();
  expect(said).toEqual([
    `The ban of ${IP} on port 24000 that is lifted was for example.com, too, where another resource of this program bans it: \`pulumi up --refresh\` creates that ban.`,
  ]);
  expect(await scene.refresh(id, state, inputs)).toBeUndefined();
});

test("lifting the ban of every host says nothing of one for a host that is deleted as well, as in a destruction", async () => {
  const scene = await ports();
  const said: string[] = [];
  const step = (mark: string) => ({ ...scene.step(), me: { mark }, say: (words: string) => said.push(words) });
  const every = await bannedIp.create({ ip: IP }, step("m.wide"));
  const narrow = await bannedIp.create({ ip: IP, domain: "example.com", port: 24_000 }, step("m.narrow"));
  scene.context.claims.recorded("m.narrow", bannedIp.holdings(narrow.id, narrow.state).has);
  await bannedIp.delete(every.id, every.state, step("m.wide"));
  expect(said).toEqual([]);
});

test("lifting the ban of every host beside another resource's for one host says nothing", async () => {
  const scene = await ports();
  const said: string[] = [];
  const step = (mark: string) => ({ ...scene.step(), me: { mark }, say: (words: string) => said.push(words) });
  const { id, state } = await bannedIp.create({ ip: IP, domain: "example.com", port: 24_000 }, step("m.narrow"));
  scene.context.claims.made({ mark: "m.narrow" }, bannedIp.holdings(id, state).has);
  const every = await bannedIp.create({ ip: IP }, step("m.wide"));
  await bannedIp.delete(every.id, every.state, step("m.wide"));
  expect(said).toEqual([]);
  expect(scene.banned(24_000)).toEqual([`${IP}|example.com`]);
});

test("banning an IP for one host beside a ban of every host that will end is refused: the manager would take no notice", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_000, { ip: IP, ms: 60_000 });
  const error = await failure(bannedIp.create({ ip: IP, domain: "example.com", port: 24_000 }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toContain("takes no ban for example.com alone");
});

test.each<[string, JsonObject]>([
  ["some of the ports named", { ip: IP, ports: [24_001, 24_000] }],
  ["some of all ports", { ip: IP }],
])("a ban that somebody has lifted on %s is put back there", async (_, inputs) => {
  const scene = await ports();
  const { id, state } = await bannedIp.create(inputs, scene.step());
  await scene.context.manager.bans.remove(24_001, { ip: IP });
  const found = (await scene.refresh(id, state, inputs)) as JsonObject;
  expect(found.missingOn).toEqual([24_001]);
  forgetRequests(scene);
  const settled = await scene.converge(id, state, inputs);
  expect(settled.missingOn).toBeUndefined();
  expect(changes(scene)).toEqual(["POST /api/proxies/24001/banip"]);
  expect(scene.banned(24_001)).toEqual([IP]);
});

test("a ban that somebody has lifted by a restart of the manager is gone", async () => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP }, scene.step());
  await scene.context.manager.process.restart({ wait: 0 });
  await scene.manager.settled();
  expect(await scene.refresh(id, state, { ip: IP })).toBeUndefined();
});

test("a ban that somebody has lifted with its port is not missed, unless the port was named", async () => {
  const scene = await ports();
  const every = await bannedIp.create({ ip: IP }, scene.step());
  const named = await bannedIp.create({ ip: "203.0.113.8", ports: [24_000, 24_001] }, scene.step());
  await scene.context.manager.ports.remove(24_001);
  expect(await scene.refresh(every.id, every.state, { ip: IP })).toEqual({ ip: IP, ports: [24_000] });
  const update = bannedIp.update(every.id, every.state, declaredIn({ ip: IP }), { ip: IP }, scene.step());
  expect(await update).toEqual({ ip: IP, ports: [24_000] });
  const inputs = { ip: "203.0.113.8", ports: [24_000, 24_001] };
  expect(await scene.refresh(named.id, named.state, inputs)).toMatchObject({ missingOn: [24_001] });
  expect(await failure(scene.converge(named.id, named.state, inputs))).toBeInstanceOf(NotFoundError);
  await bannedIp.delete(named.id, named.state, scene.step());
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("a ban that somebody has made to end, or not to, is made as declared again", async () => {
  const scene = await ports();
  const inputs = { ip: IP, ports: [24_000, 24_001] };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  await scene.context.manager.bans.remove(24_000, { ip: IP });
  await scene.context.manager.bans.add(24_000, { ip: IP, ms: 5000 });
  expect(await scene.refresh(id, state, inputs)).toMatchObject({ missingOn: [24_000] });
  await scene.converge(id, state, inputs);
  expect(await scene.context.manager.bans.list(24_000)).toEqual([{ ip: IP }]);
});

test.each<[JsonObject, { ms?: number }]>([
  [{}, { ms: 5000 }],
  [{ durationMs: 60_000 }, {}],
])("a ban with another end than declared is not gone (%j, but %j)", async (declared, other) => {
  const scene = await ports();
  const inputs: JsonObject & { ports: number[] } = { ip: IP, ports: [24_000, 24_001], ...declared };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  for (const port of inputs.ports) {
    await scene.context.manager.bans.remove(port, { ip: IP });
    await scene.context.manager.bans.add(port, { ip: IP, ...other });
  }
  expect(await scene.refresh(id, state, inputs)).toEqual({ ...inputs, missingOn: inputs.ports });
  expect(await scene.converge(id, state, inputs)).toEqual({
    ...inputs,
    ...(inputs.durationMs === undefined ? {} : { until: expect.any(String) as string }),
  });
});

test.each<[JsonObject, object]>([
  [{}, { to: Date.now() + 3_600_000 }],
  [{ durationMs: 60_000 }, {}],
  [{ durationMs: 60_000 }, { to: Date.now() + 3_600_000 }],
])("a ban with another end than declared is not what was to be made (%j, but %j)", async (declared, end) => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000, ...declared };
  scene.manager.service.faults.add({
    path: "/api/banlist/24000",
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ips: [{ ip: IP, ...end }] }),
    after: 1,
  });
  const error = await failure(bannedIp.create(inputs, scene.step()));
  expect(error).toMatchObject({ id: IP, state: { missingOn: [24_000] } });
  expect(error.message).toContain("lists one with another end");
  const { state } = error as PartialFailure;
  expect((await scene.converge(IP, state, inputs)).missingOn).toBeUndefined();
});

describe("a ban with an end", () => {
  const inputs = { ip: IP, port: 24_000, durationMs: 60_000 };

  test("stays in the state when it has run out, and is over", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    expect(state).toEqual({ ...inputs, ports: [24_000], until: expect.stringMatching(/Z$/) as string });
    expect(await scene.converge(id, state, inputs)).toEqual(state);
    scene.pass(60_000);
    const over = { ...state, until: new Date(0).toISOString() };
    forgetRequests(scene);
    expect(await scene.converge(id, over, inputs)).toEqual({ ...over, expired: true });
    expect(changes(scene)).toEqual([]);
    await bannedIp.delete(id, over, scene.step());
  });

  test("is over, and not lifted, in the second in which it ends", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    scene.pass(Date.parse(String(state.until)) - Date.now() + 1);
    expect(scene.banned(24_000)).toEqual([]);
    expect(await scene.refresh(id, state, inputs)).toEqual({ ...state, expired: true });
    forgetRequests(scene);
    const another = { ...scene.step(), context: scene.anotherContext() };
    const updated = await bannedIp.update(id, state, declaredIn(inputs), inputs, another);
    expect(updated).toEqual({ ...state, expired: true });
    expect(changes(scene)).toEqual([]);
  });

  test("is not over where somebody has begun it again since", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    const found = await scene.refresh(id, { ...state, until: new Date(0).toISOString() }, inputs);
    expect(found).toEqual(state);
    expect(await bannedIp.read(id, undefined, scene.step(), {})).toMatchObject({
      ip: IP,
      ports: [24_000],
      until: state.until,
    });
  });

  test("stays one that ends where it is imported", async () => {
    const scene = await ports();
    const { bans } = scene.context.manager;
    for (const port of [24_000, 24_001]) await bans.add(port, { ip: IP, ms: 60_000 });
    const there = await bans.list(24_000);
    const imported = (await bannedIp.read(IP, undefined, scene.step(), {})) ?? {};
    const described = bannedIp.describe(imported);
    expect(described).toEqual({ ip: IP, ports: [24_000, 24_001], durationMs: expect.any(Number) as number });
    expect(bannedIp.check(described, undefined).failures).toEqual([]);
    expect(bannedIp.diff(imported, declaredIn(described), described).changed).toEqual([]);
    forgetRequests(scene);
    await scene.converge(IP, imported, described);
    expect(changes(scene)).toEqual([]);
    expect(await bans.list(24_000)).toEqual(there);
  });

  test("has no end where it is imported with one on another port that has none", async () => {
    const scene = await ports();
    await scene.context.manager.bans.add(24_000, { ip: IP, ms: 60_000 });
    await scene.context.manager.bans.add(24_001, { ip: IP });
    const imported = (await bannedIp.read(IP, undefined, scene.step(), {})) ?? {};
    expect(bannedIp.describe(imported)).toEqual({ ip: IP, ports: [24_000, 24_001] });
  });

  test("begins again where that is wanted", async () => {
    const scene = await ports();
    const renewed = { ...inputs, renew: true };
    const { id, state } = await bannedIp.create(renewed, scene.step());
    scene.pass(60_000);
    const settled = await scene.converge(id, { ...state, until: new Date(0).toISOString() }, renewed);
    expect(settled.expired).toBeUndefined();
    expect(scene.banned(24_000)).toEqual([IP]);
  });

  test("that was lifted before its end is gone", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    await scene.context.manager.bans.removeAll(24_000);
    expect(await scene.refresh(id, state, inputs)).toBeUndefined();
  });

  test("begins again with another duration, and is left alone by other changes", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    const longer = { ...inputs, durationMs: 120_000 };
    const next = await bannedIp.update(id, state, declaredIn(inputs), longer, scene.step());
    expect(Date.parse(String(next.until)) - Date.parse(String(state.until))).toBeGreaterThanOrEqual(60_000);
    forgetRequests(scene);
    const recorded = { ...longer, renew: true, timeouts: { read: 5 } };
    const last = await bannedIp.update(id, next, declaredIn(longer), recorded, scene.step());
    expect(last).toEqual({ ...recorded, ports: [24_000], until: next.until });
    const over = { ...next, until: new Date(0).toISOString() };
    const other = { ...longer, ports: undefined, timeouts: { read: 6 } };
    expect((await bannedIp.update(id, over, declaredIn(longer), other, scene.step())).expired).toBe(true);
    expect(changes(scene)).toEqual([]);
  });
});

test("changing the ports of a ban lifts it on those that are not named any more", async () => {
  const scene = await ports();
  const before = { ip: IP, ports: [24_000] };
  const { id, state } = await bannedIp.create(before, scene.step());
  const after = { ip: IP, port: 24_001 };
  const next = await bannedIp.update(id, state, declaredIn(before), after, scene.step());
  expect(next).toEqual({ ip: IP, port: 24_001, ports: [24_001] });
  expect([24_000, 24_001].map(scene.banned)).toEqual([[], [IP]]);
  const everywhere = await bannedIp.update(id, next, declaredIn(after), { ip: IP }, scene.step());
  expect(everywhere).toEqual({ ip: IP, ports: [24_000, 24_001] });
  expect([24_000, 24_001].map(scene.banned)).toEqual([[IP], [IP]]);
});

function listOf(scene: Ports, port: number): BanList {
  const running = scene.manager.state.running.get(String(port));
  if (running === undefined) throw new Error(`no port ${port}`);
  return running.bans;
}

test.each<[string, "before" | "after"]>([
  ["gives it its former end", "before"],
  ["lifts it", "after"],
])("a ban begins again where a late word of the manager's processes %s", async (_, moment) => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000, durationMs: 60_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  const list = listOf(scene, 24_000);
  const add = list.add.bind(list);
  const adding = vi.spyOn(list, "add").mockImplementationOnce((...ban) => {
    if (moment === "before") add(IP, "", 60_000);
    add(...ban);
    if (moment === "after") list.remove(IP, "");
  });
  const longer = { ...inputs, durationMs: 120_000 };
  const next = await bannedIp.update(id, state, declaredIn(inputs), longer, scene.step());
  expect(Date.parse(String(next.until)) - Date.parse(String(state.until))).toBeGreaterThanOrEqual(60_000);
  expect(scene.banned(24_000)).toEqual([IP]);
  expect(adding).toHaveBeenCalledTimes(2);
});

test("a ban begins again when two looks, one after the other, have not seen the former one", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000, durationMs: 60_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  forgetRequests(scene);
  scene.manager.service.faults.add({
    path: "/api/banlist/24000",
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ips: [{ ip: IP, to: Date.parse(String(state.until)) }] }),
    after: 2,
  });
  await bannedIp.update(id, state, declaredIn(inputs), { ...inputs, durationMs: 120_000 }, scene.step());
  const asked = scene.manager.service.requests.map(({ path }) => path.split("/").at(-1));
  const about = asked.filter((name) => ["unbanip", "banip", "24000"].includes(name ?? ""));
  expect(about).toEqual(["24000", "unbanip", "24000", "24000", "24000", "24000", "banip", "24000"]);
});

test("a ban that another hand gives its end again and again is told", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000, durationMs: 60_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  const list = listOf(scene, 24_000);
  const add = list.add.bind(list);
  vi.spyOn(list, "add").mockImplementation(() => add(IP, "", 60_000));
  const longer = { ...inputs, durationMs: 120_000 };
  const error = await failure(bannedIp.update(id, state, declaredIn(inputs), longer, scene.step()));
  expect(error).toMatchObject({ id: IP, state: { missingOn: [24_000] } });
  expect(error.message).toContain("lists one with another end");
});

test("a ban that came into the state by an import without outputs is as declared after the next update", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_000, { ip: IP });
  const named = { ip: IP, port: 24_000 };
  expect(await scene.refresh(IP, named, named)).toEqual({ ...named, ports: [24_000] });
  const every = await bannedIp.update(IP, { ip: IP }, declaredIn({ ip: IP }), { ip: IP }, scene.step());
  expect(every).toEqual({ ip: IP, ports: [24_000, 24_001] });
  await bannedIp.delete(IP, named, scene.step());
  expect([24_000, 24_001].map(scene.banned)).toEqual([[], [IP]]);
});

test("a ban that came into the state by an import without outputs goes from no port where it is another resource's", () => {
  const imported = { ip: IP, port: 24_000 } as Parameters<typeof bannedIp.without>[0];
  expect(bannedIp.without(imported, new Set([`ban of ${IP} on port 24000`]))).toEqual({
    ip: IP,
    ports: [],
    missingOn: [24_000],
  });
});

test("a request for a ban that may have arrived is kept, and made by the next update", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  scene.manager.service.faults.add({ path: "/api/proxies/24000/banip", kind: "reset" });
  const error = await failure(bannedIp.create(inputs, scene.step()));
  expect(error).toMatchObject({ id: IP, state: { ...inputs, ports: [24_000], missingOn: [24_000] } });
  expect(error.cause).toBeInstanceOf(ConnectionError);
  const { state } = error as PartialFailure;
  expect(await scene.converge(IP, state, inputs).catch(() => "gone")).toBe("gone");
  await bannedIp.update(IP, state, declaredIn(inputs), inputs, scene.step());
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("a request for a ban that cannot be confirmed keeps the ban in the state", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  for (const status of [403, 500]) {
    scene.manager.service.faults.add({ path: "/api/banlist/24000", kind: "respond", status, body: "no", after: 1 });
    const error = await failure(bannedIp.create(inputs, scene.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({ id: IP, state: { ports: [24_000], missingOn: [24_000] } });
    const { state } = error as PartialFailure;
    expect(await scene.converge(IP, state, inputs)).toEqual({ ...inputs, ports: [24_000] });
    await bannedIp.delete(IP, state, scene.step());
  }
  expect(scene.banned(24_000)).toEqual([]);
});

test("a ban that was accepted and is not listed stays in the state where it is refused when it is asked for again", async () => {
  const scene = await ports();
  const { faults } = scene.manager.service;
  faults.add({ path: "/api/proxies/24000/banip", kind: "respond", status: 204 });
  faults.add({ path: "/api/proxies/24000/banip", kind: "respond", status: 403, body: "no" });
  const error = await failure(bannedIp.create({ ip: IP, port: 24_000 }, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: IP, state: { ports: [24_000], missingOn: [24_000] } });
});

test.each([{}, { domain: "example.com" }])(
  "a request for a ban that the manager only pretends to do (%j) is told",
  async (more) => {
    const scene = await ports();
    const times = Number.POSITIVE_INFINITY;
    scene.manager.service.faults.add({ path: "/api/proxies/24000/banip", kind: "respond", status: 204, times });
    const inputs = { ip: IP, port: 24_000, ...more };
    const error = await failure(bannedIp.create(inputs, scene.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    // Its lists may be short: it stays in the state, and the next update looks again.
    expect(error).toMatchObject({ state: { missingOn: [24_000] } });
    expect(error.message).toMatch(/^The Proxy Manager accepted the ban of .* on port 24000, and does not list it\.$/);
    expect(error.message).not.toContain("undefined");
  },
);

test("a ban that the manager lifts late once more is asked for again", async () => {
  const scene = await ports();
  const path = "/api/proxies/24000/banip";
  scene.manager.service.faults.add({ path, kind: "respond", status: 204, times: 3 });
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  expect(state).toEqual({ ...inputs, ports: [24_000] });
  expect(scene.banned(24_000)).toEqual([IP]);
  expect(await scene.converge(id, state, inputs)).toEqual(state);
});

test("a ban of which the manager says that it is not there, and lists it, is lifted again", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  const fault = { path: "/api/proxies/24000/unbanip", kind: "respond", status: 400, body: "IP is not banned" } as const;
  scene.manager.service.faults.add({ ...fault, times: 3 });
  await bannedIp.delete(id, state, scene.step());
  expect(scene.banned(24_000)).toEqual([]);
  const { state: again } = await bannedIp.create(inputs, scene.step());
  scene.manager.service.faults.add({ ...fault, times: 99 });
  expect((await failure(bannedIp.delete(id, again, scene.step()))).message).toContain("IP is not banned");
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("a ban that has run out before it is read back is over", async () => {
  const scene = await ports();
  scene.manager.service.faults.add({ path: "/api/proxies/24000/banip", kind: "respond", status: 204, delayMs: 5 });
  const { state } = await bannedIp.create({ ip: IP, port: 24_000, durationMs: 1 }, scene.step());
  expect(Date.parse(String(state.until))).toBeLessThanOrEqual(Date.now());
});

test.each([-86_400_000, -400_000, 400_000, 86_400_000])(
  "a ban with an end is as declared where the manager's clock differs by %d ms, and ends by that clock",
  async (aheadMs) => {
    const scene = await ports(aheadMs);
    const inputs = { ip: IP, port: 24_000, durationMs: 60_000, renew: true };
    const { id, state } = await bannedIp.create(inputs, scene.step());
    const left = Date.parse(String(state.until)) - aheadMs - Date.now();
    expect(left).toBeGreaterThan(50_000);
    expect(left).toBeLessThanOrEqual(60_000);
    expect(await scene.converge(id, state, inputs)).toMatchObject({ until: state.until });
    const found = { ...scene.step(), context: scene.anotherContext() };
    forgetRequests(scene);
    expect(await bannedIp.update(id, state, declaredIn(inputs), inputs, found)).toMatchObject({ until: state.until });
    expect(changes(scene)).toEqual([]);
    scene.pass(120_000);
    expect(await scene.refresh(id, state, inputs)).toMatchObject({ expired: true });
    const renewed = await scene.converge(id, state, inputs);
    expect(Date.parse(String(renewed.until))).toBeGreaterThan(Date.parse(String(state.until)));
    expect(scene.banned(24_000)).toEqual([IP]);
  },
);

test("a ban of another end is told from one's own, whatever the clocks say", async () => {
  const scene = await ports(86_400_000);
  const foreign = { ip: IP, to: Date.now() + 86_400_000 + 400_000 };
  const answer = { status: 200, headers: { "content-type": "application/json" } };
  const path = "/api/banlist/24000";
  scene.manager.service.faults.add({ path, kind: "respond", ...answer, body: JSON.stringify({ ips: [] }) });
  scene.manager.service.faults.add({ path, kind: "respond", ...answer, body: JSON.stringify({ ips: [foreign] }) });
  const error = await failure(bannedIp.create({ ip: IP, port: 24_000, durationMs: 60_000 }, scene.step()));
  expect(error.message).toContain("lists one with another end: somebody else may have created it at the same time.");
});

test.each([
  ["once, is lifted again", 1, undefined],
  ["each of four times, is not lifted", 4, "still lists it"],
])("a ban that is listed all the same, %s", async (_, times, words) => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  scene.manager.service.faults.add({
    path: "/api/proxies/24000/unbanip",
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ips: [{ ip: IP }] }),
    times,
  });
  const outcome = await bannedIp.delete(id, state, scene.step()).catch((error: Error) => error.message);
  expect(outcome).toEqual(words === undefined ? undefined : expect.stringContaining(words));
  expect(scene.banned(24_000)).toEqual(words === undefined ? [] : [IP]);
});

test("a request for a ban that goes wrong on the second port keeps the first", async () => {
  const scene = await ports();
  scene.manager.service.faults.add({ path: "/api/proxies/24001/banip", kind: "respond", status: 403, body: "no" });
  const error = await failure(bannedIp.create({ ip: IP }, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: IP, state: { ip: IP, ports: [24_000, 24_001], missingOn: [24_001] } });
  const { state } = error as PartialFailure;
  expect(await scene.converge(IP, state, { ip: IP })).toEqual({ ip: IP, ports: [24_000, 24_001] });
});

const cutShort = (scene: Ports, noted: number[], ban = IP) => ({
  ...scene.step(),
  me: { mark: "m.me" },
  journal: notebook({ ban, ports: noted }),
});

test("a ban is noted with its ports before the first of them is changed, and what to do about it", async () => {
  const scene = await ports();
  const journal = new MemoryJournal();
  await bannedIp.create({ ip: IP }, { ...scene.step(), journal });
  expect(journal.noted?.facts).toEqual({ ban: IP, ports: [24_000, 24_001] });
  expect(journal.noted?.advice).toBe(
    `An update that was cut short may have created a ban of ${IP} on ports 24000, 24001, which may be in no state. If it is there, lift it with a PortIpUnban.`,
  );
  await bannedIp.create({ ip: "203.0.113.8", port: 24_000 }, { ...scene.step(), journal });
  expect(journal.noted?.advice).toContain("a ban of 203.0.113.8 on port 24000, which");
});

test("a ban stays noted where a port may have it, or has lost it, and not where it was refused", async () => {
  const scene = await ports();
  const [journal, partial, moved] = [notebook(), notebook(), notebook()];
  const path = "/api/proxies/24001/banip";
  const inputs = { ip: IP, port: 24_001 };
  scene.manager.service.faults.add({ path, kind: "respond", status: 403, body: "no" });
  await failure(bannedIp.create(inputs, { ...scene.step(), journal }));
  expect(journal.begun).toEqual([]);
  scene.manager.service.faults.add({ path, kind: "reset" });
  await failure(bannedIp.create(inputs, { ...scene.step(), journal: partial }));
  expect(partial.begun).toEqual([{ ban: IP, ports: [24_001] }]);
  const { id, state } = await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  scene.manager.service.faults.add({ path, kind: "respond", status: 403, body: "no" });
  const step = { ...scene.step(), journal: moved };
  await failure(bannedIp.update(id, state, declaredIn({ ip: IP, port: 24_000 }), inputs, step));
  expect(moved.begun).toEqual([{ ban: IP, ports: [24_000, 24_001] }]);
  expect(scene.banned(24_000)).toEqual([]);
});

test("a ban is lifted on a port that the program does not name any more, by its creation and its deletion", async () => {
  const scene = await ports();
  const ban = () => scene.context.manager.bans.add(24_000, { ip: IP });
  await ban();
  const { id, state } = await bannedIp.create({ ip: IP, port: 24_001 }, cutShort(scene, [24_000]));
  expect([24_000, 24_001].map(scene.banned)).toEqual([[], [IP]]);
  await ban();
  await bannedIp.delete(id, state, cutShort(scene, [24_000]));
  expect([24_000, 24_001].map(scene.banned)).toEqual([[], []]);
});

test("a ban stays on a port where it is another resource's by now, or where it was another ban", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_000, { ip: IP });
  await bannedIp.create({ ip: IP, port: 24_001 }, cutShort(scene, [24_000], "203.0.113.8"));
  expect([24_000, 24_001].map(scene.banned)).toEqual([[IP], [IP]]);
  scene.context.claims.made({ mark: "m.other" }, [`ban of ${IP} on port 24000`]);
  await bannedIp.create({ ip: IP, port: 24_001 }, cutShort(scene, [24_000]));
  expect([24_000, 24_001].map(scene.banned)).toEqual([[IP], [IP]]);
});

describe("another duration of a ban", () => {
  const before = { ip: IP, ports: [24_000, 24_001], durationMs: 60_000 };
  const after = { ...before, durationMs: 3_600_000 };

  /** The minutes after which the bans of a port end. */
  const endsOn = async (scene: Ports, port: number) =>
    (await scene.context.manager.bans.list(port)).map(({ until }) =>
      Math.round((Date.parse(String(until)) - Date.now()) / 60_000),
    );

  test("that could not begin on a port begins there with the next update", async () => {
    const scene = await ports();
    const { state } = await bannedIp.create(before, scene.step());
    scene.manager.service.faults.add({ path: "/api/proxies/24001/unbanip", kind: "respond", status: 403, body: "no" });
    const error = await failure(bannedIp.update(IP, state, declaredIn(before), after, scene.step()));
    expect(error).toMatchObject({ state: { ...after, missingOn: [24_001] } });
    const { state: kept } = error as PartialFailure;
    const next = await bannedIp.update(IP, kept, declaredIn(after), after, scene.step());
    expect(next.missingOn).toBeUndefined();
    expect([await endsOn(scene, 24_000), await endsOn(scene, 24_001)]).toEqual([[60], [60]]);
  });

  test("that is refused when the former ban is lifted already is kept, and begins with the next update", async () => {
    const scene = await ports();
    const { state } = await bannedIp.create(before, scene.step());
    scene.manager.service.faults.add({ path: "/api/proxies/24000/banip", kind: "respond", status: 403, body: "no" });
    const error = await failure(bannedIp.update(IP, state, declaredIn(before), after, scene.step()));
    expect(error).toMatchObject({ state: { ...after, missingOn: [24_000, 24_001] } });
    const { state: kept } = error as PartialFailure;
    await bannedIp.update(IP, kept, declaredIn(after), before, scene.step());
    expect([await endsOn(scene, 24_000), await endsOn(scene, 24_001)]).toEqual([[1], [1]]);
  });
});

const said = { kind: "respond", status: 400, body: "No proxy at port 24000", times: 99 } as const;

test("a ban whose port is gone is gone, too, where the manager has no other port", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  for (const port of [24_000, 24_001]) await scene.context.manager.ports.remove(port);
  expect(await scene.refresh(id, state, inputs)).toBeUndefined();
  await bannedIp.delete(id, state, scene.step());
});

test("a port that is said to be gone is not believed to be while the manager lists it", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  scene.manager.service.faults.add({ path: "/api/banlist/24000", ...said });
  scene.manager.service.faults.add({ path: "/api/proxies/24000/unbanip", ...said });
  expect(await failure(scene.refresh(id, state, inputs))).toBeInstanceOf(NotFoundError);
  expect(await failure(bannedIp.delete(id, state, scene.step()))).toBeInstanceOf(NotFoundError);
});

test("a port that is said to be gone is not believed of lists that are empty, while the manager has it", async () => {
  const scene = await ports();
  const { id, state } = await bannedIp.create({ ip: IP, port: 24_000 }, scene.step());
  const { faults } = scene.manager.service;
  for (const path of ["/api/banlist/24000", "/api/proxies/24000/unbanip"]) faults.add({ path, ...said });
  for (const path of ["/api/proxies", "/api/proxies_running"]) {
    faults.add({ path, kind: "respond", status: 200, body: "[]", times: 99 });
  }
  expect(await failure(bannedIp.delete(id, state, scene.step()))).toBeInstanceOf(NotFoundError);
  faults.add({ path: "/api/proxies/24000", kind: "respond", status: 200, body: "{}" });
  expect(await failure(bannedIp.delete(id, state, scene.step()))).toBeInstanceOf(ResponseFormatError);
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("a port that is said to be gone is not believed of another service that knows no such path", async () => {
  const scene = await ports();
  const inputs = { ip: IP, port: 24_000 };
  const { id, state } = await bannedIp.create(inputs, scene.step());
  const elsewhere = scene.anotherContext({ BRIGHTDATA_PROXY_MANAGER_URL: scene.remote.url });
  const step = { ...scene.step(), context: elsewhere };
  await failure(bannedIp.read(id, inputs, step, state));
  await failure(bannedIp.delete(id, state, step));
  expect(scene.banned(24_000)).toEqual([IP]);
});

test("looking bans up asks for each port's list once for all, and sends nothing else", async () => {
  const scene = await ports();
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, index) => bannedIp.create({ ip: `203.0.113.${index}` }, scene.step())),
  );
  forgetRequests(scene);
  const step = { ...scene.step(), context: scene.anotherContext() };
  await Promise.all(made.map(({ id, state }) => bannedIp.read(id, { ip: state.ip }, step, state)));
  expect(changes(scene)).toEqual([]);
  expect(scene.manager.service.requests).toHaveLength(2);
});

test("looking bans up finds the ports by the id alone", async () => {
  const scene = await ports();
  await scene.context.manager.bans.add(24_001, { ip: IP, domain: "example.com" });
  expect(await bannedIp.read(`${IP}/example.com`, undefined, scene.step(), {})).toEqual({
    ip: IP,
    domain: "example.com",
    ports: [24_001],
  });
  expect(await bannedIp.read(IP, undefined, scene.step(), {})).toBeUndefined();
  expect((await failure(bannedIp.read("x/y", undefined, scene.step(), {}))).message).toContain("is not the id");
});

test("all bans without end are listed, and each is described by what declares it", async () => {
  const scene = await ports();
  const { bans } = scene.context.manager;
  for (const port of [24_000, 24_001]) await bans.add(port, { ip: IP });
  await bans.add(24_001, { ip: "203.0.113.8", domain: "example.com" });
  await bans.add(24_001, { ip: "203.0.113.9", ms: 60_000 });
  expect(await described(bannedIp, scene.step())).toEqual({
    [IP]: { ip: IP, ports: [24_000, 24_001] },
    "203.0.113.8/example.com": { ip: "203.0.113.8", domain: "example.com", ports: [24_001] },
  });
});

describe("a cancellation", () => {
  const inputs = { ip: IP, ports: [24_000, 24_001] };

  const cancelled = (scene: Ports, request: string): Step => scene.step(cancelledBy(scene.manager.service, request));

  test("begins with no further port, and keeps what is banned", async () => {
    const scene = await ports();
    const error = await failure(bannedIp.create(inputs, cancelled(scene, "POST /api/proxies/24000/banip")));
    expect(error).toMatchObject({ id: IP, state: { ...inputs, missingOn: [24_001] } });
    expect(error.cause).toBeInstanceOf(CancelledError);
    expect([scene.banned(24_000), scene.banned(24_001)]).toEqual([[IP], []]);
  });

  test("lifts no further ban", async () => {
    const scene = await ports();
    const { id, state } = await bannedIp.create(inputs, scene.step());
    expect(
      await failure(bannedIp.delete(id, state, cancelled(scene, "POST /api/proxies/24000/unbanip"))),
    ).toBeInstanceOf(CancelledError);
    expect([scene.banned(24_000), scene.banned(24_001)]).toEqual([[], [IP]]);
  });

  test("of an update lifts no further ban and begins none", async () => {
    const scene = await ports();
    await scene.context.manager.ports.create({ port: 24_002, zone: "web" });
    const { id, state } = await bannedIp.create(inputs, scene.step());
    const moved = { ip: IP, ports: [24_002] };
    const updated = bannedIp.update(
      id,
      state,
      declaredIn(inputs),
      moved,
      cancelled(scene, "POST /api/proxies/24000/unbanip"),
    );
    const error = await failure(updated);
    expect(error).toMatchObject({ id: IP, state: { ...inputs, missingOn: [24_000, 24_001] } });
    expect(error.cause).toBeInstanceOf(CancelledError);
    expect([24_000, 24_001, 24_002].map(scene.banned)).toEqual([[], [IP], []]);
    const { state: known } = error as PartialFailure;
    expect(bannedIp.diff(known, declaredIn(inputs), inputs).changed).toEqual(["ports"]);
    expect(await bannedIp.update(id, known, declaredIn(inputs), inputs, scene.step())).toEqual(state);
    expect([24_000, 24_001, 24_002].map(scene.banned)).toEqual([[IP], [IP], []]);
  });
});
