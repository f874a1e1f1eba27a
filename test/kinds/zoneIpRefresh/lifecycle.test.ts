import { describe, expect, test, vi } from "vitest";
import type { Fault } from "../../../simulator/fault";
import { ArgumentError, BrightDataError, InvalidRequestError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneIpRefreshLifecycle as zoneIpRefresh } from "../../../src/kinds/zoneIpRefresh/lifecycle";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  count,
  declaredIn,
  failure,
  forgetRequests,
  notebook,
  outOfTime,
  type Stage,
  stage,
} from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const ALL: JsonObject = { zone: "web", all: true };
const POST = { method: "POST", path: "/zone/ips/refresh" } as const;

type ZoneRecord = ReturnType<Stage["account"]["addZone"]>;

/** A stage with the zones `web`, which has three IPs, and `homes`, which has two gIPs. */
async function zones(): Promise<Stage & { web: ZoneRecord; homes: ZoneRecord; first: string[] }> {
  const scene = await stage();
  const web = scene.account.addZone("web", { type: "static", ips: 3 });
  const homes = scene.account.addZone("homes", { type: "resident", vips_type: "domain", vip: true, vips: 2 });
  return Object.assign(scene, { web, homes, first: ipsOf(web) });
}

const ipsOf = ({ allocatedIps }: ZoneRecord): string[] => allocatedIps.map(({ ip }) => ip);
const gipsOf = ({ allocatedGips }: ZoneRecord): string[] => allocatedGips.map(({ vip }) => vip);

const body = ({ remote }: Stage): unknown => remote.service.requests.find(({ method }) => method === "POST")?.body;

const update = (scene: Stage, state: JsonObject, inputs: JsonObject) =>
  zoneIpRefresh.update("web/0", state, declaredIn(inputs), inputs, scene.step());

describe("the inputs", () => {
  test.each<[JsonObject]>([
    [ALL],
    [{ zone: "web", ips: ["198.18.0.1"], country: "us", countryCity: "us-chicago", triggers: [1] }],
    [{ zone: "web", vips: ["tr_9121_07_antalya_10"], timeouts: { create: 5 } }],
    [{ zone: UNKNOWN, ips: UNKNOWN, triggers: UNKNOWN }],
    [{ zone: "web", ips: [UNKNOWN] }],
  ])("%j are fine", (inputs) => {
    expect(zoneIpRefresh.check(inputs, undefined).failures).toEqual([]);
  });

  test.each<[JsonObject, RegExp]>([
    [{ zone: "web" }, /^It is not said what to refresh: give one of `ips`, `vips` and `all: true`\..*costs money/],
    [{ ...ALL, ips: ["198.18.0.1"] }, /^`ips` and `all` are given: give one of/],
    [{ zone: "web", all: false }, /^`all` is false: expected true, or to be left out/],
    [{ zone: "web", ips: [] }, /^`ips` is \[\]: expected at least one IP; for all of them say `all: true`/],
    [{ zone: "web", vips: [""] }, /^`vips\[0\]` is ""/],
    [{ ...ALL, country: "US" }, /^`country` is "US"/],
    [{ ...ALL, country: "de", countryCity: "us-chicago" }, /^`countryCity` is "us-chicago", and `country` is "de"/],
    [{ all: true }, /^`zone` is missing/],
    [{ ...ALL, trigger: [1] }, /Did you mean `triggers`\?/],
  ])("%j are refused", (inputs, words) => {
    expect(zoneIpRefresh.check(inputs, undefined).failures).toEqual([expect.stringMatching(words)]);
  });

  test.each<[JsonObject, string]>([
    [ALL, "All IPs of zone web are replaced by new ones. Each one costs money."],
    [{ zone: "web", ips: ["a", "b"] }, "2 IPs of zone web are replaced by new ones. Each one costs money."],
    [{ zone: "web", vips: ["a"] }, "1 gIP of zone web is replaced by a new one. It costs money."],
    [{ zone: UNKNOWN, vips: UNKNOWN }, "Some gIPs of zone are"],
  ])("%j are announced with what they cost", (inputs, words) => {
    expect(zoneIpRefresh.announce?.(inputs)).toContain(words);
  });
});

