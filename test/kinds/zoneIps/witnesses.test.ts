import { expect, test, vi } from "vitest";
import type { JsonObject } from "../../../src/base/json";
import { zoneIpsLifecycle as zoneIps } from "../../../src/kinds/zoneIps/lifecycle";
import { PartialFailure } from "../../../src/lifecycle/lifecycle";
import {
  cancellableDeadline,
  changes,
  count,
  declaredIn,
  failure,
  forgetRequests,
  notebook,
  outOfTime,
  type Stage,
} from "../../lifecycle/harness";
import { bodyOf, created, INPUTS, ipsOf, listOf, update, zones } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const EMPTY = JSON.stringify({ ips: [] });

/** Makes the zone list its IPs in this way, so many times. */
const lists = (scene: Stage, body: string, times = Number.POSITIVE_INFINITY, after = 0) =>
  scene.remote.service.faults.add({
    method: "GET",
    path: "/zone/ips",
    kind: "respond",
    status: 200,
    body,
    times,
    after,
  });

const shortList = (ips: readonly string[]): string => JSON.stringify({ ips: ips.map((ip) => ({ ip })) });

/** IPs that somebody else has added to the zone, or has taken from it, by hand. */
type Scene = Awaited<ReturnType<typeof zones>>;
const add = (scene: Scene, many: number): string[] => {
  const added = scene.account.allocateIps(many);
  scene.web.allocatedIps.push(...added);
  return added.map(({ ip }) => ip);
};
const takeAway = (scene: Scene, ...gone: (string | undefined)[]) => {
  scene.web.allocatedIps = scene.web.allocatedIps.filter(({ ip }) => !gone.includes(ip));
};

test.each([1, 2, Number.POSITIVE_INFINITY])(
  "one list that lacks IPs, or %s, makes a refresh forget none while the zone's plan has them",
  async (times) => {
    const scene = await zones();
    const { id, state } = await created(scene);
    for (const body of [EMPTY, shortList([...scene.first, ...listOf(state).slice(1)])]) {
      lists(scene, body, times);
      expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(state);
      scene.remote.service.faults.clear();
    }
  },
);

test("one list that lacks IPs is told of where it stays so, and nothing is said of one that was short for a moment", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const say = vi.fn();
  lists(scene, EMPTY, 1);
  await zoneIps.read(id, INPUTS, { ...scene.step(), say }, state);
  expect(say).not.toHaveBeenCalled();
  lists(scene, EMPTY);
  await zoneIps.read(id, INPUTS, { ...scene.step(), say }, state);
  expect(say.mock.calls).toEqual([
    [
      `Zone web does not list ${listOf(state).join(", ")}, and its plan says that it has more IPs than are listed. They may be there, so the state keeps them.`,
    ],
  ]);
});

test("one list that lacks IPs makes an update buy none, and one that adds some adds what was announced", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  for (const body of [EMPTY, shortList([...scene.first, ...listOf(state).slice(1)])]) {
    for (const times of [1, 2, 3]) {
      lists(scene, body, times);
      const inputs = { ...INPUTS, timeouts: { read: 5 } };
      expect(await update(scene, id, state, inputs)).toMatchObject({ count: 3, ips: state.ips });
      scene.remote.service.faults.clear();
    }
  }
  expect(changes(scene)).toEqual([]);
  const more = { ...INPUTS, count: 4 };
  expect(zoneIps.announceUpdate(state, declaredIn(INPUTS), more)).toMatch(/^1 IP is added to zone web\./);
  lists(scene, EMPTY, 2);
  expect(listOf(await update(scene, id, state, more))).toEqual(ipsOf(scene.web).slice(2));
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
});

test("one list that lacks IPs makes a creation with `adopt` buy none in place of those that the zone has", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2, adopt: true };
  lists(scene, EMPTY);
  const error = await failure(zoneIps.create(inputs, scene.step()));
  expect(error.message).toBe(
    'The service lists no IPs for zone "web", but the zone\'s plan has 2. Nothing was changed. Run again later.',
  );
  expect(changes(scene)).toEqual([]);
});

