import { describe, expect, test, vi } from "vitest";
import { ArgumentError, InvalidRequestError, PermissionError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  forgetRequests,
  type Stage,
  stage,
} from "../../lifecycle/harness";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const PLAN = { type: "static", ipsType: "shared", country: "us" };
const INPUTS: JsonObject = { name: "web", plan: PLAN };

const posts = (scene: Stage) => count(scene, "POST /zone");

async function created(scene: Stage, inputs: JsonObject = INPUTS): Promise<JsonObject> {
  const { state } = await zone.create(inputs, scene.run());
  forgetRequests(scene);
  return state;
}

describe("creating a zone", () => {
  test("makes it and returns what the service has, in the program's spelling", async () => {
    const scene = await stage();
    const inputs = { ...INPUTS, type: "dc", plan: { ...PLAN, country: "US", bandwidth: "bandwidth", city: "true" } };
    const { id, state } = await zone.create(inputs, scene.run());
    expect(id).toBe("web");
    const made = scene.account.zone("web");
    expect(state).toMatchObject({
      ...inputs,
      disabled: false,
      status: "active",
      passwords: made?.password,
      password: made?.password[0],
      ips: ["any"],
      perm: "country city",
      created: made?.created,
    });
    expect(state.plan).toMatchObject({ product: "dc", start: made?.plan.start });
    expect(changes(scene)).toEqual(["POST /zone"]);
    expect(scene.remote.service.requests.find(({ method }) => method === "POST")?.body).toEqual({
      zone: { name: "web", type: "dc" },
      plan: { type: "static", ips_type: "shared", country: "us", bandwidth: "bandwidth", city: true },
    });
  });

  test.each<[string, JsonObject]>([
    ["datacenter", { ...PLAN, ips: "2", vip: 0 }],
    ["ISP", { type: "static", poolIpType: "static_res", bandwidth: "unlimited", unlBwTiers: "std", country: "any" }],
    ["residential", { type: "resident", country: "DE", city: true, asn: "1" }],
    [
      "dedicated residential",
      { type: "resident", vipsType: "domain", domainWhitelist: "b.com a.com", vips: 1, vipCountry: "us" },
    ],
    ["mobile", { type: "resident", mobile: true }],
    ["SERP", { type: "unblocker", serp: true, solveCaptchaDisable: true, customHeaders: 0 }],
    ["browser", { type: "browser_api", extra: { recording: true, deep: { a: 1 } } }],
  ])("comes out without drift: %s", async (_, plan) => {
    const scene = await stage();
    const inputs = { name: "web", plan };
    const { state } = await zone.create(inputs, scene.run());
    expect(zone.diff(state, declaredIn(inputs), inputs).changed).toEqual([]);
    expect(await drift(zone, "web", state, inputs, scene.run())).toEqual([]);
  });

  test.each([PLAN, { type: "resident", country: "de" }])("comes out without drift in capitals: %j", async (plan) => {
    const scene = await stage({ remote: { planCountries: "capitals" } });
    const inputs = { name: "web", plan };
    const { state } = await zone.create(inputs, scene.run());
    expect(await drift(zone, "web", state, inputs, scene.run())).toEqual([]);
  });

  test("switches it off where that is declared", async () => {
    const scene = await stage();
    const { state } = await zone.create({ ...INPUTS, disabled: true }, scene.run());
    expect(state).toMatchObject({ disabled: true, status: "disabled" });
    expect(scene.account.zone("web")?.status).toBe("disabled");
    expect(changes(scene)).toEqual(["POST /zone", "POST /zone/change_disable"]);
  });

  test("waits until a new zone is visible", async () => {
    const scene = await stage({ remote: { zoneVisibleAfterReads: 3 } });
    const { state } = await zone.create(INPUTS, scene.run());
    expect(state.passwords).toEqual(scene.account.zone("web")?.password);
    expect(posts(scene)).toBe(1);
    expect(count(scene, "GET /zone")).toBe(4);
  });

  test("with a name that is taken is refused, and nothing is sent", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static" });
    const error = await failure(zone.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toMatch(
      /Zone "web" exists already and was not created here\. If this program created it.*`aliases`.*set `adopt: true`/,
    );
    expect(changes(scene)).toEqual([]);
  });

  test.each([
    [409, "Duplicate zone name"],
    [400, "Zone already exists"],
  ])("with a name that is taken in the meantime (%d %s) is refused too", async (status, body) => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "respond", status, body });
    const error = await failure(zone.create(INPUTS, scene.run()));
    expect(error.message).toContain("exists already and was not created here");
    expect(error).not.toBeInstanceOf(PartialFailure);
    expect(posts(scene)).toBe(1);
  });

  test("with the name of a deleted zone makes a new one", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "resident" });
    scene.account.removeZone("web");
    const { state } = await zone.create(INPUTS, scene.run());
    expect(state.plan).toMatchObject({ type: "static" });
  });

  test("with the name of a deleted zone, where the service keeps it, says so", async () => {
    const scene = await stage({ remote: { deletedNamesReusable: false } });
    scene.account.addZone("web", { type: "static" });
    scene.account.removeZone("web");
    const error = await failure(zone.create({ ...INPUTS, adopt: true }, scene.run()));
    expect(error.message).toMatch(/"web" was the name of a zone that is deleted.*choose another name/i);
  });

  test("of a kind that needs a verified account says which verification", async () => {
    const scene = await stage({ remote: { compliance: "kyc_required" } });
    const error = await failure(zone.create({ name: "web", plan: { type: "resident" } }, scene.run()));
    expect(error).toBeInstanceOf(PermissionError);
    expect(error.message).toMatch(/kyc_required/);
    expect(error.message).toMatch(/Alternatives: Web Unlocker/);
    expect(posts(scene)).toBe(1);
  });

  test("that the service does not take says what it says", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({
      method: "POST",
      kind: "respond",
      status: 422,
      body: "Customer has invalid status",
    });
    const error = await failure(zone.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain("Customer has invalid status");
    expect(count(scene, "GET /zone/get_all_zones")).toBe(1);
  });

  test("works with a token that may not list zones", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({
      path: "/zone/get_all_zones",
      kind: "respond",
      status: 403,
      times: Number.POSITIVE_INFINITY,
    });
    const { id, state } = await zone.create(INPUTS, scene.run());
    expect(await zone.read(id, INPUTS, scene.run(), {})).toMatchObject({ status: "active" });
    await zone.delete(id, state, scene.run());
    expect(scene.account.zone("web")).toBeUndefined();
  });
});

