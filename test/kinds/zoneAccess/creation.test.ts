import { describe, expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, InvalidRequestError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneAccessLifecycle as zoneAccess } from "../../../src/kinds/zoneAccess/lifecycle";
import { CancelledError, DeadlineError } from "../../../src/lifecycle/deadline";
import { PartialFailure, type Step } from "../../../src/lifecycle/lifecycle";
import {
  cancelledBy,
  changes,
  controlledDeadline,
  count,
  declaredIn,
  drift,
  failure,
  forgetRequests,
  notebook,
  type Stage,
} from "../../lifecycle/harness";
import { ALL, bodies, created, HOME, INPUTS, OFFICE, update, type WebZone, zones } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

test("creating puts on the lists what is declared, for that zone only", async () => {
  const scene = await zones();
  const { id, state } = await zoneAccess.create(ALL, scene.step());
  expect({ id, state }).toEqual({ id: "web", state: ALL });
  expect(scene.web).toMatchObject({
    ips: [OFFICE],
    deniedIps: ALL.deniedIps,
    domains: { whitelist: ["example.com", "example.org"], blacklist: ["example.net"] },
  });
  expect(scene.other).toMatchObject({ ips: ["any"], deniedIps: [], domains: { whitelist: [], blacklist: [] } });
  expect(changes(scene)).toEqual([
    "POST /zone/blacklist",
    "POST /zone/domain_perm",
    "POST /zone/whitelist",
    "POST /zone/domain_perm",
  ]);
  expect(await drift(zoneAccess, id, state, ALL, scene.step())).toEqual([]);
});

test("creating leaves lists alone that are not declared", async () => {
  const scene = await zones();
  scene.web.deniedIps = ["192.0.2.1"];
  const state = await created(scene);
  expect(scene.web.deniedIps).toEqual(["192.0.2.1"]);
  expect(state).toEqual(INPUTS);
});

test("creating sends nothing where all is as declared", async () => {
  const scene = await zones();
  await created(scene, { zone: "web", allowedIps: ["any"], deniedIps: [], allowedDomains: [] });
  scene.web.ips = ["203.0.113.7/32", "198.51.100.0/255.255.255.0"];
  await created(scene);
  expect(changes(scene)).toEqual([]);
});

test("creating does not take lists over that have other entries, unless that is said", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, "192.0.2.1"];
  const error = await failure(zoneAccess.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(
    /^Zone "web" has allowed client addresses that `allowedIps` does not declare: 192\.0\.2\.1\. .*`aliases`.*change no list in a forced replacement.*`adopt: true`/,
  );
  expect(changes(scene)).toEqual([]);
  await zoneAccess.create({ ...INPUTS, adopt: true }, scene.step());
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
  expect(bodies(scene, "/zone/whitelist")).toEqual([
    ["POST", { zone: "web", ip: [HOME] }],
    ["DELETE", { zone: "web", ip: "192.0.2.1" }],
  ]);
});

test("creating in the place of another takes the lists of that one for its own, on the same zone", async () => {
  const scene = await zones();
  const { deniedIps: _, ...replaced } = await created(scene, ALL);
  const creating = (inputs: JsonObject, zone: string) =>
    zoneAccess.create(inputs, { ...scene.step(), replaced: { ...replaced, zone } });
  const inputs = { zone: "web", allowedIps: [HOME] };
  const strange = `\`allowedIps\` does not declare: ${OFFICE}.`;
  expect((await failure(creating(inputs, "other"))).message).toContain(strange);
  const denying = { ...inputs, deniedIps: [] };
  expect((await failure(creating(denying, "web"))).message).toContain("`deniedIps` does not declare");
  expect((await creating(inputs, "web")).state).toEqual(inputs);
  expect(scene.web).toMatchObject({ ips: [HOME], deniedIps: ALL.deniedIps });
});

test("creating in the place of one that was imported takes for its own what that names, and no other entry", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, "192.0.2.1"];
  const create = (...allowedIps: string[]) => {
    const replaced = { zone: "web", allowedIps };
    return zoneAccess.create({ zone: "web", allowedIps: [HOME] }, { ...scene.step(), replaced, isImported: true });
  };
  expect((await failure(create(OFFICE))).message).toContain("`allowedIps` does not declare: 192.0.2.1.");
  await create(OFFICE, "192.0.2.1");
  expect(scene.web.ips).toEqual([HOME]);
});

