import { describe, expect, test, vi } from "vitest";
import { ArgumentError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { zoneIpsLifecycle as zoneIps } from "../../../src/kinds/zoneIps/lifecycle";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { changes, declaredIn, failure, forgetRequests, outOfTime, stage } from "../../lifecycle/harness";
import { bodyOf, created, INPUTS, ipsOf, listOf, update, withIps, type ZoneRecord, zones } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));
const GIPS: JsonObject = { zone: "homes", kind: "gips", count: 2, adopt: true };
const gipsOf = ({ allocatedGips }: ZoneRecord): string[] => allocatedGips.map(({ vip }) => vip);

describe("the inputs", () => {
  test.each<[JsonObject]>([
    [INPUTS],
    [{ ...INPUTS, count: 0, kind: "ips", country: "us", countryCity: "us-chicago", adopt: false }],
    [GIPS],
    [{ zone: UNKNOWN, count: UNKNOWN, kind: UNKNOWN, adopt: UNKNOWN }],
  ])("%j are fine", (inputs) => {
    expect(zoneIps.check(inputs, undefined).failures).toEqual([]);
  });

  test.each<[JsonObject, RegExp]>([
    [{ zone: "web" }, /^`count` is missing/],
    [{ zone: "web", count: 1.5 }, /^`count` is 1.5: expected a whole number/],
    [{ zone: "web", count: -1 }, /^`count` is -1/],
    [{ zone: "", count: 1 }, /^`zone` is ""/],
    [{ ...INPUTS, country: "US" }, /^`country` is "US": .*lower case/],
    [{ ...INPUTS, countryCity: "Chicago" }, /^`countryCity` is "Chicago"/],
    [{ ...INPUTS, country: "de", countryCity: "us-chicago" }, /^`countryCity` is "us-chicago", and `country` is "de"/],
    [{ ...INPUTS, kind: "vips" }, /^`kind` is "vips": expected "ips" or "gips"/],
    [{ ...GIPS, adopt: false }, /^`kind` is "gips" without `adopt: true`: the service has no call that adds gIPs/],
    [{ ...GIPS, country: "us" }, /^`country` says where new IPs should be, and gIPs cannot be added/],
    [{ ...INPUTS, ip: [] }, /is not a property of this resource/],
  ])("%j are refused", (inputs, words) => {
    expect(zoneIps.check(inputs, undefined).failures).toEqual([expect.stringMatching(words)]);
  });

  test("are announced with what they cost", () => {
    expect(zoneIps.announce(INPUTS)).toMatch(
      /^Up to 3 IPs are added to zone web, .*`count` grows\. Each one costs money\.$/,
    );
    expect(zoneIps.announce({ ...INPUTS, adopt: true })).toMatch(/has already are taken over first\.$/);
    expect(zoneIps.announce({ zone: UNKNOWN, count: UNKNOWN })).toMatch(/^Up to some IPs are added to zone,/);
    // Of an update the state tells, and of a replacement the check that follows.
    expect(zoneIps.announce({ ...INPUTS, count: 5 }, INPUTS)).toBeUndefined();
    for (const none of [INPUTS, GIPS]) expect(zoneIps.announce({ ...none, count: 0 })).toBeUndefined();
    expect(zoneIps.announce(GIPS)).toBe("Up to 2 gIPs of zone homes are taken over. None is added.");
  });
});

test("an update is announced by what the state has: as many IPs as it lacks are added", () => {
  const announced = (ips: string[], inputs: JsonObject) =>
    zoneIps.announceUpdate({ ...INPUTS, ips }, declaredIn(INPUTS), inputs);
  const words = "2 IPs are added to zone web. Each one costs money.";
  expect(announced(["a", "b", "c"], { ...INPUTS, count: 5 })).toBe(words);
  expect(announced(["a"], INPUTS)).toBe(words);
  for (const count of [3, 1]) expect(announced(["a", "b", "c"], { ...INPUTS, count })).toBeUndefined();
  for (const count of [2, UNKNOWN])
    expect(zoneIps.announceUpdate({ ...GIPS, ips: [] }, declaredIn(GIPS), { ...GIPS, count })).toBeUndefined();
});

