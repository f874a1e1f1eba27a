import { expect, test, vi } from "vitest";
import { InvalidRequestError, ServerError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { zoneIpsLifecycle as zoneIps } from "../../../src/kinds/zoneIps/lifecycle";
import { PartialFailure } from "../../../src/lifecycle/lifecycle";
import { changes, count, declaredIn, failure, forgetRequests, notebook, outOfTime } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";
import { bodyOf, created, INPUTS, ipsOf, listOf, update, withIps, zones } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

/** The state as it is when the update that it tells of is some minutes ago. */
const aged = (state: JsonObject): JsonObject => ({
  ...state,
  adding: { ...(state.adding as JsonObject), began: "2026-01-01T00:00:00.000Z", until: "2026-01-01T00:01:00.000Z" },
});

const imported = { ...INPUTS, count: 1 };

test("an import file, which does not say which IPs, takes as many as it declares, and gives none back", async () => {
  const scene = await zones();
  scene.web.allocatedIps = scene.account.allocateIps(4);
  scene.context.claims.made({ mark: "m.other" }, [`ip ${ipsOf(scene.web)[0]} of zone web`]);
  const read = (await zoneIps.read("web/ips", imported, scene.step(), imported)) as JsonObject;
  expect(read).toEqual({ ...withIps(scene, imported, [ipsOf(scene.web)[1] as string]), countries: ["us"] });
  for (const state of [imported, read]) {
    expect(await update(scene, "web/ips", state, imported)).toEqual(read);
  }
  expect(changes(scene)).toEqual([]);
});

test("an import file, which does not say which IPs, never makes IPs be bought, but says what is lacking", async () => {
  const scene = await zones();
  const say = vi.fn();
  const many = { ...INPUTS, count: 5 };
  const state = await zoneIps.update("web/ips", many, declaredIn(many), many, { ...scene.step(), say });
  expect(state).toEqual({ ...many, count: 2, ips: scene.first, others: [], countries: ["us"] });
  expect(say.mock.calls).toEqual([
    ["2 IPs of zone web are imported, and 5 are declared. The next update adds the others."],
  ]);
  expect(changes(scene)).toEqual([]);
  expect(zoneIps.diff(state, declaredIn(many), many).changed).toEqual(["count"]);
  expect(listOf(await update(scene, "web/ips", state, many))).toEqual(ipsOf(scene.web));
});

test("an import file, which does not say which IPs, never takes more than it says, however many the program declares", async () => {
  const scene = await zones();
  expect(await update(scene, "web/ips", imported, { ...INPUTS, count: 2 })).toMatchObject({ count: 1 });
  expect(changes(scene)).toEqual([]);
});

test("creating adds IPs to the zone, and owns those alone", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, country: "de", countryCity: "de-berlin" };
  const { id, state } = await zoneIps.create(inputs, scene.step());
  expect(id).toBe("web/ips");
  expect(state).toEqual(withIps(scene, inputs, ipsOf(scene.web).slice(2)));
  expect(listOf(state)).toHaveLength(3);
  expect(changes(scene)).toEqual(["POST /zone/ips"]);
  const { customer } = scene.account;
  expect(bodyOf(scene, "POST")).toEqual({
    customer,
    zone: "web",
    count: 3,
    country: "de",
    country_city: "de-berlin",
  });
  forgetRequests(scene);
  expect(await zoneIps.read(id, inputs, scene.step(), state)).toEqual(state);
  expect(changes(scene)).toEqual([]);
});

test("a creation of none adds none", async () => {
  const scene = await zones();
  expect((await zoneIps.create({ ...INPUTS, count: 0 }, scene.step())).state).toMatchObject({ count: 0, ips: [] });
  expect(changes(scene)).toEqual([]);
});

test("a creation of several at once keeps them apart, even where an answer is lost", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "reset-after" });
  const step = scene.step();
  const made = await Promise.all([1, 2, 3].map((many) => zoneIps.create({ ...INPUTS, count: many }, step)));
  const all = made.flatMap(({ state }) => listOf(state));
  expect(new Set([...all, ...scene.first]).size).toBe(8);
  expect(ipsOf(scene.web)).toHaveLength(8);
});