describe("creating a zone whose answer is lost", () => {
  test.each(["reset-after", "truncate"] as const)(
    "by a broken connection (%s) finds it, and never makes it twice",
    async (kind) => {
      const scene = await stage();
      scene.remote.service.faults.add({ method: "POST", path: "/zone", kind });
      const { id, state } = await zone.create(INPUTS, scene.run());
      expect(id).toBe("web");
      expect(state.passwords).toEqual(scene.account.zone("web")?.password);
      expect(posts(scene)).toBe(1);
      expect(scene.account.liveZones()).toHaveLength(1);
    },
  );

  test("finds it although it takes a while to be listed", async () => {
    const scene = await stage({ remote: { zoneVisibleAfterReads: 4 } });
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
    const { state } = await zone.create(INPUTS, scene.run());
    expect(state.passwords).toEqual(scene.account.zone("web")?.password);
    expect(posts(scene)).toBe(1);
  });

  test("while it is read back keeps the zone, half-finished", async () => {
    const scene = await stage();
    const { deadline, expire } = controlledDeadline();
    scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "hang" });
    const creation = failure(zone.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(count(scene, "GET /zone")).toBe(1));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({ id: "web", state: INPUTS });
    expect(error.cause).toBeInstanceOf(DeadlineError);
    expect(error.message).toMatch(/Gave up after 60 s, waiting for zone "web" to become visible.*`timeouts\.create`/);
  });

  test("by a service that never answers keeps the name that it may come under", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(zone.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(posts(scene)).toBe(1));
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.cause).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toMatch(/Whether zone "web" was made is not known/);
    const { id, state } = error as PartialFailure;
    expect({ id, state }).toEqual({ id: "web", state: INPUTS });

    // The next update makes it, for it is certainly not there.
    expect(await zone.update(id, state, declaredIn(INPUTS), INPUTS, scene.run())).toMatchObject({ status: "active" });
    expect(scene.account.liveZones()).toHaveLength(1);
  });

  test("by a service that never answers, but has made it, keeps it", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(zone.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(posts(scene)).toBe(1));
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
    expire();
    const error = await creation;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error).toMatchObject({ id: "web", state: INPUTS });
    expect(posts(scene)).toBe(1);
  });

  test.each([
    ["a broken connection", { kind: "reset" } as const],
    ["a failing service", { kind: "respond", status: 502 } as const],
  ])("sends it once more, by the same name, where nothing has come of it: %s", async (_, fault) => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", ...fault });
    await zone.create(INPUTS, scene.run());
    expect(posts(scene)).toBe(2);
    expect(scene.account.liveZones()).toHaveLength(1);
  });

  test("survives an outage", async () => {
    const scene = await stage();
    const { faults } = scene.remote.service;
    faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
    faults.add({ method: "GET", path: "/zone", kind: "respond", status: 503, times: 40 });
    const { state } = await zone.create(INPUTS, scene.run());
    expect(state.passwords).toEqual(scene.account.zone("web")?.password);
    expect(posts(scene)).toBe(1);
  });

  test("does not take another's zone of the name for it", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
    const { deadline, expire } = controlledDeadline();
    const creation = failure(zone.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(posts(scene)).toBe(1));
    scene.account.addZone("web", { type: "resident" });
    expire();
    expect((await creation).message).toMatch(/Whether zone "web" was made is not known/);
    expect(scene.account.zone("web")?.plan.type).toBe("resident");
  });

  test("says that nobody knows when it cannot be found out", async () => {
    const scene = await stage();
    const { faults } = scene.remote.service;
    faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
    faults.add({ method: "GET", path: "/zone", kind: "respond", status: 403, times: Number.POSITIVE_INFINITY });
    const error = await failure(zone.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toMatch(/Whether zone "web" was made could not be found out: .* answered 403/);
    expect(posts(scene)).toBe(1);
  });
});