const diff = (before: JsonObject, after: JsonObject) => zoneIpRefresh.diff(before, declaredIn(before), after);

test("a change of a trigger or of the zone refreshes again", () => {
  expect(diff({ ...ALL, triggers: [1] }, { ...ALL, triggers: [2] })).toMatchObject({ replaces: ["triggers"] });
  expect(diff(ALL, { ...ALL, zone: "other" })).toMatchObject({ replaces: ["zone"] });
  expect(diff(ALL, ALL).changed).toEqual([]);
});

test("a change of the IPs, which a refresh itself brings about, refreshes nothing", () => {
  const before = { zone: "web", ips: ["a"] };
  expect(diff(before, { zone: "web", ips: ["b"] })).toMatchObject({ changed: [], replaces: [] });
  expect(diff(before, { ...ALL, country: "us" }).replaces).toEqual([]);
});

test("refreshing replaces all IPs of that zone", async () => {
  const scene = await zones();
  const other = scene.account.addZone("other", { type: "static", ips: 1 });
  const theirs = ipsOf(other);
  const { id, state } = await zoneIpRefresh.create(ALL, scene.step());
  const now = ipsOf(scene.web);
  expect(id).toMatch(/^web\/[0-9a-f]{8}$/);
  expect(state).toEqual({ ...ALL, kind: "ips", previousIps: scene.first, currentIps: now, newIps: now });
  expect(now.some((ip) => scene.first.includes(ip))).toBe(false);
  expect(ipsOf(other)).toEqual(theirs);
  expect(body(scene)).toEqual({ zone: "web" });
  expect(changes(scene)).toEqual(["POST /zone/ips/refresh"]);
});

test("refreshing replaces some IPs, in a country", async () => {
  const scene = await zones();
  const ips = scene.first.slice(0, 1);
  const where = { country: "de", countryCity: "de-berlin" };
  const { state } = await zoneIpRefresh.create({ zone: "web", ips, ...where }, scene.step());
  expect(body(scene)).toEqual({ zone: "web", ips, country: "de", country_city: "de-berlin" });
  expect(state.currentIps).toEqual(ipsOf(scene.web));
  expect(state.newIps).toEqual(ipsOf(scene.web).slice(0, 1));
  // What was declared stays what it was: it is no output.
  expect(state.ips).toEqual(ips);
});

test("refreshing tells the new IPs by those of before where the answer does not name them", async () => {
  const scene = await zones();
  const [first, ...others] = scene.first as [string, ...string[]];
  const body = JSON.stringify({ ips: ["198.18.9.9", ...others] });
  scene.remote.service.faults.add({ ...POST, kind: "respond", status: 200, body });
  const { state } = await zoneIpRefresh.create({ zone: "web", ips: [first] }, scene.step());
  expect(state).toMatchObject({ previousIps: scene.first, newIps: ["198.18.9.9"] });
});

test("refreshing tells no new IPs where nothing tells them: others may have those that the zone has", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status: 403 });
  const body = JSON.stringify({ ips: ["198.18.9.9", "198.18.9.10"] });
  scene.remote.service.faults.add({ ...POST, kind: "respond", status: 200, body });
  const { state } = await zoneIpRefresh.create({ zone: "web" }, scene.step());
  expect(state).toMatchObject({ currentIps: ["198.18.9.9", "198.18.9.10"], newIps: [] });
});

test("refreshing replaces gIPs", async () => {
  const scene = await zones();
  const [first, second] = gipsOf(scene.homes) as [string, string];
  const { state } = await zoneIpRefresh.create({ zone: "homes", vips: [first] }, scene.step());
  expect(body(scene)).toEqual({ zone: "homes", vips: [first] });
  const fresh = gipsOf(scene.homes)[0];
  expect(state).toMatchObject({
    kind: "gips",
    previousIps: [first, second],
    currentIps: [fresh, second],
    newIps: [fresh],
  });
});

test("refreshing replaces gIPs of a zone that does not list them", async () => {
  const scene = await zones();
  scene.homes.plan.vip = 0;
  const { state } = await zoneIpRefresh.create({ zone: "homes", all: true }, scene.step());
  expect(state).toMatchObject({ kind: "gips", currentIps: gipsOf(scene.homes), newIps: gipsOf(scene.homes) });
  expect(state).not.toHaveProperty("previousIps");
});