test("one list that lacks IPs makes an import fail: what it lacks would be bought by the next update", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  for (const task of ["read", "update"] as const) {
    lists(scene, EMPTY, 1);
    const importing = () =>
      task === "read"
        ? zoneIps.read("web/ips", inputs, scene.step(), inputs)
        : update(scene, "web/ips", inputs, inputs);
    expect((await failure(importing())).message).toContain("the zone's plan has 2");
    expect(await importing()).toMatchObject({ count: 2, ips: scene.first });
  }
});

test("one list that lacks IPs is believed where two say so and the zone's plan does", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const [gone, ...left] = listOf(state);
  takeAway(scene, gone);
  forgetRequests(scene);
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toMatchObject({ count: 2, ips: left });
  expect([count(scene, "GET /zone/ips"), count(scene, "GET /zone")]).toEqual([2, 1]);
});

test.each([
  [403, "Forbidden"],
  [200, JSON.stringify({ plan: {} })],
])("one list that lacks IPs is not believed where the plan does not tell (%i %s)", async (status, body) => {
  const scene = await zones();
  const { id, state } = await created(scene);
  takeAway(scene, listOf(state)[0]);
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status, body });
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(state);
});

test("what is found to be gone by an update is bought by the next one, which can announce it", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  takeAway(scene, listOf(state)[0]);
  const say = vi.fn();
  const more = { ...INPUTS, count: 4 };
  const after = await zoneIps.update(id, state, declaredIn(INPUTS), more, { ...scene.step(), say });
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
  expect(say.mock.calls).toContainEqual([
    "1 IP of zone web is gone that this resource had: the next update sees to that.",
  ]);
  expect(after).toMatchObject({ count: 3, ips: [...listOf(state).slice(1), ipsOf(scene.web).at(-1)] });
  expect(zoneIps.diff(after, declaredIn(more), more).changed).toEqual(["count"]);
  expect(zoneIps.announceUpdate(after, declaredIn(more), more)).toMatch(/^1 IP is added/);
  expect(await update(scene, id, after, more)).toMatchObject({ count: 4 });
  expect(ipsOf(scene.web)).toHaveLength(6);
});

test("an update that lowers the number says nothing of IPs that are gone, where as many are left as it declares", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const [first, second, last] = listOf(state);
  takeAway(scene, first);
  takeAway(scene, second);
  const say = vi.fn();
  const less = { ...INPUTS, count: 1 };
  const after = await zoneIps.update(id, state, declaredIn(INPUTS), less, { ...scene.step(), say });
  expect(after).toMatchObject({ count: 1, ips: [last] });
  expect([say.mock.calls, changes(scene)]).toEqual([[], []]);
});

async function late(scene: Scene): Promise<PartialFailure> {
  scene.remote.behaviour.addedIpsVisibleAfterReads = 1000;
  return (await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(INPUTS, step))) as PartialFailure;
}

