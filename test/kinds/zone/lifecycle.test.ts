import { describe, expect, test, vi } from "vitest";
import { ArgumentError, InvalidRequestError, PermissionError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { type Fate, PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { created, INPUTS, PLAN, posts } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test.each<[string, (scene: Stage) => void, JsonObject, string[]]>([
  ["country", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { country: "de" }), {}, ["plan.country"]],
  ["ips that came later", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { ips: 9 }), { ips: 2 }, []],
  ["ips that are gone", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { ips: 1 }), { ips: 2 }, []],
  ["gIPs that are gone", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { vips: 1 }), { vips: 2 }, []],
  ["ips that are not declared", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { ips: 9 }), {}, []],
  [
    "a flag",
    ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { city: 0 }),
    { city: true },
    ["plan.city"],
  ],
  [
    "a flag's spelling",
    ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { city: "true" }),
    { city: 1 },
    [],
  ],
  [
    "an extra",
    ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { x_y: "b" }),
    { extra: { x_y: "a" } },
    ["plan.extra.x_y"],
  ],
  [
    "a list in an extra",
    ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { x_y: [{ a: 2 }] }),
    { extra: { x_y: [{ a: 1 }] } },
    ["plan.extra.x_y"],
  ],
  [
    "an undeclared extra",
    ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { x_z: "b" }),
    { extra: { x_y: "a" } },
    [],
  ],
  ["its passwords", ({ account }) => account.zone("web")?.password.push("new"), {}, []],
])("reading a zone finds drift in %s", async (_, edit, plan, expected) => {
  const scene = await stage();
  const inputs = { name: "web", plan: { ...PLAN, ...plan } };
  const state = await created(scene, inputs);
  edit(scene);
  expect(await drift(zone, "web", state, inputs, scene.step())).toEqual(expected);
  expect(changes(scene)).toEqual([]);
});

test("reading a zone finds that it was switched off, where that is declared", async () => {
  const scene = await stage();
  const inputs = { ...INPUTS, disabled: false };
  const state = await created(scene, inputs);
  const live = scene.account.zone("web");
  Object.assign(live ?? {}, { status: "disabled" });
  Object.assign(live?.plan ?? {}, { disable: "usage limit" });
  expect(await zone.read("web", INPUTS, scene.step(), {})).toMatchObject({ disabled: true, status: "disabled" });
  expect(await drift(zone, "web", state, inputs, scene.step())).toEqual(["disabled"]);
  expect(await drift(zone, "web", state, INPUTS, scene.step())).toEqual([]);
});

test.each([400, 404, 422])(
  "reading a zone believes that it is gone when the list says so too (%d)",
  async (unknownZoneStatus) => {
    const scene = await stage({ remote: { unknownZoneStatus } });
    await created(scene);
    scene.account.removeZone("web");
    expect(await zone.read("web", INPUTS, scene.step(), {})).toBeUndefined();
    scene.account.zones.delete("web");
    expect(await zone.read("web", INPUTS, scene.step(), {})).toBeUndefined();
  },
);

test("reading a zone does not believe that it is gone while it is listed", async () => {
  const scene = await stage();
  await created(scene);
  scene.account.status = "suspended";
  const error = await failure(zone.read("web", INPUTS, scene.step(), {}));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toContain("Customer has invalid status");
});

test.each([401, 403, 500])("reading a zone does not believe that it is gone because of a %d", async (status) => {
  const scene = await stage();
  await created(scene);
  scene.remote.service.faults.add({ path: "/zone", kind: "respond", status });
  expect(await failure(zone.read("web", INPUTS, scene.step(), {}))).toMatchObject({ status });
});

test("reading a zone does not believe that it is gone when it may not look into the list", async () => {
  const scene = await stage();
  await created(scene);
  const { faults } = scene.remote.service;
  faults.add({ path: "/zone", kind: "respond", status: 422 });
  faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 403 });
  expect(await failure(zone.read("web", INPUTS, scene.step(), {}))).toBeInstanceOf(InvalidRequestError);
});

test("reading a zone by its name alone tells everything", async () => {
  const scene = await stage();
  await created(scene);
  const state = await zone.read("web", undefined, scene.step(), {});
  expect(state).toMatchObject({ name: "web", status: "active", plan: { country: "us", ipsType: "shared" } });
  expect(await zone.read("none", undefined, scene.step(), {})).toBeUndefined();
});