test("a refresh of IPs that the zone does not have is refused, and not kept", async () => {
  const scene = await zones();
  const error = await failure(zoneIpRefresh.create({ zone: "web", ips: ["192.0.2.1"] }, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(
    /^`ips` names 192\.0\.2\.1, which zone "web" does not list: expected .*Nothing was sent/,
  );
  expect(changes(scene)).toEqual([]);
});

test.each<[string, JsonObject, RegExp]>([
  [
    "gIPs of a zone with a static plan",
    { zone: "web", vips: ["tr_9121_07_antalya_10"] },
    /^`vips` .* "web" .*`static`/,
  ],
  ["proxy IPs of a zone with gIPs", { zone: "homes", ips: ["198.18.0.1"] }, /^`ips` .* "homes" .*`resident`/],
  ["proxy IPs of a zone whose plan is not told", { zone: "other", ips: ["198.18.0.1"] }, /^`ips` .* "other" .*unknown/],
])("a refresh of %s is refused: the service would refresh all", async (_, inputs, words) => {
  const scene = await zones();
  const other = scene.account.addZone("other", { type: "static", ips: 1 });
  delete (other.plan as JsonObject).type;
  expect((await failure(zoneIpRefresh.create(inputs, scene.step()))).message).toMatch(words);
  expect(changes(scene)).toEqual([]);
});

test("a refresh of named gIPs and IPs of a zone that does not list them is done where its plan has such", async () => {
  const scene = await zones();
  const [vip] = gipsOf(scene.homes);
  const [ip] = scene.first;
  scene.homes.plan.vip = 0;
  scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status: 403 });
  expect((await send(scene, { zone: "homes", vips: [vip] })).sent).toEqual({ zone: "homes", vips: [vip] });
  expect((await send(scene, { zone: "web", ips: [ip] })).sent).toEqual({ zone: "web", ips: [ip] });
});

test("a refresh waits for an addition to the same zone, and the look at one that was begun does as well", async () => {
  const scene = await zones();
  const open = { ...ALL, kind: "ips", previousIps: scene.first, stale: scene.first, outcome: "unknown" };
  for (const refresh of [() => zoneIpRefresh.create(ALL, scene.step()), () => update(scene, open, ALL)]) {
    forgetRequests(scene);
    const addition = scene.context.alone("IPs of zone web", async () => {
      for (let reads = 0; reads < 5; reads++) await scene.context.remote.account.status();
      return scene.remote.service.requests.filter(({ path }) => path.startsWith("/zone/ips"));
    });
    const refreshed = refresh();
    expect(await addition).toEqual([]);
    await refreshed;
  }
});

test("refreshing is never done by a read, an update or a deletion", async () => {
  const scene = await zones();
  const { id, state } = await zoneIpRefresh.create(ALL, scene.step());
  forgetRequests(scene);
  expect(zoneIpRefresh.read).toBeUndefined();
  const inputs = { ...ALL, country: "us" };
  expect(await update(scene, state, inputs)).toEqual({ ...state, ...inputs });
  await zoneIpRefresh.delete(id, state, scene.step());
  expect(scene.remote.service.requests).toEqual([]);
});

const send = async (scene: Stage, inputs: JsonObject, replaced?: JsonObject) => {
  forgetRequests(scene);
  const { state } = await zoneIpRefresh.create(inputs, { ...scene.step(), ...(replaced && { replaced }) });
  return { state, sent: body(scene) };
};

test("refreshing again replaces the successors of the IPs that the refresh before has replaced", async () => {
  const scene = await zones();
  const inputs = { zone: "web", ips: scene.first.slice(0, 2) };
  const { state: former } = await send(scene, inputs);
  const { state, sent } = await send(scene, { ...inputs, triggers: [2] }, former);
  expect(sent).toEqual({ zone: "web", ips: former.newIps });
  expect(state).toMatchObject({ ips: inputs.ips, newIps: ipsOf(scene.web).slice(0, 2) });
  expect(ipsOf(scene.web)[2]).toBe(scene.first[2]);
});