test("IPs that an answer gave and that are listed late stay in the state when the time is over, and are bought once", async () => {
  const scene = await zones();
  const { id, state } = await late(scene);
  expect(state).toMatchObject({ count: 3, ips: ipsOf(scene.web).slice(2) });
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(state);
  expect(await update(scene, id, state, INPUTS)).toMatchObject({ count: 3, ips: state.ips });
  for (const allocated of scene.web.allocatedIps) delete allocated.hiddenReads;
  expect(await update(scene, id, state, INPUTS)).toMatchObject({ count: 3, ips: state.ips });
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("IPs that an answer gave and that are listed late stay in the state when the update is cancelled", async () => {
  const scene = await zones();
  scene.remote.behaviour.addedIpsVisibleAfterReads = 1000;
  const { deadline, cancel } = cancellableDeadline();
  const creation = failure(zoneIps.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /zone/ips")).toBeGreaterThan(3));
  cancel();
  const { id, state } = (await creation) as PartialFailure;
  expect(state).toMatchObject({ count: 3, ips: ipsOf(scene.web).slice(2) });
  await update(scene, id, state, INPUTS);
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("IPs that an answer gave and that are listed late are given back by a deletion, which ends when that is certain", async () => {
  const scene = await zones();
  const { id, state } = await late(scene);
  await zoneIps.delete(id, state, scene.step());
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: state.ips });
  expect(ipsOf(scene.web)).toEqual(scene.first);
});

test("IPs that an answer gave and that are listed late stay where the zone's plan is late, too, for an hour", async () => {
  const scene = await zones();
  const { id, state } = await late(scene);
  const given = listOf(state);
  const added = scene.web.allocatedIps.splice(2);
  expect(state.awaited).toEqual({ since: expect.any(String), ips: given });
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(state);
  expect(await update(scene, id, state, INPUTS)).toEqual(state);
  expect(count(scene, "POST /zone/ips")).toBe(1);
  const past = { ...state, awaited: { since: "2026-01-01T00:00:00.000Z", ips: given } };
  expect(await zoneIps.read(id, INPUTS, scene.step(), past)).toMatchObject({ count: 0, ips: [] });
  forgetRequests(scene);
  await zoneIps.delete(id, state, scene.step());
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: given });

  scene.web.allocatedIps.push(...added.map(({ hiddenReads: _, ...shown }) => shown));
  const { awaited: _, ...seen } = state;
  expect(await zoneIps.read(id, INPUTS, scene.step(), state)).toEqual(seen);
  expect(await update(scene, id, state, INPUTS)).toEqual(seen);
});

test("IPs of which the answer does not say which are new, and more have come, are nobody's", async () => {
  const scene = await zones();
  const theirs = add(scene, 4);
  lists(scene, shortList(scene.first), 1);
  const body = JSON.stringify({ ips: [...scene.first, ...theirs] });
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "respond", status: 200, body });
  const error = await failure(zoneIps.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toContain("does not say which: 4 have come");
  expect((error as PartialFailure).state).toMatchObject({ count: 0, ips: [] });
});

test.each([
  ["first", 0],
  ["second", 1],
  ["third", 2],
  ["fourth", 3],
])("a deletion of which the %s list is empty gives the IPs back", async (_which, after) => {
  const scene = await zones();
  const { id, state } = await created(scene);
  lists(scene, EMPTY, 1, after);
  await zoneIps.delete(id, state, scene.step());
  expect(bodyOf(scene, "DELETE")).toEqual({ zone: "web", ips: state.ips });
  expect(ipsOf(scene.web)).toEqual(scene.first);
});

test("a deletion gives back what no list shows while the zone's plan has it", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  lists(scene, EMPTY);
  await zoneIps.delete(id, state, scene.step());
  expect(ipsOf(scene.web)).toEqual(scene.first);
});

test("a deletion that is refused for one that no list shows gives back the others, and does not end before it is certain", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  const [gone, ...left] = listOf(state);
  takeAway(scene, gone);
  const hidden = add(scene, 1);
  lists(scene, shortList([...scene.first, ...left]), 4);
  scene.web.allocatedIps = scene.web.allocatedIps.map((each) =>
    hidden.includes(each.ip) ? { ...each, hiddenReads: 6 } : each,
  );
  await zoneIps.delete(id, state, scene.step());
  expect(changes(scene)).toEqual(["DELETE /zone/ips", "DELETE /zone/ips"]);
  expect(ipsOf(scene.web)).toEqual([...scene.first, ...hidden]);
});

test("a deletion whose answer is lost is not taken for done by an empty list", async () => {
  const scene = await zones();
  const { id, state } = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", path: "/zone/ips", kind: "reset" });
  lists(scene, EMPTY, Number.POSITIVE_INFINITY, 1);
  await failure(zoneIps.delete(id, state, scene.step()));
  expect(ipsOf(scene.web)).toHaveLength(5);
});