describe("a zone that is made, but not as it should be", () => {
  test.each([
    ["cannot be read", { method: "GET", path: "/zone" }, INPUTS],
    ["cannot be switched off", { method: "POST", path: "/zone/change_disable" }, { ...INPUTS, disabled: true }],
  ])("is kept when it %s, and put right by the next update", async (_, match, inputs) => {
    const scene = await stage();
    scene.remote.service.faults.add({ ...match, kind: "respond", status: 500, body: "oops" });
    const error = await failure(zone.create(inputs, scene.run()));
    expect(error).toBeInstanceOf(PartialFailure);
    const { id, state } = error as PartialFailure;
    expect(id).toBe("web");
    expect(state).toEqual(inputs);
    expect(error.cause).toBeInstanceOf(ServerError);

    const after = await zone.update(id, state, declaredIn(inputs), inputs, scene.run());
    expect(after).toMatchObject({ disabled: inputs.disabled === true, passwords: scene.account.zone("web")?.password });
    expect(posts(scene)).toBe(1);
  });
});

describe("adopting a zone", () => {
  test("that is as declared takes it over", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
    const { id, state } = await zone.create({ ...INPUTS, adopt: true }, scene.run());
    expect(id).toBe("web");
    expect(state.passwords).toEqual(scene.account.zone("web")?.password);
    expect(changes(scene)).toEqual([]);
  });

  test("switches it where the program has a say in that, and only there", async () => {
    const scene = await stage();
    const existing = scene.account.addZone("web", { type: "static", country: "us" });
    Object.assign(existing, { status: "disabled" });
    existing.plan.disabled = 1;
    const left = await zone.create({ ...INPUTS, adopt: true }, scene.run());
    expect(left.state).toMatchObject({ disabled: true, status: "disabled" });
    expect(changes(scene)).toEqual([]);
    const { state } = await zone.create({ ...INPUTS, adopt: true, disabled: false }, scene.run());
    expect(state).toMatchObject({ disabled: false, status: "active" });
    expect(changes(scene)).toEqual(["POST /zone/change_disable"]);
  });

  test("that differs in what cannot be changed is refused, with every difference and both values", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "dedicated", ips: 3, country: "de" });
    const inputs = { name: "web", adopt: true, plan: { ...PLAN, ips: 5 } };
    const error = await failure(zone.create(inputs, scene.run()));
    expect(error).toBeInstanceOf(ArgumentError);
    expect(error.message).toContain('`plan.ipsType` is "dedicated" and not "shared"');
    expect(error.message).toContain('`plan.country` is "de" and not "us"');
    expect(error.message).toContain("`plan.ips` is 3 and not 5");
    expect(error.message).not.toContain("plan.type");
    expect(changes(scene)).toEqual([]);
  });

  test("that is made between the list and the creation takes it over as well", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body: "[]" });
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
    const { id } = await zone.create({ ...INPUTS, adopt: true }, scene.run());
    expect(id).toBe("web");
    expect(changes(scene)).toEqual(["POST /zone"]);
  });
});