test("refreshing again replaces the successors of gIPs as well", async () => {
  const scene = await zones();
  const inputs = { zone: "homes", vips: gipsOf(scene.homes).slice(0, 1) };
  const { state: former } = await send(scene, inputs);
  expect((await send(scene, { ...inputs, triggers: [2] }, former)).sent).toEqual({
    zone: "homes",
    vips: former.newIps,
  });
});

test.each<[string, (scene: Awaited<ReturnType<typeof zones>>, former: JsonObject) => JsonObject]>([
  ["that were not those of the refresh before", (_, former) => ({ ...former, ips: ["192.0.2.9"] })],
  ["whose successors nobody knows", (_, { newIps: __, ...former }) => former],
  ["whose successors the zone has no more", (_, former) => ({ ...former, newIps: ["192.0.2.9"] })],
])("refreshing again replaces nothing in the place of IPs %s", async (_, change) => {
  const scene = await zones();
  const inputs = { zone: "web", ips: scene.first.slice(0, 1) };
  const { state: former } = await send(scene, inputs);
  const again = failure(send(scene, inputs, change(scene, former)));
  expect(await again).toBeInstanceOf(ArgumentError);
  expect(body(scene)).toBeUndefined();
});

test("refreshing again replaces the IPs that the program names where the zone still has one of them", async () => {
  const scene = await zones();
  const inputs = { zone: "web", ips: scene.first.slice(0, 1) };
  const { state: former } = await send(scene, inputs);
  const [, second] = scene.first as [string, string];
  const { sent } = await send(scene, { zone: "web", ips: [second] }, { ...former, ips: [second] });
  expect(sent).toEqual({ zone: "web", ips: [second] });
  expect((await send(scene, ALL, former)).sent).toEqual({ zone: "web" });
});

test("what a refresh has brought is the IPs that are new since, as the state says", () => {
  const newIps = ["198.18.0.1", "198.18.0.2"];
  expect(zoneIpRefresh.holdings("web/0", { ...ALL, newIps }).brought).toEqual([
    "ip 198.18.0.1 of zone web",
    "ip 198.18.0.2 of zone web",
  ]);
  expect(zoneIpRefresh.holdings("web/0", ALL).brought).toEqual([]);
});

test("what refreshes before the last one have brought is remembered as long as the zone has it", async () => {
  const scene = await zones();
  const brought = ({ state }: { state: JsonObject }) => zoneIpRefresh.holdings("web/0", state).brought;
  const first = await send(scene, { zone: "web", ips: scene.first });
  const [one, two, three] = ipsOf(scene.web) as [string, string, string];
  const second = await send(scene, { zone: "web", ips: [one] }, first.state);
  expect(brought(second)).toEqual([...ipsOf(scene.web).slice(0, 1), two, three].map((ip) => `ip ${ip} of zone web`));
  const third = await send(scene, { zone: "web", ips: [two] }, second.state);
  expect(brought(third).toSorted()).toEqual(
    ipsOf(scene.web)
      .map((ip) => `ip ${ip} of zone web`)
      .toSorted(),
  );
  expect(brought(await send(scene, { zone: "homes", vips: gipsOf(scene.homes) }, third.state))).toHaveLength(2);
});

test("what refreshes before have brought is remembered while nobody knows what became of the last one, and after it", async () => {
  const scene = await zones();
  const first = await send(scene, ALL);
  const brought = ipsOf(scene.web);
  const again = { zone: "web", ips: brought.slice(0, 1) };
  const { state } = (await lost(scene, { kind: "reset" }, again, first.state)) as PartialFailure;
  expect(state).toMatchObject({ outcome: "unknown", earlierIps: brought });
  scene.account.refreshIps(scene.web, brought.slice(0, 1));
  const done = await update(scene, state, again);
  expect(done).toMatchObject({ newIps: ipsOf(scene.web).slice(0, 1), earlierIps: brought.slice(1) });
});

test("what a refresh has brought to another zone is not remembered, though this one has it by now", async () => {
  const scene = await zones();
  const before = { zone: "homes", newIps: scene.first.slice(1) };
  const { state } = await send(scene, { zone: "web", ips: scene.first.slice(0, 1) }, before);
  expect(state).not.toHaveProperty("earlierIps");
  const { state: own } = await send(
    scene,
    { zone: "web", ips: ipsOf(scene.web).slice(0, 1) },
    { ...before, zone: "web" },
  );
  expect(own).toMatchObject({ earlierIps: scene.first.slice(1) });
});