test("creating in the place of another goes on with its lists where it breaks off before it has come to them", async () => {
  const scene = await zones();
  const replaced = await created(scene, ALL);
  const inputs = { zone: "web", allowedIps: [HOME], deniedIps: ["192.0.2.99"] };
  scene.remote.service.faults.add({
    method: "POST",
    path: "/zone/whitelist",
    kind: "respond",
    status: 403,
    body: "no",
  });
  const error = await failure(zoneAccess.create(inputs, { ...scene.step(), replaced }));
  if (!(error instanceof PartialFailure)) throw error;
  await update(scene, error.state, inputs, inputs);
  expect(scene.web).toMatchObject({ ips: [HOME], deniedIps: ["192.0.2.99"] });
});

test("creating goes on with the lists that were kept for it, whatever they have", async () => {
  const scene = await zones();
  const former = await created(scene, ALL);
  // With what an update that was cut short has put there.
  scene.web.ips.push("192.0.2.7");
  const cutShort = notebook({ zone: "web", entries: { allowedIps: ["192.0.2.7"] } });
  const kept = notebook();
  await zoneAccess.keep("web", former, { ...scene.step(), journal: cutShort }, kept);
  expect(kept.begun).toHaveLength(1);
  const step = { ...scene.step(), journal: notebook(kept.begun[0]) };
  await zoneAccess.create({ zone: "web", allowedIps: [HOME] }, step);
  expect(scene.web).toMatchObject({ ips: [HOME], deniedIps: [], domains: { whitelist: [], blacklist: [] } });
});

test("a creation for a zone that does not exist fails, and is not kept", async () => {
  const scene = await zones();
  const error = await failure(zoneAccess.create({ ...ALL, zone: "none" }, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).not.toBeInstanceOf(PartialFailure);
  const journal = notebook();
  await failure(zoneAccess.create({ ...ALL, zone: "none" }, { ...scene.step(), journal }));
  expect(journal.begun).toEqual([]);
});

test("a creation stays noted where it breaks off, with all that it was about", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ method: "POST", path: "/zone/blacklist", kind: "respond", status: 500 });
  const journal = notebook();
  await failure(zoneAccess.create(ALL, { ...scene.step(), journal }));
  expect(journal.begun).toHaveLength(1);
  expect(journal.isForgotten).toBe(false);
});

test("a creation whose request is lost is kept, and finished by the next update", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ method: "POST", path: "/zone/whitelist", kind: "reset" });
  const error = await failure(zoneAccess.create(INPUTS, scene.step()));
  expect(error).toMatchObject({ id: "web", state: INPUTS });
  expect(error.cause).toBeInstanceOf(ConnectionError);
  expect(await update(scene, (error as PartialFailure).state, INPUTS, INPUTS)).toEqual(INPUTS);
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});