test("creating takes over what the zone has, where that is said, before it adds any", async () => {
  const scene = await zones();
  const { state } = await zoneIps.create({ ...INPUTS, adopt: true }, scene.step());
  expect(listOf(state)).toEqual(ipsOf(scene.web));
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
  forgetRequests(scene);
  const enough = await zoneIps.create({ ...INPUTS, count: 2, adopt: true }, scene.step());
  expect(listOf(enough.state)).toEqual(scene.first);
  expect(changes(scene)).toEqual([]);
});

test("a creation for a zone that can have none says so before anything is paid for", async () => {
  const scene = await zones();
  const error = await failure(zoneIps.create({ ...INPUTS, zone: "homes" }, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.message).toContain("Wrong zone plan");
  expect(changes(scene)).toEqual([]);
});

test("creating begins when the customer's id is known: a failure to read it leaves nothing in doubt", async () => {
  const scene = await zones();
  const journal = notebook();
  scene.remote.service.faults.add({ method: "GET", path: "/status", kind: "respond", status: 503 });
  const error = await failure(zoneIps.create(INPUTS, { ...scene.step(), journal }));
  expect(error).toBeInstanceOf(ServerError);
  expect(error.message).not.toContain("Whether");
  expect(journal.begun).toEqual([]);
  expect(changes(scene)).toEqual([]);
  expect(count(scene, "GET /zone/ips")).toBe(1);
});

test("a creation of several asks once for the customer's id", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, count: 1 };
  for (const _ of ["one", "two"]) await zoneIps.create(inputs, scene.step());
  expect(count(scene, "GET /status")).toBe(1);
});

test("a creation of more than there are is refused", async () => {
  const scene = await zones();
  scene.remote.behaviour.availableIps = 2;
  const error = await failure(zoneIps.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error).not.toBeInstanceOf(PartialFailure);
  expect(error.message).toContain("no IPs available");
});

test("a creation that is given fewer keeps those, and the next update adds the rest", async () => {
  const scene = await zones();
  const [given] = scene.account.allocateIps(1);
  scene.web.allocatedIps.push(given as (typeof scene.web.allocatedIps)[number]);
  const body = JSON.stringify({ ips: ipsOf(scene.web), new_ips: [given?.ip] });
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "respond", status: 200, body });
  const error = await failure(zoneIps.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toContain('Zone "web" was given too few IPs: there are 1 now and not 3');
  const { id, state } = error as PartialFailure;
  expect(state).toEqual({ ...INPUTS, count: 1, ips: [given?.ip], others: expect.arrayContaining(scene.first) });
  const after = await update(scene, id, state, INPUTS);
  expect(listOf(after)).toEqual(ipsOf(scene.web).slice(2));
});

test("creating tells the new ones from the old ones where the service does not", async () => {
  const scene = await zones();
  const [given] = scene.account.allocateIps(1) as [(typeof scene.web.allocatedIps)[number]];
  const body = JSON.stringify({ ips: [...scene.first, given.ip] });
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "respond", status: 200, body });
  const creation = zoneIps.create({ ...INPUTS, count: 1 }, scene.step());
  // It takes a while until the list has it.
  await vi.waitFor(() => expect(count(scene, "GET /zone/ips")).toBeGreaterThan(3));
  scene.web.allocatedIps.push(given);
  expect((await creation).state.ips).toEqual([given.ip]);
});

test("a creation of IPs that are never listed keeps them", async () => {
  const scene = await zones();
  const body = JSON.stringify({ ips: [...scene.first, "198.18.9.9"], new_ips: ["198.18.9.9"] });
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "respond", status: 200, body });
  const inputs = { ...INPUTS, count: 1 };
  const error = await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(inputs, step));
  expect(error).toMatchObject({ id: "web/ips", state: { ...inputs, ips: ["198.18.9.9"] } });
  expect(error.message).toContain('waiting for zone "web" to list its new IPs');
});

const POST = { method: "POST", path: "/zone/ips" } as const;