/** One IP is gone by hand, and a stranger's has come. */
async function stranger(scene: Scene) {
  const { id, state } = await created(scene, { ...INPUTS, count: 2 });
  takeAway(scene, listOf(state)[0]);
  return { id, state, theirs: add(scene, 1) };
}

test("IPs that nobody has given to a resource stay nobody's for a deletion after a refresh, with the words of the one before", async () => {
  for (const more of [{}, { adopt: true }]) {
    const scene = await zones();
    const inputs = { ...INPUTS, count: 2, ...more };
    const { id, state, theirs } = await stranger(scene);
    const say = vi.fn();
    scene.remote.service.faults.add({ method: "DELETE", path: "/zone/ips", kind: "respond", status: 500 });
    await failure(zoneIps.delete(id, { ...state, ...more }, { ...scene.step(), say }));
    const read = (await zoneIps.read(id, inputs, scene.step(), { ...state, ...more })) as JsonObject;
    expect(read).toMatchObject({ count: 1, missing: 1 });
    const again = (await zoneIps.read(id, inputs, scene.step(), read)) as JsonObject;
    await zoneIps.delete(id, again, { ...scene.step(), say });
    expect(ipsOf(scene.web)).toEqual(expect.arrayContaining(theirs));
    const words = `1 IP of zone web is gone that this resource had, and ${theirs.join()} has come since.`;
    expect(say.mock.calls).toEqual([[expect.stringContaining(words)], [expect.stringContaining(words)]]);
  }
});

test("IPs that nobody has given to a resource are not given back by an update that wants fewer", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  const { id, state, theirs } = await stranger(scene);
  const read = (await zoneIps.read(id, inputs, scene.step(), state)) as JsonObject;
  const after = await update(scene, id, read, { ...INPUTS, count: 1 });
  expect(after).toMatchObject({ count: 1, ips: listOf(state).slice(1) });
  expect(after.supposed).toBeUndefined();
  expect(changes(scene)).toEqual([]);
  expect(ipsOf(scene.web)).toEqual(expect.arrayContaining(theirs));
});

test("IPs that a refresh of the zone's IPs has brought are the resource's", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 2 };
  const { id, state, theirs } = await stranger(scene);
  const missing = (await zoneIps.read(id, inputs, scene.step(), state)) as JsonObject;
  const supposed = (await update(scene, id, missing, inputs)) as JsonObject;
  expect(supposed.supposed).toEqual(theirs);
  scene.context.claims.note("brought", [`ip ${theirs[0]} of zone web`]);
  for (const former of [state, missing, supposed]) {
    const read = (await zoneIps.read(id, inputs, scene.step(), former)) as JsonObject;
    expect(read.supposed).toBeUndefined();
    expect(listOf(read)).toEqual([...listOf(state).slice(1), ...theirs]);
  }
  await zoneIps.delete(id, supposed, scene.step());
  expect(ipsOf(scene.web)).toEqual(scene.first);
});

/** All IPs of a resource are exchanged, and fewer are wanted before anything tells who has brought the new ones. */
async function lowered() {
  const scene = await zones();
  const { id, state } = await created(scene);
  takeAway(scene, ...listOf(state));
  const come = add(scene, 3);
  const inputs = { ...INPUTS, count: 1 };
  const say = vi.fn();
  const after = await zoneIps.update(id, state, declaredIn(INPUTS), inputs, { ...scene.step(), say });
  const bring = (ips: readonly string[]) =>
    scene.context.claims.note(
      "brought",
      ips.map((ip) => `ip ${ip} of zone web`),
    );
  return { scene, id, come, inputs, after, said: say.mock.calls.flat(), bring };
}