test("a creation that breaks off in the middle keeps what is known of each list", async () => {
  const scene = await zones();
  const { faults } = scene.remote.service;
  faults.add({ method: "POST", path: "/zone/domain_perm", kind: "respond", status: 500, after: 1 });
  const error = await failure(zoneAccess.create(ALL, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.cause).toBeInstanceOf(ServerError);
  expect(scene.web.ips).toEqual([OFFICE]);
  const { state } = error as PartialFailure;
  expect(await update(scene, state, ALL, ALL)).toEqual(ALL);
  expect(scene.web.domains).toEqual({ whitelist: ["example.com", "example.org"], blacklist: ["example.net"] });
});

test("a creation that breaks off when it has taken some entries off is kept", async () => {
  const scene = await zones();
  scene.web.deniedIps = ["192.0.2.1", "192.0.2.2"];
  const { faults } = scene.remote.service;
  faults.add({ method: "DELETE", path: "/zone/blacklist", kind: "respond", status: 403, after: 1 });
  const inputs = { zone: "web", deniedIps: [], adopt: true };
  const error = await failure(zoneAccess.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(scene.web.deniedIps).toEqual(["192.0.2.2"]);
  await update(scene, (error as PartialFailure).state, inputs, inputs);
  expect(scene.web.deniedIps).toEqual([]);
});

test("creating waits until the list reads as declared, and sends each entry once", async () => {
  const scene = await zones();
  const stale = JSON.stringify({ web: ["any"] });
  const { faults } = scene.remote.service;
  faults.add({ method: "GET", path: "/zone/whitelist", kind: "respond", status: 200, body: stale, times: 4 });
  await zoneAccess.create(INPUTS, scene.step());
  expect(changes(scene)).toEqual(["POST /zone/whitelist"]);
  expect(count(scene, "GET /zone/whitelist")).toBe(6);
});

test("creating adds to every list before it removes from any", async () => {
  const scene = await zones();
  const inputs = { zone: "web", allowedIps: [OFFICE] };
  const state = await created(scene, inputs);
  const moved = { zone: "web", deniedIps: [HOME], adopt: true };
  await update(scene, state, inputs, moved);
  expect(changes(scene)).toEqual(["POST /zone/blacklist", "DELETE /zone/whitelist"]);
});

test("a zone is not opened before those are denied who stay out", async () => {
  const scene = await zones();
  const inputs = { zone: "web", allowedIps: [OFFICE] };
  const state = await created(scene, inputs);
  scene.remote.service.faults.add({ method: "POST", path: "/zone/blacklist", kind: "respond", status: 500 });
  await failure(update(scene, state, inputs, { zone: "web", allowedIps: ["any"], deniedIps: [HOME] }));
  expect(scene.web.ips).toEqual([OFFICE]);
  expect(changes(scene)).toEqual(["POST /zone/blacklist"]);
});

test("a creation that is cancelled begins with no further list, and keeps what was sent", async () => {
  const scene = await zones();
  const deadline = cancelledBy(scene.remote.service, "POST /zone/domain_perm");
  const inputs = { zone: "web", allowedDomains: ["example.com"], deniedDomains: ["example.net"] };
  const error = await failure(zoneAccess.create(inputs, scene.step(deadline)));
  expect(error).toMatchObject({ id: "web", state: { zone: "web", deniedDomains: ["example.net"] } });
  expect(error.cause).toBeInstanceOf(CancelledError);
  expect(scene.web.domains).toEqual({ whitelist: [], blacklist: ["example.net"] });
});

test("a deletion that is cancelled takes no further address off", async () => {
  const scene = await zones();
  const state = await created(scene);
  const deadline = cancelledBy(scene.remote.service, "DELETE /zone/whitelist");
  expect(await failure(zoneAccess.delete("web", state, scene.step(deadline)))).toBeInstanceOf(CancelledError);
  expect(scene.web.ips).toEqual([HOME]);
});

test.each(["cancelled", "refused"])(
  "an update that is %s after it has taken off some entries tells of it",
  async (how) => {
    const scene = await zones();
    const before = { zone: "web", deniedIps: ["203.0.113.1", "203.0.113.2", "203.0.113.3"] };
    const state = await created(scene, before);
    const { service } = scene.remote;
    if (how === "refused")
      service.faults.add({ method: "DELETE", path: "/zone/blacklist", kind: "respond", status: 403, after: 1 });
    const step = scene.step(how === "cancelled" ? cancelledBy(service, "DELETE /zone/blacklist") : undefined);
    const error = await failure(update(scene, state, before, { zone: "web", deniedIps: ["203.0.113.3"] }, step));
    expect(error).toBeInstanceOf(PartialFailure);
    const { state: known } = error as PartialFailure;
    expect(await update(scene, known, before, before)).toMatchObject(before);
    expect(scene.web.deniedIps).toEqual(expect.arrayContaining(before.deniedIps));
  },
);

test.each([
  ["its list cannot be read", { method: "GET", status: 500, after: 1 }],
  ["the first removal is refused", { method: "DELETE", status: 403 }],
] as const)("an update of which nothing has come, as %s, is not kept as unfinished", async (_, fault) => {
  const scene = await zones();
  const before = { zone: "web", deniedIps: ["203.0.113.1", "203.0.113.2", "203.0.113.3"] };
  const state = await created(scene, before);
  scene.remote.service.faults.add({ path: "/zone/blacklist", kind: "respond", ...fault });
  const journal = notebook();
  const step = { ...scene.step(), journal };
  const error = await failure(update(scene, state, before, { zone: "web", deniedIps: ["203.0.113.3"] }, step));
  expect(error).not.toBeInstanceOf(PartialFailure);
  expect(journal.begun).toEqual([]);
  expect(scene.web.deniedIps).toEqual(before.deniedIps);
});

test("a creation that cannot read a list back keeps what may stand on it", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({
    method: "GET",
    path: "/zone/whitelist",
    kind: "respond",
    status: 500,
    after: 2,
  });
  const error = await failure(zoneAccess.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error).toMatchObject({ id: "web", state: INPUTS });
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});

test("a creation of domains whose answer is lost is open until they have been sent again", async () => {
  for (const kind of ["reset", "reset-after"] as const) {
    const scene = await zones();
    scene.remote.service.faults.add({ method: "POST", path: "/zone/domain_perm", kind });
    const inputs = { zone: "web", allowedDomains: ["example.com"] };
    const error = await failure(zoneAccess.create(inputs, scene.step()));
    expect(error).toMatchObject({ state: { ...inputs, unsettled: ["allowedDomains"] } });
    const { state } = error as PartialFailure;
    expect(await drift(zoneAccess, "web", state, inputs, scene.step())).toEqual(["unsettled"]);
    const read = (await zoneAccess.read("web", inputs, scene.step(), state)) as JsonObject;
    expect(await update(scene, read, inputs, inputs)).toEqual(inputs);
    expect(scene.web.domains.whitelist).toEqual(["example.com"]);
  }
});

test("what a killed update has put on lists that are declared no more goes, also after a failure and a refresh", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE];
  scene.web.deniedIps = ["192.0.2.1"];
  scene.web.domains.whitelist = ["example.com"];
  const entries = { allowedIps: [OFFICE], deniedIps: ["192.0.2.1"], allowedDomains: ["example.com"] };
  const journal = notebook({ zone: "web", entries });
  const { faults } = scene.remote.service;
  faults.add({ method: "GET", path: "/zone/whitelist", kind: "respond", status: 500, after: 3 });
  const error = await failure(zoneAccess.create(INPUTS, { ...scene.step(), journal }));
  const { state } = error as PartialFailure;
  const unsettled = ["allowedIps", "deniedIps", "allowedDomains"];
  expect(state).toEqual({ ...INPUTS, ...entries, allowedIps: [OFFICE, HOME], unsettled });
  const read = (await zoneAccess.read("web", INPUTS, scene.step(), state)) as JsonObject;
  expect(read).toEqual(state);
  expect(await drift(zoneAccess, "web", read, INPUTS, scene.step())).toEqual(["unsettled"]);
  expect(await update(scene, read, INPUTS, INPUTS)).toEqual(INPUTS);
  expect([scene.web.ips, scene.web.deniedIps, scene.web.domains.whitelist]).toEqual([[OFFICE, HOME], [], []]);
});