test.each<[JsonObject]>([[ALL], [{ zone: "homes", all: true }]])(
  "a refresh whose answer is lost finds out that it was done (%j)",
  async (inputs) => {
    for (const kind of ["reset-after", "truncate"] as const) {
      const scene = await zones();
      const before = inputs.zone === "web" ? scene.first : gipsOf(scene.homes);
      scene.remote.service.faults.add({ ...POST, kind });
      const { state } = await zoneIpRefresh.create(inputs, scene.step());
      const now = inputs.zone === "web" ? ipsOf(scene.web) : gipsOf(scene.homes);
      expect(state).toMatchObject({ previousIps: before, currentIps: now, newIps: now });
      expect(count(scene, "POST /zone/ips/refresh")).toBe(1);
    }
  },
);

test("a refresh whose answer is lost finds out that it was done for some IPs", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ ...POST, kind: "reset-after" });
  const { state } = await zoneIpRefresh.create({ zone: "web", ips: scene.first.slice(1) }, scene.step());
  expect(state.newIps).toEqual(ipsOf(scene.web).slice(1));
});

/** A refresh that never arrived, and whose answer was waited for in vain. */
async function lost(
  scene: Awaited<ReturnType<typeof zones>>,
  fault: Fault = { kind: "reset" },
  inputs = ALL,
  former?: JsonObject,
) {
  scene.remote.service.faults.add({ ...POST, ...fault });
  const replaced = former && { replaced: former };
  return outOfTime(scene, "GET /zone/ips", (step) => zoneIpRefresh.create(inputs, { ...step, ...replaced }));
}

test.each<Fault>([{ kind: "reset" }, { kind: "respond", status: 502 }])(
  "a refresh whose answer is lost, and that does not look done (%j), stays open, and is never sent again by itself",
  async (fault) => {
    const scene = await zones();
    const error = await lost(scene, fault);
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(BrightDataError);
    expect(error.message).toMatch(
      /Whether the refresh of IPs of zone "web" was created is not known.*not sent again by itself.*change `triggers`/,
    );
    const { id, state } = error as PartialFailure;
    const begun = { kind: "ips", previousIps: scene.first, stale: scene.first };
    expect(state).toEqual({ ...ALL, ...begun, outcome: "unknown" });
    expect(zoneIpRefresh.diff(state, declaredIn(ALL), ALL)).toMatchObject({ changed: ["outcome"], replaces: [] });
    const say = vi.fn();
    const again = zoneIpRefresh.update(id, state, declaredIn(ALL), ALL, { ...scene.step(), say });
    expect((await failure(again)).message).toMatch(/^Whether the IPs of zone "web" were refreshed is not known/);
    expect(say.mock.calls).toEqual([[expect.stringContaining("It is not sent again.")]]);
    await zoneIpRefresh.delete(id, state, scene.step());
    expect(count(scene, "POST /zone/ips/refresh")).toBe(1);
  },
);

test("a refresh whose answer is lost finds out later that it was done after all", async () => {
  const scene = await zones();
  const { state } = (await lost(scene)) as PartialFailure;
  scene.web.allocatedIps = scene.account.allocateIps(3);
  const now = ipsOf(scene.web);
  const done = { ...ALL, kind: "ips", previousIps: scene.first, currentIps: now, newIps: now };
  expect(await update(scene, state, ALL)).toEqual(done);
  expect(zoneIpRefresh.diff(done, declaredIn(ALL), ALL).changed).toEqual([]);
  expect(count(scene, "POST /zone/ips/refresh")).toBe(1);
});

test("a refresh whose answer is lost finds out later what became of the IPs that were meant then, whichever the program names by now", async () => {
  const scene = await zones();
  const inputs = { zone: "web", ips: scene.first.slice(0, 1) };
  const { state } = (await lost(scene, { kind: "reset" }, inputs)) as PartialFailure;
  scene.web.allocatedIps.splice(0, 1, ...scene.account.allocateIps(1));
  const now = ipsOf(scene.web);
  expect(await update(scene, state, { zone: "web", ips: now })).toMatchObject({ ips: now, newIps: now.slice(0, 1) });
});

