import { expect, test, vi } from "vitest";
import { ArgumentError, InvalidRequestError, PermissionError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneLifecycle as zone } from "../../../src/kinds/zone/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { type Journal, PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  MARK,
  notebook,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { created, INPUTS, PLAN, posts } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("creating a zone makes it and returns what the service has, in the program's spelling", async () => {
  const scene = await stage();
  const inputs = { ...INPUTS, type: "dc", plan: { ...PLAN, country: "US", bandwidth: "bandwidth", city: "true" } };
  const { id, state } = await zone.create(inputs, scene.step());
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
])("creating a zone comes out without drift: %s", async (_, plan) => {
  const scene = await stage();
  const inputs = { name: "web", plan };
  const { state } = await zone.create(inputs, scene.step());
  expect(zone.diff(state, declaredIn(inputs), inputs).changed).toEqual([]);
  expect(await drift(zone, "web", state, inputs, scene.step())).toEqual([]);
});

test.each([PLAN, { type: "resident", country: "de" }])(
  "creating a zone comes out without drift in capitals: %j",
  async (plan) => {
    const scene = await stage({ remote: { planCountries: "capitals" } });
    const inputs = { name: "web", plan };
    const { state } = await zone.create(inputs, scene.step());
    expect(await drift(zone, "web", state, inputs, scene.step())).toEqual([]);
  },
);

test("creating a zone switches it off where that is declared", async () => {
  const scene = await stage();
  const { state } = await zone.create({ ...INPUTS, disabled: true }, scene.step());
  expect(state).toMatchObject({ disabled: true, status: "disabled" });
  expect(scene.account.zone("web")?.status).toBe("disabled");
  expect(changes(scene)).toEqual(["POST /zone", "POST /zone/change_disable"]);
});

test("creating a zone waits until a new zone is visible", async () => {
  const scene = await stage({ remote: { zoneVisibleAfterReads: 3 } });
  const { state } = await zone.create(INPUTS, scene.step());
  expect(state.passwords).toEqual(scene.account.zone("web")?.password);
  expect(posts(scene)).toBe(1);
  expect(count(scene, "GET /zone")).toBe(4);
});

test("creating a zone with a name that is taken is refused, and nothing is sent", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static" });
  const error = await failure(zone.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(
    /Zone "web" exists already and was not created here\. If this program created it.*`aliases`.*set `adopt: true`/,
  );
  expect(changes(scene)).toEqual([]);
});

test.each([
  [409, "Duplicate zone name"],
  [400, "Zone already exists"],
])("creating a zone with a name that is taken in the meantime (%d %s) is refused too", async (status, body) => {
  const scene = await stage();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "respond", status, body });
  const error = await failure(zone.create(INPUTS, scene.step()));
  expect(error.message).toContain("exists already and was not created here");
  expect(error).not.toBeInstanceOf(PartialFailure);
  expect(posts(scene)).toBe(1);
});

test("creating a zone with the name of a deleted zone makes a new one", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "resident" });
  scene.account.removeZone("web");
  const { state } = await zone.create(INPUTS, scene.step());
  expect(state.plan).toMatchObject({ type: "static" });
});

test("creating a zone with the name of a deleted zone, where the service keeps it, says so", async () => {
  const scene = await stage({ remote: { deletedNamesReusable: false } });
  scene.account.addZone("web", { type: "static" });
  scene.account.removeZone("web");
  const error = await failure(zone.create({ ...INPUTS, adopt: true }, scene.step()));
  expect(error.message).toMatch(/"web" was the name of a zone that is deleted.*choose another name/i);
});

test("creating a zone of a kind that needs a verified account says which verification", async () => {
  const scene = await stage({ remote: { compliance: "kyc_required" } });
  const error = await failure(zone.create({ name: "web", plan: { type: "resident" } }, scene.step()));
  expect(error).toBeInstanceOf(PermissionError);
  expect(error.message).toMatch(/kyc_required/);
  expect(error.message).toMatch(/Alternatives: Web Unlocker/);
  expect(posts(scene)).toBe(1);
});

test("creating a zone that the service does not take says what it says", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({
    method: "POST",
    kind: "respond",
    status: 422,
    body: "Customer has invalid status",
  });
  const error = await failure(zone.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toContain("Customer has invalid status");
  expect(count(scene, "GET /zone/get_all_zones")).toBe(1);
});