test("an update is announced to add IPs where their number is not known yet", () => {
  const announced = (more: JsonObject) =>
    zoneIps.announceUpdate({ ...INPUTS, ips: ["a", "b", "c"] }, declaredIn(INPUTS), { ...INPUTS, ...more });
  const words = "If `count`, which is not known yet, is more than 3, IPs are added to zone web. Each one costs money.";
  expect(announced({ count: UNKNOWN })).toBe(words);
  expect(announced({ count: UNKNOWN, adopt: true })).toBe(`${words} Those that it has already are taken over first.`);
});

test("of an update that takes IPs over from an import file, no addition is announced", async () => {
  const scene = await zones();
  const file = { ...INPUTS, count: 1 };
  expect(zoneIps.announceUpdate(file, declaredIn(file), INPUTS)).toBeUndefined();
  await zoneIps.update("web/ips", file, declaredIn(file), INPUTS, scene.step());
  expect(changes(scene)).toEqual([]);
});

test("IPs are announced with the price of a month, where the user has one for those of the zone", () => {
  const prices = { "isp-dedicated-ip": 1.25 };
  const plan = { type: "static", poolIpType: "static_res", ipsType: "dedicated", ips: 1 };
  const named = (kind: string, name: unknown) => (kind === "Zone" && name === "priced" ? { plan } : undefined);
  const inputs = { zone: "priced", count: 2 };
  const words = "At your price for isp-dedicated-ip, that is about $2.50 a month.";
  expect(zoneIps.announce(inputs, undefined, prices, { named })).toContain(words);
  const state = { ...inputs, ips: ["a", "b"] };
  const more = { ...inputs, count: 4 };
  expect(zoneIps.announceUpdate(state, declaredIn(inputs), more, prices, { named })).toContain(words);
  for (const other of [
    { ...inputs, zone: "unpriced" },
    { ...inputs, count: UNKNOWN },
  ]) {
    expect(zoneIps.announce(other, undefined, prices, { named })).not.toContain("$");
  }
});

describe("a change", () => {
  const diff = (after: JsonObject) => zoneIps.diff({ ...INPUTS, ips: ["a"] }, declaredIn(INPUTS), after);

  test("of the number is made in place, and of nothing is none", () => {
    expect(diff(INPUTS).changed).toEqual([]);
    expect(diff({ ...INPUTS, count: 5 })).toEqual({ changed: ["count"], replaces: [], deleteBeforeReplace: false });
    expect(diff({ ...INPUTS, kind: "ips", adopt: true })).toMatchObject({ changed: ["kind", "adopt"], replaces: [] });
  });

  test.each([{ zone: "other" }, { kind: "gips" }, { country: "de" }, { countryCity: "us-chicago" }])(
    "of %j adds the new ones before the old ones go",
    (change) => {
      const replaces = Object.keys(change);
      expect(diff({ ...INPUTS, ...change })).toEqual({ changed: replaces, replaces, deleteBeforeReplace: false });
    },
  );
});

test("a change of where the IPs are, of a resource that takes over what the zone has, gives the old ones back first: the new one would take them over", () => {
  const before = { ...INPUTS, adopt: true };
  const diff = (after: JsonObject) =>
    zoneIps.diff({ ...before, ips: ["a"] }, declaredIn(before), after).deleteBeforeReplace;
  expect(diff({ ...before, country: "de" })).toBe(true);
  expect(diff({ ...before, countryCity: "us-chicago" })).toBe(true);
  expect(diff({ ...before, count: 5 })).toBe(false);
  // gIPs that are given back cannot be had again, and those of another zone are others.
  expect(diff({ ...before, kind: "gips" })).toBe(false);
  expect(diff({ ...before, zone: "other" })).toBe(false);
});

test.each([{ country: "de" }, { country: "de", countryCity: "de-berlin" }])(
  "a change of where the IPs are, of a resource that takes over what the zone has, ends with new ones there (%j)",
  async (change) => {
    const scene = await zones();
    const before = { ...INPUTS, adopt: true };
    const { id, state } = await created(scene, before);
    const after = { ...before, ...change };
    await zoneIps.delete(id, state, scene.step());
    const made = await zoneIps.create(after, scene.step());
    expect(scene.web.allocatedIps.map(({ country }) => country)).toEqual(["de", "de", "de"]);
    expect(listOf(made.state)).toEqual(ipsOf(scene.web));
  },
);