test("a creation whose answer is lost waits through an outage, however long, and never pays twice", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ ...POST, kind: "reset-after" });
  scene.remote.service.faults.add({ path: "/zone/ips", kind: "respond", status: 503, after: 1, times: 30 });
  const { state } = await zoneIps.create(INPUTS, scene.step());
  expect(listOf(state)).toEqual(ipsOf(scene.web).slice(2));
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("a creation whose answer is lost keeps what is known where nothing has come, and the next update adds them", async () => {
  const scene = await zones();
  scene.remote.service.faults.add({ ...POST, kind: "reset" });
  const error = await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(INPUTS, step));
  expect(error).toBeInstanceOf(PartialFailure);
  expect(error.message).toMatch(
    /Whether the addition of 3 IPs to zone "web" was created is not known.*The next `pulumi up` looks again/,
  );
  const { id, state } = error as PartialFailure;
  expect(state).toMatchObject({ ...INPUTS, count: 0, ips: [], adding: { facts: { before: scene.first, count: 3 } } });
  expect(zoneIps.diff(state, declaredIn(INPUTS), INPUTS).changed).toEqual(["count", "adding"]);
  const after = await update(scene, id, aged(state), INPUTS);
  expect(after).toEqual(withIps(scene, INPUTS, ipsOf(scene.web).slice(2)));
  expect(count(scene, "POST /zone/ips")).toBe(2);
});

/** Those that are added come into the zone when nobody looks any more. */
async function late(scene: Awaited<ReturnType<typeof zones>>): Promise<JsonObject> {
  scene.remote.service.faults.add({ ...POST, kind: "reset" });
  const error = await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(INPUTS, step));
  scene.web.allocatedIps.push(...scene.account.allocateIps(3));
  return (error as PartialFailure).state;
}

test("a creation whose answer is lost has IPs that come later taken up by the next update or deletion, and by no refresh", async () => {
  for (const task of ["update", "read", "delete"] as const) {
    const scene = await zones();
    const state = await late(scene);
    const all = ipsOf(scene.web);
    const whole = withIps(scene, INPUTS, all.slice(2));
    expect(zoneIps.holdings("web/ips", state).has).toHaveLength(1);
    if (task === "update") expect(await update(scene, "web/ips", state, INPUTS)).toEqual(whole);
    if (task === "read") expect(await zoneIps.read("web/ips", INPUTS, scene.step(), state)).toEqual(state);
    if (task === "delete") {
      await zoneIps.delete("web/ips", state, scene.step());
      expect(ipsOf(scene.web)).toEqual(scene.first);
    }
    expect(count(scene, "POST /zone/ips")).toBe(1);
  }
});