test("IPs that an update has left alone are given back once a refresh tells that a ZoneIpRefresh has brought them", async () => {
  const { scene, id, come, inputs, after, said, bring } = await lowered();
  expect(after).toMatchObject({ count: 1, ips: come.slice(2) });
  expect(said).toEqual([
    `2 IPs of zone web are gone that this resource had, and ${come.slice(0, 2).join(", ")} have come since. Whether as a replacement is not certain, so what has come is left alone. Each IP costs money: give back those that you do not need. If a ZoneIpRefresh has exchanged them, run \`pulumi refresh\` and then \`pulumi up\`, which gives them back.`,
  ]);
  expect(changes(scene)).toEqual([]);
  expect(await zoneIps.read(id, inputs, scene.step(), after)).toEqual(after);
  expect(await update(scene, id, after, inputs)).toEqual(after);
  bring(come);
  const read = (await zoneIps.read(id, inputs, scene.step(), after)) as JsonObject;
  expect(read).toMatchObject({ count: 3, ips: expect.arrayContaining(come) });
  expect(await zoneIps.read(id, inputs, scene.step(), read)).toEqual(read);
  const lower = await update(scene, id, read, inputs);
  expect(lower).toMatchObject({ count: 1, ips: come.slice(2) });
  expect(ipsOf(scene.web)).toEqual([...scene.first, ...come.slice(2)]);
  expect(await zoneIps.read(id, inputs, scene.step(), lower)).toEqual(lower);
});

test("IPs that an update has left alone are given back by a deletion as far as a ZoneIpRefresh has brought them", async () => {
  const { scene, id, come, after, bring } = await lowered();
  bring(come.slice(1));
  await zoneIps.delete(id, after, scene.step());
  expect(ipsOf(scene.web)).toEqual([...scene.first, ...come.slice(0, 1)]);
});

test("IPs that an update has left alone are another resource's where it has taken them over", async () => {
  const { scene, id, come, inputs, after, bring } = await lowered();
  bring(come);
  const read = (await zoneIps.read(id, inputs, scene.step(), after)) as JsonObject;
  scene.context.claims.made({ mark: "m.other" }, [`ip ${come[0]} of zone web`]);
  expect(await zoneIps.read(id, inputs, scene.step(), after)).toMatchObject({ ips: [come[2], come[1]] });
  await update(scene, id, read, inputs);
  expect(ipsOf(scene.web)).toEqual([...scene.first, come[0], come[2]]);
  await zoneIps.delete(id, after, scene.step());
  expect(ipsOf(scene.web)).toEqual([...scene.first, come[0]]);
});

test("two resources of one zone that were both killed after they had added take up what is theirs", async () => {
  const scene = await zones();
  const [one, two] = [notebook(), notebook()];
  const [first, second] = [
    await zoneIps.create(INPUTS, { ...scene.step(), journal: one }),
    await zoneIps.create({ ...INPUTS, count: 2 }, { ...scene.step(), journal: two }),
  ];
  // Nothing is remembered but what was noted.
  const context = scene.anotherContext();
  const run = (journal: ReturnType<typeof notebook>) => ({
    ...scene.step(),
    context,
    journal: notebook(journal.begun.at(-1)),
  });
  expect(listOf((await zoneIps.create(INPUTS, run(one))).state)).toEqual(first.state.ips);
  expect(listOf((await zoneIps.create({ ...INPUTS, count: 2 }, run(two))).state)).toEqual(second.state.ips);
  expect(count(scene, "POST /zone/ips")).toBe(2);
});

test("two resources of one zone do not both have what one takes over while the other takes it up", async () => {
  const scene = await zones();
  const journal = notebook();
  const { state } = await zoneIps.create(INPUTS, { ...scene.step(), journal });
  scene.web.allocatedIps = scene.web.allocatedIps.slice(2);
  const context = scene.anotherContext();
  const [other, me] = [{ mark: "m.other" }, { mark: "m.me" }];
  const [taken, made] = await Promise.all([
    zoneIps.create({ ...INPUTS, adopt: true }, { ...scene.step(), context, me: other }),
    zoneIps.create(INPUTS, { ...scene.step(), context, me, journal: notebook(journal.begun.at(-1)) }),
  ]);
  expect(taken.state.ips).toEqual(state.ips);
  expect(listOf(made.state)).toEqual(ipsOf(scene.web).slice(3));
});