test("a change of where the IPs are, of a resource that takes over what the zone has, never takes over IPs of another country", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2, country: "de", adopt: true };
  const { state } = await zoneIps.create(inputs, scene.step());
  expect(listOf(state)).toEqual(ipsOf(scene.web).slice(2));
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 2, country: "de" });
  scene.web.allocatedIps = [...scene.account.allocateIps(2), ...scene.account.allocateIps(1, "de")];
  const read = await zoneIps.read("web/ips", inputs, scene.step(), state);
  // What may be taken over is found by the update, which knows what others have.
  expect(read).toMatchObject({ count: 0, ips: [] });
  const after = await zoneIps.update("web/ips", read as JsonObject, declaredIn(inputs), inputs, scene.step());
  expect(listOf(after)).toEqual(ipsOf(scene.web).slice(2));
  expect(scene.web.allocatedIps.slice(2).map(({ country }) => country)).toEqual(["de", "de"]);
});

test("what it has are its IPs, each apart", () => {
  const state = { ...INPUTS, ips: ["a", "b", "c"] };
  expect(zoneIps.holdings("web/ips", state).has).toEqual(["a", "b", "c"].map((ip) => `ip ${ip} of zone web`));
  expect(zoneIps.holdings(undefined, INPUTS).has).toEqual([]);
  expect(zoneIps.without(state, new Set(["ip b of zone web", "ip a of zone other"]))).toEqual({
    ...INPUTS,
    count: 2,
    ips: ["a", "c"],
  });
  const unsure = { ...state, supposed: ["b"], unclaimed: ["d", "e"] };
  expect(zoneIps.without(unsure, new Set(["ip b of zone web", "ip d of zone web"]))).toEqual({
    ...INPUTS,
    count: 2,
    ips: ["a", "c"],
    unclaimed: ["e"],
  });
});

test("what it has is not taken over by another resource of the program", async () => {
  const scene = await zones();
  scene.context.claims.made({ mark: "m.other" }, [`ip ${scene.first[0]} of zone web`]);
  const { state } = await zoneIps.create({ ...INPUTS, count: 1, adopt: true }, scene.step());
  expect(listOf(state)).toEqual(scene.first.slice(1));
});

test("the preview of a greater number says that what the zone has is taken over first, where it is", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 1, adopt: true };
  const { state } = await zoneIps.create(inputs, scene.step());
  const more = { ...inputs, count: 2 };
  expect(zoneIps.announceUpdate(state, declaredIn(inputs), more)).toBe(
    "Up to 1 IP is added to zone web. Each one costs money. Those that it has already are taken over first.",
  );
  const after = await zoneIps.update("web/ips", state, declaredIn(inputs), more, scene.step());
  expect(listOf(after)).toEqual(scene.first);
  expect(changes(scene)).toEqual([]);
});

test("reading finds that some are gone, and the next update adds as many", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const [gone, ...left] = listOf(state);
  scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => ip !== gone);
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  expect(now).toEqual({ ...INPUTS, count: 2, ips: left, others: scene.first, missing: 1 });
  expect(zoneIps.diff(now, declaredIn(INPUTS), INPUTS)).toMatchObject({ changed: ["count"], replaces: [] });
  expect(changes(scene)).toEqual([]);
  const after = await update(scene, id, now, INPUTS);
  expect(listOf(after)).toEqual([...left, ipsOf(scene.web).at(-1)]);
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
});

test("reading does not mind IPs that others have added", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps.push(...scene.account.allocateIps(4));
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(state);
});

test.each([{ adopt: true }, {}])(
  "IPs that were replaced by as many others are gone by a reading, and counted by the next update (%j)",
  async (more) => {
    const scene = await zones();
    const inputs = { ...INPUTS, count: 2, ...more };
    const { id, state } = await created(scene, inputs);
    const others = state.others as string[];
    const kept = scene.web.allocatedIps.filter(({ ip }) => others.includes(ip));
    scene.web.allocatedIps = [...kept, ...scene.account.allocateIps(2)];
    const first = (await zoneIps.read(id, inputs, scene.step(), state)) as JsonObject;
    expect(first).toEqual({ ...inputs, count: 0, ips: [], others, missing: 2 });
    const now = (await zoneIps.read(id, inputs, scene.step(), first)) as JsonObject;
    expect(now).toEqual(first);
    expect(zoneIps.diff(now, declaredIn(inputs), inputs).changed).toEqual(["count"]);
    const words =
      "Up to 2 IPs are added to zone web: 2 that this resource had are gone, and any that have come in their place count.";
    expect(zoneIps.announceUpdate?.(now, declaredIn(inputs), inputs, {})).toContain(words);
    const come = ipsOf(scene.web).slice(kept.length);
    const after = await update(scene, id, now, inputs);
    expect(after).toEqual({ ...inputs, ips: come, others, ...(more.adopt ? {} : { supposed: come }) });
    expect(changes(scene)).toEqual([]);
  },
);