describe("reading a zone", () => {
  test("changes nothing", async () => {
    const scene = await stage();
    const state = await created(scene);
    expect(await zone.read("web", INPUTS, scene.run(), {})).toEqual(state);
    expect(changes(scene)).toEqual([]);
  });

  test.each<[string, (scene: Stage) => void, JsonObject, string[]]>([
    [
      "country",
      ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { country: "de" }),
      {},
      ["plan.country"],
    ],
    [
      "ips that came later",
      ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { ips: 9 }),
      { ips: 2 },
      [],
    ],
    ["ips that are gone", ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { ips: 1 }), { ips: 2 }, []],
    [
      "gIPs that are gone",
      ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { vips: 1 }),
      { vips: 2 },
      [],
    ],
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
      "an undeclared extra",
      ({ account }) => Object.assign(account.zone("web")?.plan ?? {}, { x_z: "b" }),
      { extra: { x_y: "a" } },
      [],
    ],
    ["its passwords", ({ account }) => account.zone("web")?.password.push("new"), {}, []],
  ])("finds drift in %s", async (_, edit, plan, expected) => {
    const scene = await stage();
    const inputs = { name: "web", plan: { ...PLAN, ...plan } };
    const state = await created(scene, inputs);
    edit(scene);
    expect(await drift(zone, "web", state, inputs, scene.run())).toEqual(expected);
    expect(changes(scene)).toEqual([]);
  });

  test("finds that it was switched off, where that is declared", async () => {
    const scene = await stage();
    const inputs = { ...INPUTS, disabled: false };
    const state = await created(scene, inputs);
    const live = scene.account.zone("web");
    Object.assign(live ?? {}, { status: "disabled" });
    Object.assign(live?.plan ?? {}, { disable: "usage limit" });
    expect(await zone.read("web", INPUTS, scene.run(), {})).toMatchObject({ disabled: true, status: "disabled" });
    expect(await drift(zone, "web", state, inputs, scene.run())).toEqual(["disabled"]);
    expect(await drift(zone, "web", state, INPUTS, scene.run())).toEqual([]);
  });

  test.each([400, 404, 422])("believes that it is gone when the list says so too (%d)", async (unknownZoneStatus) => {
    const scene = await stage({ remote: { unknownZoneStatus } });
    await created(scene);
    scene.account.removeZone("web");
    expect(await zone.read("web", INPUTS, scene.run(), {})).toBeUndefined();
    scene.account.zones.delete("web");
    expect(await zone.read("web", INPUTS, scene.run(), {})).toBeUndefined();
  });

  test("does not believe that it is gone while it is listed", async () => {
    const scene = await stage();
    await created(scene);
    scene.account.status = "suspended";
    const error = await failure(zone.read("web", INPUTS, scene.run(), {}));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error.message).toContain("Customer has invalid status");
  });

  test.each([401, 403, 500])("does not believe that it is gone because of a %d", async (status) => {
    const scene = await stage();
    await created(scene);
    scene.remote.service.faults.add({ path: "/zone", kind: "respond", status });
    expect(await failure(zone.read("web", INPUTS, scene.run(), {}))).toMatchObject({ status });
  });

  test("does not believe that it is gone when it may not look into the list", async () => {
    const scene = await stage();
    await created(scene);
    const { faults } = scene.remote.service;
    faults.add({ path: "/zone", kind: "respond", status: 422 });
    faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 403 });
    expect(await failure(zone.read("web", INPUTS, scene.run(), {}))).toBeInstanceOf(InvalidRequestError);
  });

  test("by its name alone tells everything", async () => {
    const scene = await stage();
    await created(scene);
    const state = await zone.read("web", undefined, scene.run(), {});
    expect(state).toMatchObject({ name: "web", status: "active", plan: { country: "us", ipsType: "shared" } });
    expect(await zone.read("none", undefined, scene.run(), {})).toBeUndefined();
  });

  test("of fifty asks for the list once", async () => {
    const scene = await stage();
    const names = Array.from({ length: 50 }, (_, index) => `zone_${index}`);
    for (const name of names) scene.account.addZone(name, { type: "static" });
    const run = scene.run();
    const states = await Promise.all(names.map((name) => zone.read(name, { name, plan: { type: "static" } }, run, {})));
    expect(states.map((state) => state?.name)).toEqual(names);
    expect(count(scene, "GET /zone/get_all_zones")).toBe(1);
    expect(count(scene, "GET /zone")).toBe(50);
  });
});