test("creating gives up when the list never does", async () => {
  const scene = await zones();
  const stale = JSON.stringify({ web: ["any"] });
  const times = Number.POSITIVE_INFINITY;
  const { faults } = scene.remote.service;
  faults.add({ method: "GET", path: "/zone/whitelist", kind: "respond", status: 200, body: stale, times });
  const { deadline, expire } = controlledDeadline();
  const creation = failure(zoneAccess.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(count(scene, "GET /zone/whitelist")).toBeGreaterThan(3));
  expire();
  const error = await creation;
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.cause).toBeInstanceOf(DeadlineError);
  expect(error.message).toContain('waiting for the allowed client addresses of zone "web" to be as declared');
  expect(changes(scene)).toEqual(["POST /zone/whitelist"]);
});

const wanted = { ...INPUTS, deniedIps: ["192.0.2.9"] };

test("a list that is declared for the first time is not taken over where it has other entries, unless that is said", async () => {
  const scene = await zones();
  const state = await created(scene);
  scene.web.deniedIps = ["192.0.2.1"];
  const error = await failure(update(scene, state, INPUTS, wanted));
  expect(error).toBeInstanceOf(ArgumentError);
  expect(error.message).toMatch(
    /^Zone "web" has denied client addresses that `deniedIps` does not declare: 192\.0\.2\.1\. /,
  );
  expect(changes(scene)).toEqual([]);
  const adopting = { ...wanted, adopt: true };
  expect(await update(scene, state, INPUTS, adopting)).toEqual(adopting);
  expect(scene.web.deniedIps).toEqual(["192.0.2.9"]);
});

test("a list that is declared for the first time is not when an update has failed that declared it already", async () => {
  const scene = await zones();
  const before = { zone: "web", deniedIps: ["192.0.2.7"] };
  const state = await created(scene, before);
  const { faults } = scene.remote.service;
  faults.add({ method: "POST", path: "/zone/blacklist", kind: "respond", status: 500, times: 9 });
  const error = await failure(update(scene, state, before, wanted));
  faults.clear();
  scene.web.ips = ["192.0.2.1"];
  expect((await failure(update(scene, (error as PartialFailure).state, wanted, wanted))).message).toMatch(
    /`adopt: true`/,
  );
});

test("a list that is declared for the first time is its own where an update that was killed has put there what is declared", async () => {
  const scene = await zones();
  const state = await created(scene);
  await update(scene, state, INPUTS, wanted);
  forgetRequests(scene);
  expect(await update(scene, state, INPUTS, wanted)).toEqual(wanted);
  expect(changes(scene)).toEqual([]);
});