test("IPs that were replaced together with those of others are counted by the next update, and none is added", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps = scene.account.allocateIps(5);
  const come = ipsOf(scene.web);
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  expect(now).toEqual({ ...INPUTS, count: 0, ips: [], others: scene.first, missing: 3 });
  const own = come.slice(2);
  expect(await update(scene, id, now, INPUTS)).toEqual({
    ...INPUTS,
    ips: own,
    others: come.slice(0, 2),
    supposed: own,
  });
  expect(changes(scene)).toEqual([]);
});

test("IPs that a ZoneIpRefresh has brought for all of a zone are shared out among the resources that had some", async () => {
  const scene = await zones();
  const run = (mark: string, context = scene.context) => ({ ...scene.step(), me: { mark }, context });
  const inputs = { ...INPUTS, count: 2 };
  const made = [await zoneIps.create(INPUTS, run("m.one")), await zoneIps.create(inputs, run("m.other"))] as const;
  forgetRequests(scene);
  scene.web.allocatedIps = scene.account.allocateIps(7);
  const come = ipsOf(scene.web);
  const [context, updating] = [scene.anotherContext(), scene.anotherContext()];
  const things = come.map((ip) => `ip ${ip} of zone web`);
  context.claims.note("brought", things);
  const shared: string[][] = [];
  for (const [declared, { id, state }, mark] of [
    [INPUTS, made[0], "m.one"],
    [inputs, made[1], "m.other"],
  ] as const) {
    const now = (await zoneIps.read(id, declared, run(mark, context), state)) as JsonObject;
    expect(now).toMatchObject({ count: 0, ips: [], missing: declared.count });
    expect(now.brought).toHaveLength(come.length);
    expect(await zoneIps.read(id, declared, run(mark, scene.anotherContext()), now)).toEqual(now);
    // In an update, a ZoneIpRefresh that is the same has its turn after them.
    const after = await zoneIps.update(id, now, declaredIn(declared), declared, run(mark, updating));
    expect(after).not.toHaveProperty("brought");
    expect(after.supposed).toBeUndefined();
    shared.push(listOf(after));
  }
  expect(shared).toEqual([come.slice(2, 5), come.slice(5)]);
  expect(changes(scene)).toEqual([]);
});

test("of the IPs that were brought for all of a zone, those in a resource's country are its own first", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, country: "de" };
  const { id, state } = await created(scene, inputs);
  scene.web.allocatedIps = [...scene.account.allocateIps(2), ...scene.account.allocateIps(3, "de")];
  const come = ipsOf(scene.web);
  scene.context.claims.note(
    "brought",
    come.map((ip) => `ip ${ip} of zone web`),
  );
  const now = (await zoneIps.read(id, inputs, scene.step(), state)) as JsonObject;
  expect(listOf(await update(scene, id, now, inputs))).toEqual(come.slice(2));
  expect(changes(scene)).toEqual([]);
});

test("what a ZoneIpRefresh has brought counts though others of the resource are gone, too: only these are added", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const come = scene.account.allocateIps(2);
  scene.web.allocatedIps.splice(2, 3, ...come);
  const names = come.map(({ ip }) => ip);
  scene.context.claims.note(
    "brought",
    names.map((ip) => `ip ${ip} of zone web`),
  );
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  expect(now).toMatchObject({ count: 0, missing: 3, brought: names });
  const after = await update(scene, id, now, INPUTS);
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
  expect(after).toEqual({ ...INPUTS, ips: ipsOf(scene.web).slice(2), others: scene.first });
});

test("what a ZoneIpRefresh has brought may be in the place of what others had: where that would explain it, none counts", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const come = scene.account.allocateIps(2);
  scene.web.allocatedIps.splice(0, 5, ...come);
  scene.context.claims.note(
    "brought",
    come.map(({ ip }) => `ip ${ip} of zone web`),
  );
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  await update(scene, id, now, INPUTS);
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 3 });
});