test("reading fifty zones asks for the list once", async () => {
  const scene = await stage();
  const names = Array.from({ length: 50 }, (_, index) => `zone_${index}`);
  for (const name of names) scene.account.addZone(name, { type: "static" });
  const step = scene.step();
  const states = await Promise.all(names.map((name) => zone.read(name, { name, plan: { type: "static" } }, step, {})));
  expect(states.map((state) => state?.name)).toEqual(names);
  expect(count(scene, "GET /zone/get_all_zones")).toBe(1);
  expect(count(scene, "GET /zone")).toBe(50);
});

test("updating a zone switches it off and on, and on again when the program no longer says", async () => {
  const scene = await stage();
  let state = await created(scene);
  const off = { ...INPUTS, disabled: true };
  state = await zone.update("web", state, declaredIn(INPUTS), off, scene.step());
  expect(state).toMatchObject({ disabled: true, status: "disabled" });
  state = await zone.update("web", state, declaredIn(off), INPUTS, scene.step());
  expect(state).toMatchObject({ disabled: false, status: "active" });
  expect(changes(scene)).toEqual(["POST /zone/change_disable", "POST /zone/change_disable"]);
});

test.each(["its answer", "a look at what came of it"])(
  "an update of a zone that has lost %s can be taken back",
  async (what) => {
    const scene = await stage();
    const state = await created(scene);
    const { faults } = scene.remote.service;
    if (what === "its answer") faults.add({ method: "POST", path: "/zone/change_disable", kind: "reset-after" });
    else faults.add({ method: "GET", path: "/zone", kind: "respond", status: 403, after: 2 });
    const off = { ...INPUTS, disabled: true };
    const error = await failure(zone.update("web", state, declaredIn(INPUTS), off, scene.step()));
    expect(error).toMatchObject({ id: "web", state: { ...state, disabled: true } });
    faults.clear();
    const known = (error as PartialFailure).state;
    expect(zone.diff(known, declaredIn(off), INPUTS).changed).toEqual(["disabled"]);
    expect(await zone.update("web", known, declaredIn(off), INPUTS, scene.step())).toMatchObject({ disabled: false });
  },
);

test("an update of a zone that is refused changes nothing", async () => {
  const scene = await stage();
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "POST", path: "/zone/change_disable", kind: "respond", status: 403 });
  const error = await failure(
    zone.update("web", state, declaredIn(INPUTS), { ...INPUTS, disabled: true }, scene.step()),
  );
  expect(error).toBeInstanceOf(PermissionError);
});

test("updating what is not the service's business sends nothing", async () => {
  const scene = await stage();
  const state = await created(scene);
  const inputs = { ...INPUTS, timeouts: { delete: 5 }, adopt: true };
  expect(await zone.update("web", state, declaredIn(INPUTS), inputs, scene.step())).toMatchObject(inputs);
  expect(changes(scene)).toEqual([]);
});

test("deleting a zone deletes that one", async () => {
  const scene = await stage();
  const state = await created(scene);
  scene.account.addZone("other", { type: "static" });
  await zone.delete("web", state, scene.step());
  expect(scene.account.liveZones().map(({ name }) => name)).toEqual(["other"]);
  expect(scene.remote.service.requests.find(({ method }) => method === "DELETE")?.body).toEqual({ zone: "web" });
});

test("deleting a zone waits until the list says so", async () => {
  const scene = await stage();
  const state = await created(scene);
  const listed = JSON.stringify([{ name: "web", status: "active" }]);
  scene.remote.service.faults.add({
    path: "/zone/get_all_zones",
    kind: "respond",
    status: 200,
    body: listed,
    times: 2,
  });
  await zone.delete("web", state, scene.step());
  expect(count(scene, "GET /zone/get_all_zones")).toBe(3);
  expect(count(scene, "DELETE /zone")).toBe(1);
});

test("deleting a zone that the service refuses fails", async () => {
  const scene = await stage();
  const state = await created(scene);
  scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 403, body: "No permission" });
  expect(await failure(zone.delete("web", state, scene.step()))).toBeInstanceOf(PermissionError);
  expect(scene.account.zone("web")).toBeDefined();
});

test.each(["", " ", "\n"])("deleting a zone without a name (%j) is never sent", async (name) => {
  const scene = await stage();
  await created(scene);
  expect(await failure(zone.delete(name, {}, scene.step()))).toBeInstanceOf(ArgumentError);
  expect(changes(scene)).toEqual([]);
  expect(scene.account.zone("web")).toBeDefined();
});