test("creating a zone works with a token that may not list zones", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({
    path: "/zone/get_all_zones",
    kind: "respond",
    status: 403,
    times: Number.POSITIVE_INFINITY,
  });
  const { id, state } = await zone.create(INPUTS, scene.step());
  expect(await zone.read(id, INPUTS, scene.step(), {})).toMatchObject({ status: "active" });
  await zone.delete(id, state, scene.step());
  expect(scene.account.zone("web")).toBeUndefined();
});

test.each(["reset-after", "truncate"] as const)(
  "creating a zone whose answer is lost by a broken connection (%s) finds it, and never makes it twice",
  async (kind) => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", kind });
    const { id, state } = await zone.create(INPUTS, scene.step());
    expect(id).toBe("web");
    expect(state.passwords).toEqual(scene.account.zone("web")?.password);
    expect(posts(scene)).toBe(1);
    expect(scene.account.liveZones()).toHaveLength(1);
  },
);

test("creating a zone whose answer is lost finds it although it takes a while to be listed", async () => {
  const scene = await stage({ remote: { zoneVisibleAfterReads: 4 } });
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
  const { state } = await zone.create(INPUTS, scene.step());
  expect(state.passwords).toEqual(scene.account.zone("web")?.password);
  expect(posts(scene)).toBe(1);
});

test("creating a zone whose answer is lost while it is read back keeps the zone, half-finished", async () => {
  const scene = await stage();
  const { deadline, expire } = controlledDeadline();
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "hang" });
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /zone")).toBe(1));
  expire();
  const error = await creation;
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "web", state: INPUTS });
  expect(error.cause).toBeInstanceOf(DeadlineError);
  expect(error.message).toMatch(/Gave up after 60 s, waiting for zone "web" to become visible.*`timeouts\.create`/);
});

test("creating a zone whose answer is lost by a service that never answers keeps the name that it may come under", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(posts(scene)).toBe(1));
  expire();
  const error = await creation;
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.cause).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toMatch(/Whether zone "web" was created is not known/);
  const { id, state } = error as PartialFailure;
  expect({ id, state }).toEqual({ id: "web", state: { ...INPUTS, status: "not visible yet" } });

  // The next update makes it, for it is certainly not there.
  expect(await zone.update(id, state, declaredIn(INPUTS), INPUTS, scene.step())).toMatchObject({ status: "active" });
  expect(scene.account.liveZones()).toHaveLength(1);
});

test("creating a zone whose answer is lost by a service that never answers, but has made it, keeps it", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
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
])(
  "creating a zone whose answer is lost sends it once more, by the same name, where nothing has come of it: %s",
  async (_, fault) => {
    const scene = await stage();
    scene.remote.service.faults.add({ method: "POST", path: "/zone", ...fault });
    await zone.create(INPUTS, scene.step());
    expect(posts(scene)).toBe(2);
    expect(scene.account.liveZones()).toHaveLength(1);
  },
);

test("creating a zone whose answer is lost survives an outage", async () => {
  const scene = await stage();
  const { faults } = scene.remote.service;
  faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
  faults.add({ method: "GET", path: "/zone", kind: "respond", status: 503, times: 40 });
  const { state } = await zone.create(INPUTS, scene.step());
  expect(state.passwords).toEqual(scene.account.zone("web")?.password);
  expect(posts(scene)).toBe(1);
});

test("creating a zone whose answer is lost does not take another's zone of the name for it", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ method: "POST", path: "/zone", kind: "hang" });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zone.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(posts(scene)).toBe(1));
  scene.account.addZone("web", { type: "resident" });
  expire();
  expect((await creation).message).toMatch(/Whether zone "web" was created is not known/);
  expect(scene.account.zone("web")?.plan.type).toBe("resident");
});

test("creating a zone whose answer is lost says that nobody knows when it cannot be found out", async () => {
  const scene = await stage();
  const { faults } = scene.remote.service;
  faults.add({ method: "POST", path: "/zone", kind: "reset-after" });
  faults.add({ method: "GET", path: "/zone", kind: "respond", status: 403, times: Number.POSITIVE_INFINITY });
  const error = await failure(zone.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toMatch(/Whether zone "web" was created could not be found out: .* answered 403/);
  expect(posts(scene)).toBe(1);
});

/** A zone that is there, and not to be seen so many times. */
const hidden = (scene: Stage, reads: number) =>
  Object.assign(scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" }), {
    hiddenReads: reads,
  });