test("of all IPs of a zone that were exchanged, resources of two stacks take those where their own were", async () => {
  const scene = await zones();
  const stacks = [scene.context, scene.anotherContext()];
  const made = [];
  for (const context of stacks) made.push(await zoneIps.create(INPUTS, { ...scene.step(), context }));
  scene.web.allocatedIps = scene.account.allocateIps(8);
  const come = ipsOf(scene.web);
  stacks[0]?.claims.note(
    "brought",
    come.map((ip) => `ip ${ip} of zone web`),
  );
  const taken: string[][] = [];
  for (const [index, { id, state }] of made.entries()) {
    const step = { ...scene.step(), context: stacks[index] ?? scene.context };
    const now = (await zoneIps.read(id, INPUTS, step, state)) as JsonObject;
    taken.push(listOf(await zoneIps.update(id, now, declaredIn(INPUTS), INPUTS, step)));
  }
  expect(taken).toEqual([come.slice(2, 5), come.slice(5)]);
});

test("what a ZoneIpRefresh has brought for a resource that wants no more than it has left is given back", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const come = scene.account.allocateIps(2);
  const [other, ...left] = [scene.first[1], ...listOf(state).slice(0, 2)];
  scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => [other, ...left].includes(ip));
  scene.web.allocatedIps.unshift(...come.slice(0, 1));
  scene.web.allocatedIps.push(...come.slice(1));
  scene.context.claims.note(
    "brought",
    come.map(({ ip }) => `ip ${ip} of zone web`),
  );
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  expect(now).toMatchObject({ count: 2, ips: left, missing: 1 });
  const fewer = { ...INPUTS, count: 2 };
  expect(zoneIps.diff(now, declaredIn(INPUTS), fewer).changed).toEqual(["brought"]);
  const after = await update(scene, id, now, fewer);
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: [come[1]?.ip] });
  expect(after).toMatchObject({ count: 2, ips: left });
  expect(zoneIps.diff(after, declaredIn(fewer), fewer).changed).toEqual([]);
});

test("of the IPs that were brought, none is given back by an update for one that was given back elsewhere before", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps = scene.account.allocateIps(4);
  const come = ipsOf(scene.web);
  scene.context.claims.note(
    "brought",
    come.map((ip) => `ip ${ip} of zone web`),
  );
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  const fewer = { ...INPUTS, count: 2 };
  const say = vi.fn();
  const after = await zoneIps.update(id, now, declaredIn(INPUTS), fewer, { ...scene.step(), say });
  expect(after).toMatchObject({ count: 2, ips: come.slice(2) });
  const words = `1 IP of zone web is gone that this resource had, and ${come.slice(0, 2).join(", ")} have come since.`;
  expect(say.mock.calls).toEqual([[expect.stringContaining(words)]]);
  expect(changes(scene)).toEqual([]);
});

test("what was brought for others is not given back by an update that wants one fewer, as was given back elsewhere", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const left = listOf(state).slice(0, 2);
  const [come] = scene.account.allocateIps(1);
  scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => [scene.first[1], ...left].includes(ip));
  if (come !== undefined) scene.web.allocatedIps.unshift(come);
  scene.context.claims.note("brought", [`ip ${come?.ip} of zone web`]);
  const now = (await zoneIps.read(id, INPUTS, scene.step(), state)) as JsonObject;
  expect(now).toMatchObject({ count: 2, ips: left, missing: 1, brought: [come?.ip] });
  expect(await update(scene, id, now, { ...INPUTS, count: 2 })).toMatchObject({ count: 2, ips: left });
  expect(changes(scene)).toEqual([]);
});

test("a deletion gives back nothing that was brought and that another resource has taken, of which this run does not know", async () => {
  const scene = await zones();
  const [first, second] = [await created(scene), await created(scene)];
  scene.web.allocatedIps = scene.account.allocateIps(8);
  const things = ipsOf(scene.web).map((ip) => `ip ${ip} of zone web`);
  const reading = scene.anotherContext();
  reading.claims.note("brought", things);
  const read = (state: JsonObject) => zoneIps.read(first.id, INPUTS, { ...scene.step(), context: reading }, state);
  const [one, other] = [(await read(first.state)) as JsonObject, (await read(second.state)) as JsonObject];
  const taken = listOf(await update(scene, second.id, other, INPUTS));
  await zoneIps.delete(first.id, one, { ...scene.step(), context: scene.anotherContext() });
  expect(ipsOf(scene.web)).toHaveLength(5);
  expect(ipsOf(scene.web)).toEqual(expect.arrayContaining(taken));
});