test("the time for an operation ends its waiting, and says what for", async () => {
  const scene = await stage({ remote: { zoneVisibleAfterReads: Number.POSITIVE_INFINITY } });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /zone")).toBeGreaterThan(2));
  expire();
  const error = await creation;
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toContain('waiting for zone "web" to become visible');
  expect(posts(scene)).toBe(1);
});

test("a zone that the service refuses to show is waited for, and the refusal is quoted in the end", async () => {
  const scene = await stage();
  const answer = { kind: "respond", status: 422, body: "Customer has invalid status" } as const;
  scene.remote.service.faults.add({ method: "GET", path: "/zone", ...answer, times: Number.POSITIVE_INFINITY });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /zone")).toBeGreaterThan(2));
  expire();
  expect((await creation).message).toMatch(
    /visible\. The last answer was a refusal: Could not .*"web": GET .* answered 422: Customer has invalid status\. /,
  );
});

describe("what is announced", () => {
  const prices = { "datacenter-dedicated-ip": 0.8, "residential-dedicated-gip": 2 };
  const dedicated = { type: "static", ipsType: "dedicated", ips: 10 };
  const gips = { type: "resident", vipsType: "domain", domainWhitelist: "example.com", vips: "3" };

  test.each<[JsonObject, JsonObject | undefined, string | undefined]>([
    [{ name: "web", plan: dedicated }, undefined, "Zone web is created with 10 IPs. Each one costs money."],
    [
      { name: "web", plan: { ...dedicated, ips: 1 } },
      undefined,
      "Zone web is created with 1 IP. Each one costs money.",
    ],
    [{ name: UNKNOWN, plan: gips }, undefined, "Zone is created with 3 gIPs. Each one costs money."],
    [
      { name: "web", adopt: true, plan: { ...dedicated, ips: UNKNOWN } },
      undefined,
      "Zone web is created with some IPs, unless it is there already. Each one costs money.",
    ],
    [{ name: "web", plan: { ...dedicated, ips: 0, vips: "0" } }, undefined, undefined],
    [INPUTS, undefined, undefined],
    [
      { name: "web", plan: UNKNOWN },
      undefined,
      "Zone web is created with a plan that is not known yet. Each IP that it has costs money.",
    ],
    [
      { name: UNKNOWN, plan: UNKNOWN, adopt: true },
      undefined,
      "Zone is created with a plan that is not known yet, unless it is there already. Each IP that it has costs money.",
    ],
    [{ name: "web", plan: UNKNOWN }, { name: "web", plan: dedicated }, undefined],
    [{ name: "web", plan: dedicated }, { name: "web", plan: dedicated }, undefined],
  ])("of %j after %j is %j", (inputs, previous, words) => {
    expect(zone.announce(inputs, previous)).toBe(words);
  });

  describe("of a replacement", () => {
    const inputs = { name: "web", plan: dedicated };
    const anew = (name: string, bought = "") =>
      `The new zone${name} gets a password${bought} of its own, and what the program declares for it is made anew.`;
    const announced = (now: JsonObject, fate: Fate = "deleted") => zone.announceReplacement(inputs, now, fate);

    test("is what is lost, and what is made anew", () => {
      const lost = "Zone web is replaced: its passwords, its IPs and its access lists are lost.";
      expect(announced({ ...inputs, plan: UNKNOWN })).toBe(`${lost} ${anew("")}`);
      expect(announced({ name: "shop", plan: { ...dedicated, ips: 3 } })).toBe(
        `${lost} ${anew(" shop", " and 3 IPs")}`,
      );
    });

    test("names the zone where somebody has emptied the state", () => {
      expect(zone.announceReplacement({}, inputs, "gone")).toMatch(/^Zone web is gone/);
    });

    test("is what is kept, where another resource has the old zone", () => {
      const kept = "Zone web is replaced by another, and kept as it is: another resource of this program has it.";
      expect(announced({ ...INPUTS, name: "shop" }, "another's")).toBe(`${kept} ${anew(" shop")}`);
    });

    test("is nothing lost where the old zone is gone already", () => {
      expect(announced({ ...INPUTS, name: "web" }, "gone")).toBe(`Zone web is gone, and is made anew. ${anew("")}`);
    });

    test("is what is kept by the option, if the state has it by then", () => {
      const free = { ...INPUTS, name: "shop" };
      const checked = (previous: JsonObject | undefined, given: JsonObject = { ...free, __retainOnDelete: true }) => {
        const { inputs: now, failures } = zone.check(given, previous);
        expect(failures).toEqual([]);
        return now;
      };
      const first = checked({ ...INPUTS, name: "web" });
      expect(announced(first)).toMatch(/^Zone web is replaced: its passwords, its IPs and its access lists are lost\./);
      for (const before of [first, checked(first)]) {
        expect(announced(checked(before))).toBe(
          `Zone web is replaced by another, and kept as it is, because of \`retainOnDelete\`. It goes on to cost what it costs. ${anew(" shop")}`,
        );
      }
      // Where the option goes in the same update, the engine still goes by the state, once.
      const last = checked(first, free);
      expect(announced(last)).toContain("because of `retainOnDelete`");
      expect(checked(last, free)).toEqual(checked(undefined, free));
      expect(checked(last)).toEqual(first);
      for (const now of [first, last]) expect(zone.diff(free, declaredIn(free), now).changed).toEqual([]);
    });
  });

  test.each<[JsonObject, string]>([
    [dedicated, "At your price for datacenter-dedicated-ip, that is about $8.00 a month."],
    [gips, "At your price for residential-dedicated-gip, that is about $6.00 a month."],
  ])("of %j has the price of a month, where the user has one", (plan, words) => {
    expect(zone.announce({ name: "web", plan }, undefined, prices)).toContain(words);
  });

  test.each<[JsonObject]>([
    [{ ...dedicated, poolIpType: "static_res" }],
    [{ ...dedicated, ips: UNKNOWN }],
    [{ ...dedicated, ipsType: UNKNOWN }],
    [{ ...dedicated, poolIpType: UNKNOWN }],
    [{ ...gips, mobile: UNKNOWN }],
    [{ type: "static", ips: 2 }],
    [{ ...gips, mobile: "true" }],
  ])("of %j has no price, for none is known", (plan) => {
    expect(zone.announce({ name: "web", plan }, undefined, prices)).toMatch(/Each one costs money\.$/);
  });
});