test("a list that is declared for the first time is its own where an update has failed in the middle of it", async () => {
  const scene = await zones();
  const state = await created(scene);
  const { faults } = scene.remote.service;
  faults.add({ method: "GET", path: "/zone/blacklist", kind: "respond", status: 500, after: 2, times: 9 });
  const error = await failure(update(scene, state, INPUTS, wanted));
  faults.clear();
  expect(scene.web.deniedIps).toEqual(["192.0.2.9"]);
  const other = { ...wanted, deniedIps: ["192.0.2.8"] };
  expect(await update(scene, (error as PartialFailure).state, wanted, other)).toEqual(other);
  expect(scene.web.deniedIps).toEqual(["192.0.2.8"]);
});

test("a list that is declared for the first time opens the zone without asking where nothing stands on it", async () => {
  const scene = await zones();
  const before = { zone: "web", deniedIps: [] };
  const state = await created(scene, before);
  const inputs = { ...before, allowedIps: [OFFICE] };
  expect(await update(scene, state, before, inputs)).toEqual(inputs);
  expect(scene.web.ips).toEqual([OFFICE]);
});

describe("a domain that may never have come on its list", () => {
  const before = { zone: "web", allowedDomains: ["example.com"] };

  /** The service refuses to take the domain off the list. */
  async function refusing(): Promise<{ scene: Stage & { web: WebZone }; said: string[]; step: Step }> {
    const scene = await zones();
    await created(scene, before);
    const answer = { kind: "respond", status: 400, times: Number.POSITIVE_INFINITY } as const;
    scene.remote.service.faults.add({
      method: "DELETE",
      path: "/zone/domain_perm",
      containing: "bad_domain",
      ...answer,
    });
    const said: string[] = [];
    return { scene, said, step: { ...scene.step(), say: (words) => said.push(words) } };
  }

  const noted = () =>
    notebook({ zone: "web", entries: { allowedDomains: ["example.com", "old.example", "bad_domain"] } });
  const unsettled = {
    ...before,
    allowedDomains: ["example.com", "old.example", "bad_domain"],
    unsettled: ["allowedDomains"],
  };

  test.each([
    ["a killed update", before, noted],
    ["a failed update", unsettled, () => notebook()],
  ] as const)("after %s is given up with a word, and the others go", async (_, state, journal) => {
    const { scene, said, step } = await refusing();
    scene.web.domains.whitelist.push("old.example");
    const noting = { ...step, journal: journal() };
    expect(await zoneAccess.update("web", state as never, declaredIn(before), before, noting)).toEqual(before);
    expect(scene.web.domains.whitelist).toEqual(["example.com"]);
    expect(said).toEqual([
      expect.stringMatching(/refuses to remove bad_domain from the allowed domains of zone "web"/),
    ]);
  });

  test("is not in the way of the deletion", async () => {
    const { scene, said, step } = await refusing();
    await zoneAccess.delete("web", before as never, { ...step, journal: noted() });
    expect(scene.web.domains.whitelist).toEqual([]);
    expect(said).toHaveLength(1);
  });

  test("is told from one that is certain to be there", async () => {
    const { step } = await refusing();
    const state = { ...before, allowedDomains: ["example.com", "bad_domain"] };
    expect(await failure(zoneAccess.delete("web", state as never, step))).toBeInstanceOf(InvalidRequestError);
  });
});

const imported = { isImported: true };

test("a list of an import file is taken over with what the file says of it", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, HOME, "192.0.2.1"];
  const file = { zone: "web", allowedIps: [OFFICE, HOME, "192.0.2.1"] };
  expect(await update(scene, file, file, INPUTS, imported)).toEqual(INPUTS);
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});

test("a list of an import file is not taken over with what neither the file nor the program says of it", async () => {
  const scene = await zones();
  scene.web.ips = [OFFICE, HOME, "192.0.2.1"];
  const file = { zone: "web", allowedIps: [OFFICE] };
  const error = await failure(update(scene, file, file, INPUTS, imported));
  expect(error.message).toMatch(/has allowed client addresses that `allowedIps` does not declare: 192\.0\.2\.1\. /);
  expect(changes(scene)).toEqual([]);
  const adopting = { ...INPUTS, adopt: true };
  expect(await update(scene, file, file, adopting, imported)).toEqual(adopting);
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});

test("a list of an import file is completed where the service has less of it", async () => {
  const scene = await zones();
  expect(await update(scene, INPUTS, INPUTS, INPUTS, imported)).toEqual(INPUTS);
  expect(scene.web.ips).toEqual([OFFICE, HOME]);
});