test("a deletion gives back what a refresh has found to be brought, as many as are gone", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps = scene.account.allocateIps(5);
  const come = ipsOf(scene.web);
  const context = scene.anotherContext();
  context.claims.note("brought", [`ip ${come[0]} of zone web`, `ip ${come[2]} of zone web`]);
  const now = (await zoneIps.read(id, INPUTS, { ...scene.step(), context }, state)) as JsonObject;
  await zoneIps.delete(id, now, scene.step());
  expect(ipsOf(scene.web)).toEqual([come[1], ...come.slice(3)]);
});

test("a reading learns what others have where the state does not say it, as one of 0.1.0: later replacements are told", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  const made = await created(scene, inputs);
  const { others, ...released } = made.state;
  const state = (await zoneIps.read(made.id, inputs, scene.step(), released)) as JsonObject;
  expect(state).toEqual({ ...released, others });
  scene.web.allocatedIps = [...scene.web.allocatedIps.slice(0, 2), ...scene.account.allocateIps(2)];
  const now = (await zoneIps.read(made.id, inputs, scene.step(), state)) as JsonObject;
  expect(listOf(await update(scene, made.id, now, inputs))).toEqual(ipsOf(scene.web).slice(2));
  expect(changes(scene)).toEqual([]);
});

test("a reading that finds IPs gone does not guess what others have where the state does not say it", async () => {
  const scene = await zones();
  const { id, state } = await created(scene, { ...INPUTS, count: 2 });
  const { others, ...released } = state;
  scene.web.allocatedIps.pop();
  const now = (await zoneIps.read(id, { ...INPUTS, count: 2 }, scene.step(), released)) as JsonObject;
  expect(now).toEqual({ ...released, count: 1, ips: listOf(state).slice(0, 1), missing: 1 });
});

test("an update counts no IPs in the place of others that another resource has by then, and adds what was announced", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  const { id, state } = await created(scene, inputs);
  const come = scene.account.allocateIps(2);
  scene.web.allocatedIps = [...scene.web.allocatedIps.slice(0, 2), ...come];
  const now = (await zoneIps.read(id, inputs, scene.step(), state)) as JsonObject;
  scene.context.claims.stays("m.other", { has: come.map(({ ip }) => `ip ${ip} of zone web`) });
  const after = await update(scene, id, now, inputs);
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 2 });
  expect(listOf(after)).toEqual(ipsOf(scene.web).slice(4));
});

test("a reading gives up what a former version has counted and another resource has", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  const { id, state } = await created(scene, inputs);
  const [one = "", two = ""] = listOf(state);
  scene.context.claims.recorded("m.other", [`ip ${two} of zone web`]);
  const now = (await zoneIps.read(id, inputs, scene.step(), { ...state, supposed: [one, two] })) as JsonObject;
  expect(now).toEqual({ ...inputs, count: 1, ips: [one], others: state.others, supposed: [one], missing: 1 });
});

test("reading does not take for a replacement what is another resource's, or what is not as many", async () => {
  for (const come of [1, 2, 3]) {
    const scene = await zones();
    const { id, state } = await created(scene, { ...INPUTS, count: 2 });
    scene.web.allocatedIps = [...scene.web.allocatedIps.slice(0, 2), ...scene.account.allocateIps(come)];
    if (come === 2) scene.context.claims.recorded("m.other", [`ip ${ipsOf(scene.web)[3]} of zone web`]);
    const now = (await zoneIps.read(id, { ...INPUTS, count: 2 }, scene.step(), state)) as JsonObject;
    expect(now).toEqual({ ...INPUTS, count: 0, ips: [], others: scene.first, missing: 2 });
  }
});

test("reading finds it gone with the zone, and only then", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  for (const status of [400, 403, 500]) {
    scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status });
    expect(await failure(zoneIps.read(id, INPUTS, scene.step(), state))).toMatchObject({ status });
  }
  scene.account.removeZone("web");
  scene.context.zones.forget();
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toBeUndefined();
});