test("zones of the account are not forgotten for one list that calls them deleted", async () => {
  const scene = await stage();
  const state = await created(scene, INPUTS);
  const body = JSON.stringify([{ name: "web", status: "deleted" }]);
  scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body });
  const context = scene.anotherContext();
  expect(await zone.read("web", INPUTS, { ...scene.step(), context }, state)).toEqual(state);
});

test("zones of the account are listed by name, without deleted ones", async () => {
  const scene = await stage();
  for (const name of ["web", "deleted", "off"]) scene.account.addZone(name, { type: "static" });
  scene.account.removeZone("deleted");
  expect(await zone.list(scene.step())).toEqual(["web", "off"]);
});

test.each<[JsonObject, JsonObject]>([
  [
    { name: "web", plan: { ...PLAN, poolIpType: "dc", city: "false", ips: 0 }, disabled: false, adopt: true },
    { name: "web", plan: PLAN },
  ],
  [
    { name: "web", type: "dc", disabled: true, plan: { type: "unblocker", serp: "true", extra: { recording: 1 } } },
    { name: "web", type: "dc", disabled: true, plan: { type: "unblocker", serp: "true", extra: { recording: 1 } } },
  ],
])("zones of the account are described by the inputs that declare them: %j", async (inputs, described) => {
  const scene = await stage();
  const state = await created(scene, inputs);
  expect(zone.describe(state)).toEqual(described);
  expect(zone.check(described, undefined).failures).toEqual([]);
  expect(zone.diff(state, declaredIn(described), described).changed).toEqual([]);
});