test("a creation whose answer is lost leaves IPs that have come when its time was long over: somebody else may have added them", async () => {
  const scene = await zones();
  const state = aged(await late(scene));
  const all = ipsOf(scene.web);
  const say = vi.fn();
  expect((await failure(update(scene, "web/ips", state, INPUTS))).message).toContain(
    "after so long, that cannot be told. Where the resource has an input `adopt`, set it to take over what there is; otherwise delete what there is, or replace the resource (`pulumi up --replace <its URN>`) if that is somebody else's, and run again.",
  );
  await zoneIps.delete("web/ips", state, { ...scene.step(), say });
  expect(say.mock.calls).toEqual([
    [
      `${all.slice(2).join(", ")} came to zone web after 3 IPs had been asked for in an update that was cut short. They may be somebody else's, so they are left alone. Give back those that you do not need.`,
    ],
  ]);
  expect(ipsOf(scene.web)).toEqual(all);
  expect(listOf(await update(scene, "web/ips", state, { ...INPUTS, adopt: true }))).toEqual(all.slice(2));
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("a creation whose answer is lost takes them up though the number is changed meanwhile", async () => {
  const scene = await zones();
  const state = await late(scene);
  const all = ipsOf(scene.web);
  const fewer = await update(scene, "web/ips", state, { ...INPUTS, count: 2 });
  expect(listOf(fewer)).toEqual(all.slice(2, 4));
  expect(ipsOf(scene.web)).toEqual(all.slice(0, 4));
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("a creation whose answer is lost is kept open by a refresh while nothing can be found out", async () => {
  const scene = await zones();
  const state = await late(scene);
  scene.web.allocatedIps.pop();
  const read = (await zoneIps.read("web/ips", INPUTS, scene.step(), state)) as JsonObject;
  expect(read).toEqual(state);
});

test("a creation whose answer is lost claims nothing where somebody else has added IPs in the meantime", async () => {
  const scene = await zones();
  const state = await late(scene);
  scene.web.allocatedIps.push(...scene.account.allocateIps(1));
  const error = await failure(update(scene, "web/ips", state, INPUTS));
  expect(error.message).toMatch(/^4 things have come that could be the addition of 3 IPs to zone "web", and not 3/);
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test.each([0, 1])(
  "a creation whose answer is lost leaves what may have come in the place of IPs that are not its own, but for an adoption (%i)",
  async (index) => {
    const scene = await zones();
    scene.remote.service.faults.add({ ...POST, kind: "reset" });
    const inputs = { ...INPUTS, count: 1 };
    const error = await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(inputs, step));
    const { state } = error as PartialFailure;
    const gone = scene.first[index] as string;
    await scene.context.remote.ips.refresh("web", { ips: [gone] });
    const [come = ""] = ipsOf(scene.web).filter((ip) => !scene.first.includes(ip));
    const left = ipsOf(scene.web);
    const refused = await failure(update(scene, "web/ips", aged(state), inputs));
    expect(refused.message).toBe(
      `${gone} of zone web is gone, which this resource did not have, and ${come} has come: as a replacement, or by the addition of 1 IP to zone "web", which an update has asked for. Set \`adopt\` to take over what has come; or give back in the control panel what nobody needs, and run again.`,
    );
    await zoneIps.delete("web/ips", aged(state), scene.step());
    expect(listOf(await update(scene, "web/ips", aged(state), { ...inputs, adopt: true }))).toEqual([come]);
    expect(ipsOf(scene.web)).toEqual(left);
    expect(count(scene, "POST /zone/ips")).toBe(1);
  },
);

test("an adoption takes as many as it lacks of what may have come for it, and names the rest", async () => {
  const scene = await zones();
  const say = vi.fn();
  const facts = { zone: "web", where: {}, before: scene.first, own: [], count: 1 };
  await scene.context.remote.ips.refresh("web", { ips: scene.first });
  const [come, rest] = ipsOf(scene.web);
  forgetRequests(scene);
  const inputs = { ...INPUTS, count: 1, adopt: true };
  const { state } = await zoneIps.create(inputs, { ...scene.step(), journal: notebook(facts), say });
  expect(listOf(state)).toEqual([come]);
  expect(say.mock.calls).toEqual([
    [
      `${rest} came to zone web after 1 IP had been asked for in an update that was cut short. They may be somebody else's, so they are left alone. Give back those that you do not need.`,
    ],
  ]);
  expect(changes(scene)).toEqual([]);
});

test("an adoption takes nothing of what may have come for it that another resource turns out to have", async () => {
  const scene = await zones();
  const say = vi.fn();
  const facts = { zone: "web", where: {}, before: scene.first, own: [], count: 1 };
  await scene.context.remote.ips.refresh("web", { ips: scene.first });
  const [theirs, ours] = ipsOf(scene.web);
  const others = async () => scene.context.claims.made({ mark: "m.other" }, [`ip ${theirs} of zone web`]);
  const step = { ...scene.step(), me: { mark: "m.me" }, journal: notebook(facts), others, say };
  const { state } = await zoneIps.create({ ...INPUTS, count: 1, adopt: true }, step);
  expect(listOf(state)).toEqual([ours]);
  expect(say).not.toHaveBeenCalled();
});

test("a creation whose answer is lost takes only what has come in the declared country", async () => {
  const scene = await zones();
  const inputs = { ...INPUTS, country: "de" };
  scene.remote.service.faults.add({ ...POST, kind: "reset" });
  const creation = zoneIps.create(inputs, scene.step());
  await vi.waitFor(() => expect(count(scene, "POST /zone/ips")).toBe(1));
  const theirs = scene.account.allocateIps(1, "us");
  const ours = scene.account.allocateIps(3, "de");
  scene.web.allocatedIps.push(...theirs, ...ours);
  expect(listOf((await creation).state)).toEqual(ours.map(({ ip }) => ip));
});

test("a creation takes up what it has added", async () => {
  const scene = await zones();
  const journal = notebook();
  const { state } = await zoneIps.create(INPUTS, { ...scene.step(), journal });
  const facts = { zone: INPUTS.zone, where: {}, before: scene.first, own: [], count: 3 };
  expect(journal.begun).toEqual([facts, { ...facts, ips: state.ips }]);
  for (const begun of journal.begun) {
    const taken = await zoneIps.create(INPUTS, { ...scene.step(), journal: notebook(begun) });
    expect(taken.state).toEqual(state);
  }
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("an update takes up what it has added, if its state does not have that", async () => {
  const scene = await zones();
  const { id, state } = await created(scene, { ...INPUTS, count: 1 });
  const journal = notebook();
  const grow = (from: JsonObject, book: ReturnType<typeof notebook>) =>
    zoneIps.update(id, from, declaredIn(INPUTS), INPUTS, { ...scene.step(), journal: book });
  const grown = await grow(state, journal);
  expect(await grow(state, notebook(journal.begun[0]))).toEqual(grown);
  expect(await grow(grown, notebook(journal.begun[0]))).toEqual(grown);
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("a creation adds no more while the zone's plan has more than are listed: the killed one has brought them", async () => {
  const scene = await zones();
  scene.remote.behaviour.addedIpsVisibleAfterReads = 1000;
  const killed = notebook();
  await outOfTime(scene, "GET /zone/ips", (step) => zoneIps.create(INPUTS, { ...step, journal: killed }));
  const creating = zoneIps.create(INPUTS, { ...scene.step(), journal: notebook(killed.begun[0]) });
  expect((await failure(creating)).message).toBe(
    'The service lists 2 IPs for zone "web", but the zone\'s plan has 5. Nothing was changed. Run again later.',
  );
  expect(count(scene, "POST /zone/ips")).toBe(1);
});

test("a refused addition is forgotten", async () => {
  const scene = await zones();
  scene.remote.behaviour.availableIps = 2;
  const journal = notebook();
  await failure(zoneIps.create(INPUTS, { ...scene.step(), journal }));
  expect(journal.isForgotten).toBe(true);
});

test("fewer IPs than were asked for are named, and left alone", async () => {
  const scene = await zones();
  const facts = { before: scene.first.slice(1), own: [], count: 3 };
  const say = vi.fn();
  await zoneIps.create(INPUTS, { ...scene.step(), journal: notebook(facts), say });
  expect(say.mock.calls[0]?.[0]).toMatch(`${scene.first[0]} came to zone web after 3 IPs had been asked for`);
  expect(ipsOf(scene.web)).toHaveLength(5);
});

test.each([false, true])(
  "IPs that are imported (from a file: %s) stay where the program says later that they are in their country, and are made anew elsewhere",
  async (isFile) => {
    const scene = await zones();
    const inputs = { zone: "web", count: 2 };
    const imported = (await zoneIps.read("web/ips", isFile ? inputs : undefined, scene.step(), {})) as JsonObject;
    const diff = (state: JsonObject, country: string) =>
      zoneIps.diff(state, declaredIn(inputs), { ...inputs, country });
    expect(diff(imported, "us")).toMatchObject({ changed: ["country"], replaces: [], deleteBeforeReplace: false });
    expect(diff(imported, "de")).toMatchObject({ replaces: ["country"] });
    const read = (await zoneIps.read("web/ips", inputs, scene.step(), imported)) as JsonObject;
    expect(diff(read, "us").replaces).toEqual([]);
    forgetRequests(scene);
    const after = await update(scene, "web/ips", read, { ...inputs, country: "us" });
    expect(after).toMatchObject({ country: "us", ips: ipsOf(scene.web) });
    expect(changes(scene)).toEqual([]);
    expect(zoneIps.diff(after, new Set(["zone", "count", "country"]), { ...inputs, country: "us" }).changed).toEqual(
      [],
    );
  },
);

test("IPs of several countries are in none", async () => {
  const scene = await zones();
  scene.web.allocatedIps.push(...scene.account.allocateIps(1, "de"));
  const imported = (await zoneIps.read("web/ips", undefined, scene.step(), {})) as JsonObject;
  for (const country of ["us", "de"])
    expect(zoneIps.diff(imported, declaredIn(INPUTS), { ...INPUTS, country }).replaces).toEqual(["country"]);
});

test("fewer IPs, of an import that has taken what another resource of the program has, leave that one its own", async () => {
  const scene = await zones();
  scene.web.allocatedIps = scene.account.allocateIps(4);
  const [oldest, , ...others] = ipsOf(scene.web);
  const imported = (await zoneIps.read("web/ips", undefined, scene.step(), {})) as JsonObject;
  const told = vi.fn(async () =>
    scene.context.claims.made(
      { mark: "m.other" },
      others.map((ip) => `ip ${ip} of zone web`),
    ),
  );
  const fewer = (state: JsonObject, count: number) =>
    zoneIps.update("web/ips", state, declaredIn(INPUTS), { ...INPUTS, count }, { ...scene.step(), others: told });
  const state = await fewer(imported, 2);
  expect([changes(scene), ipsOf(scene.web).length]).toEqual([[], 4]);
  expect(listOf(await fewer(state, 1))).toEqual([oldest]);
  expect(ipsOf(scene.web)).toEqual([oldest, ...others]);
});

test("IPs that a killed update has added are kept, and stay noted, where more are refused", async () => {
  const scene = await zones();
  const killed = new MemoryJournal();
  await zoneIps.create({ ...INPUTS, count: 2 }, { ...scene.step(), journal: killed });
  const come = ipsOf(scene.web).slice(2);
  forgetRequests(scene);
  scene.remote.service.faults.add({ method: "POST", path: "/zone/ips", kind: "respond", status: 402, times: 2 });
  const journal = new MemoryJournal(killed);
  const refused = await failure(zoneIps.create(INPUTS, { ...scene.step(), journal }));
  expect(refused).toBeInstanceOf(PartialFailure);
  const { id, state } = refused as PartialFailure;
  expect(state).toEqual(withIps(scene, { ...INPUTS, count: 2 }, come));
  expect(journal.noted).toEqual(killed.noted);
  // Where nothing has come before, nothing is there to be kept.
  expect(await failure(zoneIps.create(INPUTS, scene.step()))).not.toBeInstanceOf(PartialFailure);
  forgetRequests(scene);
  expect(listOf(await update(scene, id, state, INPUTS))).toEqual(ipsOf(scene.web).slice(2));
  expect(bodyOf(scene, "POST")).toMatchObject({ count: 1 });
});

test.each([
  ["are added", []],
  ["are added and the answer is lost", [{ ...POST, kind: "reset-after" as const }]],
])("IPs that a killed update has added stay noted where more %s, until a state has them", async (_, faults) => {
  const scene = await zones();
  const killed = new MemoryJournal();
  await zoneIps.create({ ...INPUTS, count: 2 }, { ...scene.step(), journal: killed });
  for (const fault of faults) scene.remote.service.faults.add(fault);
  const unsaved = new MemoryJournal(killed);
  const { state } = await zoneIps.create(INPUTS, { ...scene.step(), journal: unsaved });
  expect(listOf(state)).toEqual(ipsOf(scene.web).slice(2));
  // A state that has some of these by now does not have what is noted then.
  expect(unsaved.noted?.facts).toMatchObject({ before: scene.first, own: [], count: 3, ips: state.ips });
  const taken = await zoneIps.create(INPUTS, { ...scene.step(), journal: new MemoryJournal(unsaved) });
  expect(taken.state).toEqual(state);
  expect(count(scene, "POST /zone/ips")).toBe(2);
});