test("a reading by an id alone tells all the zone's IPs, or gIPs", async () => {
  const scene = await zones();
  const alone = (id: string) => zoneIps.read(id, undefined, scene.step(), {});
  expect(await alone("web/ips")).toMatchObject({ zone: "web", kind: "ips", count: 2, ips: scene.first });
  expect(await alone("homes/gips")).toMatchObject({ count: 3, ips: gipsOf(scene.homes) });
  for (const id of ["web", "web/", "/ips", "web/vips", "web/ips/1"]) {
    expect((await failure(alone(id))).message).toContain('expected the zone and "ips" or "gips"');
  }
});

test("updating adds what is lacking, and gives back the newest of what is too many", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const say = vi.fn();
  const grown = { ...INPUTS, count: 5 };
  const more = await zoneIps.update(id, state, declaredIn(INPUTS), grown, { ...scene.step(), say });
  expect(say.mock.calls).toEqual([["Adding 2 IPs to zone web. Each one costs money."]]);
  expect(listOf(more)).toEqual(ipsOf(scene.web).slice(2));
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 2 });
  const fewer = await update(scene, id, more, { ...INPUTS, count: 1 });
  expect(fewer).toEqual(withIps(scene, { ...INPUTS, count: 1 }, listOf(more).slice(0, 1)));
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: listOf(more).slice(1) });
  expect(ipsOf(scene.web)).toEqual([...scene.first, ...listOf(fewer)]);
});

test.each([false, true])(
  "an update that wants as many fewer as were given back elsewhere adds none and gives none back (after a refresh: %s)",
  async (isRefreshed) => {
    const scene = await zones();
    const { id, state } = await created(scene);
    const [first, ...left] = listOf(state);
    scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => ip !== first);
    const known = isRefreshed ? await zoneIps.read(id, INPUTS, scene.step(), state) : state;
    const fewer = await update(scene, id, known as JsonObject, { ...INPUTS, count: 2 });
    expect(listOf(fewer)).toEqual(left);
    expect(changes(scene)).toEqual([]);
  },
);

test("an update of anything else sends nothing", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const inputs = { ...INPUTS, timeouts: { read: 5 } };
  expect(await update(scene, id, state, inputs)).toEqual({ ...state, ...inputs });
  expect(changes(scene)).toEqual([]);
});

test("an update whose removal fails keeps what it had", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/ips", kind: "respond", status: 500 });
  const error = await failure(update(scene, id, state, { ...INPUTS, count: 1 }));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id, state });
  expect(error.cause).toBeInstanceOf(ServerError);
});

test("deleting gives back its own IPs, and no others", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps.push(...scene.account.allocateIps(2));
  const kept = ipsOf(scene.web).filter((ip) => !listOf(state).includes(ip));
  scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => ip !== listOf(state)[0]);
  const say = vi.fn();
  await zoneIps.delete(id, state, { ...scene.step(), say });
  expect(ipsOf(scene.web)).toEqual(kept);
  expect(say.mock.calls).toEqual([
    [
      expect.stringContaining(
        `1 IP of zone web is gone that this resource had, and ${kept.slice(2).join(", ")} have come`,
      ),
    ],
  ]);
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: listOf(state).slice(1) });
});

test("a deletion that comes after another resource has taken over some of its IPs gives those back that are left", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const [taken, ...left] = listOf(state);
  scene.context.claims.made({ mark: "m.other" }, [`ip ${taken} of zone web`]);
  await zoneIps.delete(id, state, scene.step());
  expect(bodyOf(scene, "DELETE")).toMatchObject({ ips: left });
  expect([...scene.context.claims.standing]).toEqual([`ip ${taken} of zone web`]);
});

test("a deletion of what is gone already, with the zone or without, sends nothing", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.web.allocatedIps = [];
  await zoneIps.delete(id, state, scene.step());
  scene.account.removeZone("web");
  await zoneIps.delete(id, state, scene.step());
  await zoneIps.delete(id, {}, scene.step());
  expect(changes(scene)).toEqual([]);
});

test("a deletion that the service says it has done, and has not, does not count", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const body = JSON.stringify({ ips: scene.first });
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/ips", kind: "respond", status: 200, body });
  const error = await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.delete(id, state, step));
  expect(error.message).toContain('waiting for 3 IPs to leave zone "web"');
});