/** What an update has noted that was killed, and how long it and its time are over. */
function noted(minutesAgo: number, minutesLeft: number, by = 0): Journal {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const [began, until, serviceTime] = [at(-minutesAgo), at(minutesLeft), at(by - minutesAgo)];
  return { ...notebook(), unfinished: { began, until, serviceTime, mark: MARK, facts: { name: "web" } } };
}

const AUTOMATIC = { ...INPUTS, __autoname: "Web" };

test("a zone that an update which was killed has begun is waited for where its name is taken, and nothing shows it yet", async () => {
  for (const inputs of [INPUTS, AUTOMATIC]) {
    const scene = await stage();
    hidden(scene, 30);
    const { id } = await zone.create(inputs, { ...scene.step(), journal: noted(0, 5) });
    expect(id).toBe("web");
    expect(posts(scene)).toBe(1);
    expect(scene.account.liveZones()).toHaveLength(1);
  }
});

test.each([
  ["that an update which was killed has begun is new", noted(0, 5), true],
  ["that is taken over is not", notebook(), false],
])("in the place of one that is made anew, a zone %s", async (_, journal, isNew) => {
  const scene = await stage();
  hidden(scene, 0);
  const { claims } = scene.context.scope;
  claims.note("renewed", ["zone web"]);
  await zone.create({ ...INPUTS, adopt: true }, { ...scene.step(), journal, me: { mark: MARK } });
  expect(claims.isRenewed("zone web")).toBe(isNew);
});

test.each([
  ["as it was made", 0],
  ["of an account whose clock is an hour ahead of this machine", 60],
])("a zone that an update which was killed has begun is taken up a day later: %s", async (_, aheadMinutes) => {
  let dayAgo = 24 * 60;
  const clock = () => new Date(Date.now() + (aheadMinutes - dayAgo) * 60_000);
  const scene = await stage({ clock });
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  dayAgo = 0;
  const { state } = await zone.create(INPUTS, {
    ...scene.step(),
    journal: noted(24 * 60 + 1, -23 * 60, aheadMinutes),
  });
  expect(state.status).toBe("active");
  expect(posts(scene)).toBe(0);
});

test("a zone that an update which was killed has begun is not what somebody else has made of that name since", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  const late = () => ({ ...scene.step(), journal: noted(24 * 60, -23 * 60) });
  const error = await failure(zone.create(INPUTS, late()));
  expect(error.message).toContain("exists already and was not created here");
  expect(posts(scene)).toBe(0);
  expect((await zone.create({ ...INPUTS, adopt: true }, late())).id).toBe("web");
  expect((await zone.create(AUTOMATIC, late())).id).not.toBe("web");
});

test("a zone that an update which was killed has begun and the service does not date is refused by its automatic name when it is too late to tell", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" }).created = "";
  const error = await failure(zone.create(AUTOMATIC, { ...scene.step(), journal: noted(24 * 60, -23 * 60) }));
  expect(error.message).toContain("set `adopt: true` to take it over");
  expect(changes(scene)).toEqual([]);
});

const UNSEEN = { ...INPUTS, status: "not visible yet" };