describe("an answer that would make a new zone", () => {
  /** Makes the next answers to `GET /zone` be those of a zone with another plan. */
  function answer(scene: Stage, plan: JsonObject, which: { times?: number; after?: number } = {}): void {
    const { password, ips, plan: own, created } = scene.account.zone("web") ?? {};
    const body = JSON.stringify({ password, ips, created, plan: { ...own, ...plan } });
    scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 200, body, ...which });
  }

  type Operation = (scene: Stage, state: JsonObject) => Promise<JsonObject | undefined>;

  // An update looks whether the zone is there before all else.
  const operations: [string, number, Operation][] = [
    ["an update", 1, (scene, state) => zone.update("web", state, declaredIn(INPUTS), INPUTS, scene.run())],
    ["a refresh", 0, (scene, state) => zone.read("web", INPUTS, scene.run(), state)],
  ];

  test.each(operations)("is not believed by itself (%s)", async (_, after, operate) => {
    for (const plan of [{ country: "de" }, { ips_type: "dedicated" }, { type: "resident" }]) {
      const scene = await stage();
      const state = await created(scene);
      answer(scene, plan, { after });
      const known = await operate(scene, state);
      expect(zone.diff(known ?? {}, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
      expect(changes(scene)).toEqual([]);
    }
  });

  test.each(operations)("is believed at the second look (%s)", async (_, after, operate) => {
    const scene = await stage();
    const state = await created(scene);
    answer(scene, { country: "de" }, { after, times: 2 });
    const known = await operate(scene, state);
    expect(zone.diff(known ?? {}, declaredIn(INPUTS), INPUTS).replaces).toEqual(["plan"]);
  });

  test("counts as none where a value is not of its field's type", async () => {
    const scene = await stage();
    const state = await created(scene);
    answer(scene, { country: {}, ips_type: [], type: true }, { times: Number.POSITIVE_INFINITY });
    for (const [, , operate] of operations) {
      const known = await operate(scene, state);
      expect(known?.plan).toMatchObject(PLAN);
    }
  });

  test("is not believed by itself after a creation", async () => {
    const scene = await stage();
    const body = JSON.stringify({ password: ["pw"], ips: ["any"], plan: { type: "static", country: "de" } });
    scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 200, body });
    const { state } = await zone.create(INPUTS, scene.run());
    expect(state.plan).toMatchObject(PLAN);
  });

  test("is looked at no further where only the number of its IPs is another", async () => {
    const scene = await stage();
    const inputs = { name: "web", plan: { ...PLAN, ips: 3 } };
    const state = await created(scene, inputs);
    Object.assign(scene.account.zone("web")?.plan ?? {}, { ips: 1 });
    await zone.read("web", inputs, scene.run(), state);
    expect(count(scene, "GET /zone")).toBe(1);
  });
});