test("a deletion that the service refuses fails", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/ips", kind: "respond", status: 403 });
  expect(await failure(zoneIps.delete(id, state, scene.step()))).toMatchObject({ status: 403 });
  expect(ipsOf(scene.web)).toHaveLength(5);
});

test("gIPs are taken over, given back one by one, and given back with the resource", async () => {
  const scene = await zones();
  const all = gipsOf(scene.homes);
  const { id, state } = await zoneIps.create(GIPS, scene.step());
  expect({ id, state }).toEqual({ id: "homes/gips", state: { ...GIPS, ips: all.slice(0, 2), others: all.slice(2) } });
  expect(changes(scene)).toEqual([]);
  const one = await update(scene, id, state, { ...GIPS, count: 1 });
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "homes", gips: [all[1]] });
  await zoneIps.delete(id, one, scene.step());
  expect(gipsOf(scene.homes)).toEqual([all[2]]);
});

test("gIPs are not forgotten because of lists that are empty", async () => {
  const scene = await zones();
  const { id, state } = await zoneIps.create(GIPS, scene.step());
  const say = vi.fn();
  scene.remote.service.faults.add({ path: "/zone/route_vips", kind: "respond", status: 200, body: "[]", times: 2 });
  expect(await zoneIps.read(id, GIPS, { ...scene.step(), say }, state)).toEqual(state);
  expect(say.mock.calls).toEqual([[expect.stringContaining("its plan says that it has more gIPs than are listed")]]);
  scene.remote.service.faults.add({ path: "/zone/route_vips", kind: "respond", status: 200, body: "[]", times: 4 });
  await zoneIps.delete(id, state, scene.step());
  expect(gipsOf(scene.homes)).toHaveLength(1);
  scene.remote.service.faults.add({ path: "/zone/route_vips", kind: "respond", status: 200, body: "[]" });
  expect((await failure(zoneIps.read(id, undefined, scene.step(), {}))).message).toContain(
    'lists no gIPs for zone "homes", but the zone\'s plan has 1',
  );
});

test("gIPs cannot be added: that is said, with what decides about them", async () => {
  const scene = await zones();
  const error = await failure(zoneIps.create({ ...GIPS, count: 4 }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(/"homes" has 3 gIPs and not 4, and the service has no call that adds any.*`vips`/);
  expect(changes(scene)).toEqual([]);
});

test("a zone does not change because of the IPs that came and went", async () => {
  const scene = await stage();
  const inputs = { name: "web", plan: { type: "static", ips: 2 } };
  const { state } = await zone.create(inputs, scene.step());
  const own = await zoneIps.create(INPUTS, scene.step());
  expect(scene.account.zone("web")?.plan.ips).toBe(5);
  const read = async () =>
    zone.diff((await zone.read("web", inputs, scene.step(), {})) ?? {}, declaredIn(inputs), inputs);
  expect((await read()).changed).toEqual([]);
  await zoneIps.delete(own.id, own.state, scene.step());
  expect((await read()).changed).toEqual([]);
  expect(zone.diff(state, declaredIn(inputs), inputs).changed).toEqual([]);
});

test("what a zone has is listed, the IPs and the gIPs of each zone", async () => {
  const scene = await zones();
  for (const name of ["none", "deleted"]) scene.account.addZone(name, { type: "static" });
  scene.account.removeZone("deleted");
  expect(await zoneIps.list(scene.step())).toEqual(["web/ips", "homes/gips"]);
});

test.each<[JsonObject, JsonObject]>([
  [
    { ...INPUTS, kind: "ips", country: "us", adopt: false, timeouts: { create: 5 } },
    { ...INPUTS, country: "us" },
  ],
  [GIPS, GIPS],
])("what a zone has is described by the inputs that declare it: %j", async (inputs, described) => {
  const scene = await zones();
  const { state } = await created(scene, inputs);
  expect(zoneIps.describe(state)).toEqual(described);
  expect(zoneIps.check(described, undefined).failures).toEqual([]);
  expect(zoneIps.diff(state, declaredIn(described), described).changed).toEqual([]);
});

test("what a zone has is described from a look-up by its id", async () => {
  const scene = await zones();
  expect(zoneIps.describe((await zoneIps.read("homes/gips", undefined, scene.step(), {})) ?? {})).toEqual({
    ...GIPS,
    count: 3,
  });
});