test("a zone that nobody has seen before its time was over is not forgotten by a refresh, and the next update goes on with it", async () => {
  const scene = await stage();
  const made = hidden(scene, 1000);
  const read = await zone.read("web", INPUTS, scene.step(), UNSEEN);
  expect(read).toEqual(UNSEEN);
  for (const inputs of [INPUTS, { ...INPUTS, __autoname: "Web" }]) {
    expect(zone.diff(UNSEEN, declaredIn(inputs), inputs)).toMatchObject({ changed: ["status"], replaces: [] });
  }
  made.hiddenReads = 20;
  const updated = await zone.update("web", UNSEEN, declaredIn(INPUTS), INPUTS, scene.step());
  expect(updated.status).toBe("active");
  expect(posts(scene)).toBeLessThanOrEqual(1);
  expect(scene.account.liveZones()).toHaveLength(1);
  expect(zone.diff(updated, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
});

test("a zone that nobody has seen before its time was over is created by the next update where nothing has come of it", async () => {
  const scene = await stage();
  expect(await zone.read("web", INPUTS, scene.step(), UNSEEN)).toEqual(UNSEEN);
  await zone.update("web", UNSEEN, declaredIn(INPUTS), INPUTS, scene.step());
  expect(posts(scene)).toBe(1);
  await zone.delete("web", UNSEEN, scene.step());
  await zone.delete("web", UNSEEN, scene.step());
  expect(scene.account.liveZones()).toEqual([]);
});

test.each([
  ["cannot be read", { method: "GET", path: "/zone" }, INPUTS],
  ["cannot be switched off", { method: "POST", path: "/zone/change_disable" }, { ...INPUTS, disabled: true }],
])(
  "a zone that is made, but not as it should be is kept when it %s, and put right by the next update",
  async (_, match, inputs) => {
    const scene = await stage();
    scene.remote.service.faults.add({ ...match, kind: "respond", status: 500, body: "oops" });
    const error = await failure(zone.create(inputs, scene.step()));
    expect(error).toBeInstanceOf(PartialFailure);
    const { id, state } = error as PartialFailure;
    expect(id).toBe("web");
    expect(state).toEqual({ ...inputs, status: "not visible yet" });
    expect(error.cause).toBeInstanceOf(ServerError);

    const after = await zone.update(id, state, declaredIn(inputs), inputs, scene.step());
    expect(after).toMatchObject({
      disabled: inputs.disabled === true,
      passwords: scene.account.zone("web")?.password,
    });
    expect(posts(scene)).toBe(1);
  },
);

test("adopting a zone switches it where the program has a say in that, and only there", async () => {
  const scene = await stage();
  const existing = scene.account.addZone("web", { type: "static", country: "us" });
  Object.assign(existing, { status: "disabled" });
  existing.plan.disabled = 1;
  const left = await zone.create({ ...INPUTS, adopt: true }, scene.step());
  expect(left.state).toMatchObject({ disabled: true, status: "disabled" });
  expect(changes(scene)).toEqual([]);
  const { state } = await zone.create({ ...INPUTS, adopt: true, disabled: false }, scene.step());
  expect(state).toMatchObject({ disabled: false, status: "active" });
  expect(changes(scene)).toEqual(["POST /zone/change_disable"]);
});

test("adopting a zone that differs in what cannot be changed is refused, with every difference and both values", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips_type: "dedicated", ips: 3, country: "de" });
  const inputs = { name: "web", adopt: true, plan: { ...PLAN, ips: 5 } };
  const error = await failure(zone.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toContain('`plan.ipsType` is "dedicated" and not "shared"');
  expect(error.message).toContain('`plan.country` is "de" and not "us"');
  expect(error.message).toContain("`plan.ips` is 3 and not 5");
  expect(error.message).not.toContain("plan.type");
  expect(changes(scene)).toEqual([]);
});

test("a zone that an update which was killed has begun is told of where the program wants another plan by now", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  const inputs = { ...INPUTS, plan: { ...PLAN, country: "de" } };
  const error = await failure(zone.create(inputs, { ...scene.step(), journal: noted(0, 5) }));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toBe(
    'Zone "web" exists already: an update that was cut short has created it, and it is in no state. It differs in what cannot be changed in place: `plan.country` is "us" and not "de". Declare what it is for one update, and change it in the next, which replaces the zone; or delete it in the control panel.',
  );
  expect(changes(scene)).toEqual([]);
});

test("adopting a zone that is made between the list and the creation takes it over as well", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/zone/get_all_zones", kind: "respond", status: 200, body: "[]" });
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us" });
  const { id } = await zone.create({ ...INPUTS, adopt: true }, scene.step());
  expect(id).toBe("web");
  expect(changes(scene)).toEqual(["POST /zone"]);
});

/** Makes the next answers to `GET /zone` be those of a zone with another plan. */
function answer(scene: Stage, plan: JsonObject, which: { times?: number; after?: number } = {}): void {
  const { password, ips, plan: own, created } = scene.account.zone("web") ?? {};
  const body = JSON.stringify({ password, ips, created, plan: { ...own, ...plan } });
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 200, body, ...which });
}

type Operation = (scene: Stage, state: JsonObject) => Promise<JsonObject | undefined>;

// An update looks whether the zone is there before all else.
const operations: [string, number, Operation][] = [
  ["an update", 1, (scene, state) => zone.update("web", state, declaredIn(INPUTS), INPUTS, scene.step())],
  ["a refresh", 0, (scene, state) => zone.read("web", INPUTS, scene.step(), state)],
];