describe("how many IPs a zone is created with", () => {
  const withIps = (ips: unknown): JsonObject => ({ name: "web", plan: { ...PLAN, ips } });
  const update = (scene: Stage, state: JsonObject, before: JsonObject, inputs: JsonObject) =>
    zone.update("web", state, declaredIn(before), inputs, scene.run());

  test("is told apart from how many it has by now, in the state and for the next update", async () => {
    const scene = await stage();
    const inputs = withIps(2);
    const state = await created(scene, inputs);
    Object.assign(scene.account.zone("web")?.plan ?? {}, { ips: 5 });
    expect(await zone.read("web", inputs, scene.run(), {})).toMatchObject({ plan: { ips: 2 } });
    expect(await update(scene, state, inputs, { ...inputs, disabled: true })).toMatchObject({ plan: { ips: 2 } });
    expect(await zone.read("web", INPUTS, scene.run(), {})).toMatchObject({ plan: { ips: 5 } });
  });

  test.each([
    ["ips", 2, 3],
    ["ips", 2, 1],
    ["vips", 2, "3"],
  ])("makes a new zone when the program says another (%s: %j, then %j)", (field, before, after) => {
    const inputs = (many: unknown) => ({ name: "web", plan: { ...PLAN, [field]: many } });
    const { replaces } = zone.diff(inputs(before), declaredIn(inputs(before)), inputs(after));
    expect(replaces).toEqual(["plan"]);
  });

  test("may be declared later, as it was or less than the zone has by now; more is a new zone", () => {
    const state = { name: "web", plan: { ...PLAN, ips: 5 } };
    for (const ips of [2, "5"]) {
      expect(zone.diff(state, declaredIn(INPUTS), withIps(ips))).toMatchObject({ changed: ["plan.ips"], replaces: [] });
    }
    expect(zone.diff(state, declaredIn(INPUTS), withIps(6)).replaces).toEqual(["plan"]);
    expect(zone.diff(state, declaredIn(INPUTS), withIps(UNKNOWN)).replaces).toEqual(["plan"]);
  });

  test("may be less than an adopted zone has", async () => {
    const scene = await stage();
    scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us", ips: 5 });
    const { state } = await zone.create({ ...withIps(2), adopt: true }, scene.run());
    expect(state).toMatchObject({ plan: { ips: 2 } });
    const error = await failure(zone.create({ ...withIps(6), adopt: true }, scene.run()));
    expect(error.message).toContain("`plan.ips` is 5 and not 6");
  });
});

describe("updating a zone", () => {
  test("switches it off and on, and on again when the program no longer says", async () => {
    const scene = await stage();
    let state = await created(scene);
    const off = { ...INPUTS, disabled: true };
    state = await zone.update("web", state, declaredIn(INPUTS), off, scene.run());
    expect(state).toMatchObject({ disabled: true, status: "disabled" });
    state = await zone.update("web", state, declaredIn(off), INPUTS, scene.run());
    expect(state).toMatchObject({ disabled: false, status: "active" });
    expect(changes(scene)).toEqual(["POST /zone/change_disable", "POST /zone/change_disable"]);
  });

  test("of what is not the service's business sends nothing", async () => {
    const scene = await stage();
    const state = await created(scene);
    const inputs = { ...INPUTS, timeouts: { delete: 5 }, adopt: true };
    expect(await zone.update("web", state, declaredIn(INPUTS), inputs, scene.run())).toMatchObject(inputs);
    expect(changes(scene)).toEqual([]);
  });
});

describe("deleting a zone", () => {
  test("deletes that one", async () => {
    const scene = await stage();
    const state = await created(scene);
    scene.account.addZone("other", { type: "static" });
    await zone.delete("web", state, scene.run());
    expect(scene.account.liveZones().map(({ name }) => name)).toEqual(["other"]);
    expect(scene.remote.service.requests.find(({ method }) => method === "DELETE")?.body).toEqual({ zone: "web" });
  });

  test("that is gone already is done", async () => {
    const scene = await stage();
    const state = await created(scene);
    scene.account.removeZone("web");
    await zone.delete("web", state, scene.run());
    expect(changes(scene)).toEqual(["DELETE /zone"]);
  });

  test("waits until the list says so", async () => {
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
    await zone.delete("web", state, scene.run());
    expect(count(scene, "GET /zone/get_all_zones")).toBe(3);
    expect(count(scene, "DELETE /zone")).toBe(1);
  });

  test("whose answer is lost is settled by asking again", async () => {
    const scene = await stage({}, { BRIGHTDATA_RETRIES: "1" });
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "DELETE", kind: "reset-after" });
    await zone.delete("web", state, scene.run());
    expect(count(scene, "DELETE /zone")).toBe(2);
  });

  test("that the service refuses fails", async () => {
    const scene = await stage();
    const state = await created(scene);
    scene.remote.service.faults.add({ method: "DELETE", kind: "respond", status: 403, body: "No permission" });
    expect(await failure(zone.delete("web", state, scene.run()))).toBeInstanceOf(PermissionError);
    expect(scene.account.zone("web")).toBeDefined();
  });

  test.each(["", " ", "\n"])("without a name (%j) is never sent", async (name) => {
    const scene = await stage();
    await created(scene);
    expect(await failure(zone.delete(name, {}, scene.run()))).toBeInstanceOf(ArgumentError);
    expect(changes(scene)).toEqual([]);
    expect(scene.account.zone("web")).toBeDefined();
  });
});