test("a refresh whose answer is lost believes nothing of a list that lacks IPs, that fails, or that was never there", async () => {
  const scene = await zones();
  const { state } = (await lost(scene)) as PartialFailure;
  scene.web.allocatedIps = scene.account.allocateIps(2);
  await failure(update(scene, state, ALL));
  scene.web.allocatedIps = scene.account.allocateIps(3);
  scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status: 500 });
  await failure(update(scene, state, ALL));
  const { previousIps, ...unlisted } = state;
  await failure(update(scene, unlisted, ALL));
  await failure(update(scene, { ...state, stale: ["192.0.2.1"] }, ALL));
  expect(await update(scene, state, ALL)).toMatchObject({ newIps: ipsOf(scene.web) });
});

test("a refresh whose answer is lost is kept at once where the zone does not list its IPs", async () => {
  const scene = await zones();
  scene.homes.plan.vip = 0;
  scene.remote.service.faults.add({ ...POST, kind: "reset" });
  const error = await failure(zoneIpRefresh.create({ zone: "homes", all: true }, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toContain('Whether the IPs of zone "homes" were refreshed is not known');
});

test("whatever an import file tells is nothing to look into", async () => {
  const scene = await zones();
  expect(zoneIpRefresh.diff(ALL, declaredIn(ALL), ALL).changed).toEqual([]);
  expect(await update(scene, ALL, ALL)).toEqual(ALL);
});

test("a refresh sends nothing where the list cannot be read before", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status: 500 });
  expect(await failure(zoneIpRefresh.create(ALL, scene.step()))).toBeInstanceOf(ServerError);
  expect(changes(scene)).toEqual([]);
});

test("what it has refreshed is found out, and not refreshed again", async () => {
  const scene = await zones();
  const journal = notebook();
  const { state } = await zoneIpRefresh.create(ALL, { ...scene.step(), journal });
  const request = { zone: "web", target: '{"all":true}' };
  expect(journal.begun).toEqual([{ kind: "ips", previousIps: scene.first, stale: scene.first, request }]);
  const taken = await zoneIpRefresh.create(ALL, { ...scene.step(), journal: notebook(journal.begun[0]) });
  expect(taken.state).toEqual(state);
  expect(count(scene, "POST /zone/ips/refresh")).toBe(1);
});

test("what it may have begun is not sent by itself", async () => {
  const scene = await zones();
  const facts = { kind: "ips", previousIps: scene.first, stale: scene.first };
  const error = await failure(zoneIpRefresh.create(ALL, { ...scene.step(), journal: notebook(facts) }));
  expect(error).toMatchObject({ state: { ...ALL, ...facts, outcome: "unknown" } });
  expect(changes(scene)).toEqual([]);
});

test("what it may have begun of other IPs is told of, and this is done", async () => {
  const scene = await zones();
  const request = { zone: "web", target: '{"all":true}' };
  const facts = { kind: "ips", previousIps: scene.first, stale: scene.first, request };
  const inputs = { zone: "web", ips: scene.first.slice(0, 1) };
  const { state } = await zoneIpRefresh.create(inputs, { ...scene.step(), journal: notebook(facts) });
  expect(state.newIps).toEqual(ipsOf(scene.web).slice(0, 1));
  expect(count(scene, "POST /zone/ips/refresh")).toBe(1);
});

test("what it has begun without knowing the IPs of before stays unknown", async () => {
  const scene = await zones();
  for (const facts of [{}, { kind: "ips" }, { kind: "ips", previousIps: [], stale: [] }]) {
    const error = await failure(zoneIpRefresh.create(ALL, { ...scene.step(), journal: notebook(facts) }));
    expect(error.message).toMatch(/^Whether the IPs of zone "web" were refreshed is not known/);
  }
  expect(changes(scene)).toEqual([]);
});

test("a refused refresh is forgotten", async () => {
  const scene = await zones();
  const journal = notebook();
  scene.remote.service.faults.add({ ...POST, kind: "respond", status: 400 });
  const error = await failure(zoneIpRefresh.create(ALL, { ...scene.step(), journal }));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).not.toBeInstanceOf(PartialFailure);
  expect(journal.isForgotten).toBe(true);
});