describe("further fields of a plan", () => {
  const SPELLED = { some_thing: { deep_key: 1, list_of: [{ a_b: "c" }] }, recording: 1 };
  const DEEP = { name: "web", plan: { ...PLAN, extra: SPELLED } };

  test("whose parts are in the service's spelling are what they are, and are found changed", async () => {
    const scene = await stage();
    const state = await created(scene, DEEP);
    expect(zone.diff(state, declaredIn(DEEP), DEEP).changed).toEqual([]);
    expect(await drift(zone, "web", state, DEEP, scene.step())).toEqual([]);
    Object.assign(scene.account.zone("web")?.plan ?? {}, { some_thing: { ...SPELLED.some_thing, deep_key: 2 } });
    expect(await drift(zone, "web", state, DEEP, scene.step())).toEqual(["plan.extra.some_thing.deep_key"]);
    const adopting = await failure(zone.create({ ...DEEP, adopt: true }, scene.step()));
    expect(adopting.message).toContain("`plan.extra.some_thing.deep_key` is 2 and not 1");
  });

  test("in a zone that is there are taken over as they are", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us", ...SPELLED });
    const inputs = { ...DEEP, adopt: true };
    const { state } = await zone.create(inputs, scene.step());
    expect(zone.diff(state, declaredIn(inputs), inputs).changed).toEqual([]);
  });

  test("that a zone has already are recorded when they are declared, and make no new zone", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us", ...SPELLED });
    const state = (await zone.read("web", INPUTS, scene.step(), {})) ?? {};
    const compared = (extra: JsonObject) =>
      zone.diff(state, declaredIn(INPUTS), { ...INPUTS, plan: { ...PLAN, extra } });
    expect(compared({ recording: true })).toMatchObject({ changed: ["plan.extra.recording"], replaces: [] });
    expect(compared(SPELLED)).toMatchObject({ replaces: [], deleteBeforeReplace: false });
    expect(compared({ recording: UNKNOWN }).replaces).toEqual(["plan.extra.recording"]);
    expect(compared({ recording: 2 }).replaces).toEqual(["plan.extra.recording"]);
    expect(compared({ other: 1 }).replaces).toEqual(["plan.extra.other"]);
  });

  test("that a look-up has found are no reason for a new zone", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us", ...SPELLED });
    const state = (await zone.read("web", undefined, scene.step(), {})) ?? {};
    const described = zone.describe(state);
    expect(described).toEqual(DEEP);
    expect(zone.diff(state, declaredIn(described), described)).toMatchObject({ replaces: [] });
  });

  test("that are declared no more make a new zone, whether or not the service tells of them", async () => {
    const scene = await stage();
    const state = await created(scene, DEEP);
    const plan = { type: "static", extra: { untold: 1 } };
    expect(zone.diff(state, declaredIn(DEEP), INPUTS).replaces).toContain("plan.extra.recording");
    expect(zone.diff({ name: "web", plan }, declaredIn({ plan }), INPUTS).replaces).toContain("plan.extra.untold");
  });

  test("of which there are none are as good as left out", async () => {
    const scene = await stage();
    const none = { ...INPUTS, plan: { ...PLAN, extra: {} } };
    for (const [before, after] of [
      [INPUTS, none],
      [none, INPUTS],
    ] as const) {
      const state = { ...(await created(scene, { ...before, adopt: true })) };
      expect(zone.diff(state, declaredIn(before), after)).toMatchObject({ changed: ["plan.extra"], replaces: [] });
    }
  });
});

test.each<[string, string, JsonObject, boolean]>([
  ["that the service sets by itself is no reason", "shared_block", {}, false],
  ["that the service sets of ISP IPs by itself is no reason", "shared_res_block", { poolIpType: "static_res" }, false],
  ["of another kind is a reason", "other_block", {}, true],
  ["of dedicated IPs is a reason", "shared_block", { ipsType: "dedicated", ips: 1 }, true],
])("a preset of the allocation %s for a new zone", (_, ipAllocPreset, fields, isReason) => {
  const implied = { name: "web", plan: { ...PLAN, ...fields } };
  const told = { name: "web", plan: { ...implied.plan, ipAllocPreset } };
  for (const [before, after] of [
    [told, implied],
    [implied, told],
  ] as const) {
    const { changed, replaces } = zone.diff({ ...before }, declaredIn(before), after);
    expect(changed).toEqual(["plan.ipAllocPreset"]);
    expect(replaces).toEqual(isReason ? ["plan.ipAllocPreset"] : []);
  }
});

test("zones of the account are described from a look-up by name", async () => {
  const scene = await stage();
  scene.account.addZone("homes", {
    type: "resident",
    country: "de",
    vips_type: "domain",
    domain_whitelist: "a b",
    vips: 2,
  });
  const state = (await zone.read("homes", undefined, scene.step(), {})) ?? {};
  const described = {
    name: "homes",
    plan: { type: "resident", country: "de", vips: 2, vipsType: "domain", domainWhitelist: "a b" },
  };
  expect(zone.describe(state)).toEqual(described);
  expect(zone.check(described, undefined).failures).toEqual([]);
  expect(zone.diff(state, declaredIn(described), described).changed).toEqual([]);
});