test("the time for an operation ends its waiting, and says what for", async () => {
  const scene = await stage({ remote: { zoneVisibleAfterReads: Number.POSITIVE_INFINITY } });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.run(deadline)));
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
  const creation = failure(zone.create(INPUTS, scene.run(deadline)));
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
    [{ name: UNKNOWN, plan: gips }, undefined, "Zone is created with 3 gIPs. Each one costs money."],
    [
      { name: "web", adopt: true, plan: { ...dedicated, ips: UNKNOWN } },
      undefined,
      "Zone web is created with some IPs, unless it is there already. Each one costs money.",
    ],
    [{ name: "web", plan: { ...dedicated, ips: 0, vips: "0" } }, undefined, undefined],
    [INPUTS, undefined, undefined],
    [{ name: "web", plan: UNKNOWN }, undefined, undefined],
    [{ name: "web", plan: dedicated }, { name: "web", plan: dedicated }, undefined],
  ])("of %j after %j is %j", (inputs, previous, words) => {
    expect(zone.announce(inputs, previous)).toBe(words);
  });

  test("of a replacement is what goes with the old zone", () => {
    expect(zone.announceReplacement({ name: "web", plan: dedicated })).toBe(
      "Zone web is replaced: its passwords and its IPs go with it, and the new zone gets others.",
    );
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

describe("zones of the account", () => {
  test("are listed by name, without deleted ones", async () => {
    const scene = await stage();
    for (const name of ["web", "deleted", "off"]) scene.account.addZone(name, { type: "static" });
    scene.account.removeZone("deleted");
    expect(await zone.list(scene.run())).toEqual(["web", "off"]);
  });

  test.each<[JsonObject, JsonObject]>([
    [
      { name: "web", plan: { ...PLAN, poolIpType: "dc", city: "false", ips: 0 }, disabled: false, adopt: true },
      { name: "web", plan: { ...PLAN, ipAllocPreset: "shared_block" } },
    ],
    [
      { name: "web", type: "dc", disabled: true, plan: { type: "unblocker", serp: "true", extra: { recording: 1 } } },
      { name: "web", type: "dc", disabled: true, plan: { type: "unblocker", serp: "true", extra: { recording: 1 } } },
    ],
  ])("are described by the inputs that declare them: %j", async (inputs, described) => {
    const scene = await stage();
    const state = await created(scene, inputs);
    expect(zone.describe(state)).toEqual(described);
    expect(zone.check(described, undefined).failures).toEqual([]);
    expect(zone.diff(state, declaredIn(described), described).changed).toEqual([]);
  });

  test("are described from a look-up by name", async () => {
    const scene = await stage();
    scene.account.addZone("homes", {
      type: "resident",
      country: "de",
      vips_type: "domain",
      domain_whitelist: "a b",
      vips: 2,
    });
    const state = (await zone.read("homes", undefined, scene.run(), {})) ?? {};
    const described = {
      name: "homes",
      plan: { type: "resident", country: "de", vips: 2, vipsType: "domain", domainWhitelist: "a b" },
    };
    expect(zone.describe(state)).toEqual(described);
    expect(zone.check(described, undefined).failures).toEqual([]);
    expect(zone.diff(state, declaredIn(described), described).changed).toEqual([]);
  });
});