test.each(operations)(
  "an answer that would make a new zone is not believed by itself (%s)",
  async (_, after, operate) => {
    for (const plan of [{ country: "de" }, { ips_type: "dedicated" }, { type: "resident" }]) {
      const scene = await stage();
      const state = await created(scene);
      answer(scene, plan, { after });
      const known = await operate(scene, state);
      expect(zone.diff(known ?? {}, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
      expect(changes(scene)).toEqual([]);
    }
  },
);

test.each(operations)(
  "an answer that would make a new zone is believed at the second look (%s)",
  async (_, after, operate) => {
    const scene = await stage();
    const state = await created(scene);
    answer(scene, { country: "de" }, { after, times: 2 });
    const known = await operate(scene, state);
    expect(zone.diff(known ?? {}, declaredIn(INPUTS), INPUTS).replaces).toEqual(["plan.country"]);
  },
);

test("an answer that would make a new zone counts as none where a value is not of its field's type", async () => {
  const scene = await stage();
  const state = await created(scene);
  answer(scene, { country: {}, ips_type: [], type: true }, { times: Number.POSITIVE_INFINITY });
  for (const [, , operate] of operations) {
    const known = await operate(scene, state);
    expect(known?.plan).toMatchObject(PLAN);
  }
});

test("an answer that would make a new zone is not believed by itself after a creation", async () => {
  const scene = await stage();
  const body = JSON.stringify({ password: ["pw"], ips: ["any"], plan: { type: "static", country: "de" } });
  scene.remote.service.faults.add({ method: "GET", path: "/zone", kind: "respond", status: 200, body });
  const { state } = await zone.create(INPUTS, scene.step());
  expect(state.plan).toMatchObject(PLAN);
});

test("an answer that would make a new zone is looked at no further where only the number of its IPs is another", async () => {
  const scene = await stage();
  const inputs = { name: "web", plan: { ...PLAN, ips: 3 } };
  const state = await created(scene, inputs);
  Object.assign(scene.account.zone("web")?.plan ?? {}, { ips: 1 });
  await zone.read("web", inputs, scene.step(), state);
  expect(count(scene, "GET /zone")).toBe(1);
});

const withIps = (ips: unknown): JsonObject => ({ name: "web", plan: { ...PLAN, ips } });
const update = (scene: Stage, state: JsonObject, before: JsonObject, inputs: JsonObject) =>
  zone.update("web", state, declaredIn(before), inputs, scene.step());

test("how many IPs a zone is created with is told apart from how many it has by now, in the state and for the next update", async () => {
  const scene = await stage();
  const inputs = withIps(2);
  const state = await created(scene, inputs);
  scene.account.zone("web")?.allocatedIps.push(...scene.account.allocateIps(3));
  expect(await zone.read("web", inputs, scene.step(), {})).toMatchObject({ plan: { ips: 2 } });
  expect(await update(scene, state, inputs, { ...inputs, disabled: true })).toMatchObject({ plan: { ips: 2 } });
  expect(await zone.read("web", INPUTS, scene.step(), {})).toMatchObject({ plan: { ips: 5 } });
});

test.each([
  ["ips", 2, 3],
  ["ips", 2, 1],
  ["vips", 2, "3"],
])(
  "how many IPs a zone is created with makes a new zone when the program says another (%s: %j, then %j)",
  (field, before, after) => {
    const inputs = (many: unknown) => ({ name: "web", plan: { ...PLAN, [field]: many } });
    const { replaces } = zone.diff(inputs(before), declaredIn(inputs(before)), inputs(after));
    expect(replaces).toEqual([`plan.${field}`]);
  },
);

test("how many IPs a zone is created with may be declared later, as it was or less than the zone has by now; more is a new zone", () => {
  const state = { name: "web", plan: { ...PLAN, ips: 5 } };
  for (const ips of [2, "5"]) {
    expect(zone.diff(state, declaredIn(INPUTS), withIps(ips))).toMatchObject({ changed: ["plan.ips"], replaces: [] });
  }
  expect(zone.diff(state, declaredIn(INPUTS), withIps(6)).replaces).toEqual(["plan.ips"]);
  expect(zone.diff(state, declaredIn(INPUTS), withIps(UNKNOWN)).replaces).toEqual(["plan.ips"]);
});

test("how many IPs a zone is created with may be less than an adopted zone has", async () => {
  const scene = await stage();
  scene.account.addZone("web", { type: "static", ips_type: "shared", country: "us", ips: 5 });
  const { state } = await zone.create({ ...withIps(2), adopt: true }, scene.step());
  expect(state).toMatchObject({ plan: { ips: 2 } });
  const error = await failure(zone.create({ ...withIps(6), adopt: true }, scene.step()));
  expect(error.message).toContain("`plan.ips` is 5 and not 6");
});
