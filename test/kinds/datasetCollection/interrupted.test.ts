import { expect, test, vi } from "vitest";
import { ConnectionError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { datasetCollectionLifecycle as datasetCollection } from "../../../src/kinds/datasetCollection/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { CancelledError, Deadline, DeadlineError } from "../../../src/lifecycle/deadline";
import type { Step } from "../../../src/lifecycle/lifecycle";
import { controlledDeadline, count, declaredIn, failure, type Stage, stage } from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";
import { ASKED, DATASET, heard, INPUTS, isWatched, kept, only, triggered, unfinished } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));
const LIST = "GET /datasets/v3/snapshots";

/** A failure at the end of a time in which the list has been looked at several times. */
async function outOfTime(scene: Stage, more: Partial<Step> = {}): Promise<Error> {
  const { deadline, expire } = controlledDeadline();
  const error = failure(datasetCollection.create(INPUTS, { ...scene.step(deadline), ...more }));
  await vi.waitFor(() => expect(count(scene, LIST)).toBeGreaterThan(4));
  expire();
  return error;
}

test("a wait that ends early keeps the snapshot and says where it stands; the next update waits for it, and triggers nothing", async () => {
  const scene = await stage();
  const error = await unfinished(scene);
  expect(error.message).toMatch(
    /Gave up after 60 s, waiting for the collection of snapshot "s_\w+" to end \(its status is "running"\)\. Allow more time with `timeouts\.create`/,
  );
  expect(error.message).toMatch(/the next `pulumi up` waits .* again, and starts nothing anew/);
  expect((error.cause as Error).cause).toBeInstanceOf(DeadlineError);
  const { id, state } = error;
  expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "running" });
  expect(datasetCollection.diff(state, declaredIn(INPUTS), INPUTS)).toMatchObject({
    changed: ["status"],
    replaces: [],
  });

  only(scene).upcoming = ["digesting", "ready"];
  const resumed = await datasetCollection.update(id, state, declaredIn(INPUTS), INPUTS, scene.step());
  expect(resumed).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
  expect(triggered(scene)).toBe(1);
  expect(datasetCollection.diff(resumed, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
});

test("a wait that ends early because the service fails meanwhile keeps the snapshot", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: /progress/, kind: "reset", after: 1 });
  const error = await kept(datasetCollection.create(INPUTS, scene.step()));
  expect((error.cause as Error).cause).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ id: only(scene).id, state: { snapshotId: only(scene).id, status: "running" } });
  expect(error.message).toContain("starts nothing anew");
});

test("a wait for what the service no longer has says how to go on without it", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  scene.account.snapshots.clear();
  const { message } = await kept(datasetCollection.update(id, state, declaredIn(INPUTS), INPUTS, scene.step()));
  expect(message).toContain("Snapshot does not exist");
  expect(message).toMatch(
    / starts nothing anew\. If the service no longer has it, change a value of `triggers`: that starts another one, which may cost money again\.$/,
  );
  expect(triggered(scene)).toBe(1);
});

test("a wait that ends early because the person presses Ctrl-C ends at once, and keeps the snapshot", async () => {
  const scene = await stage({ remote: { snapshotStates: ["running"] } });
  const controller = new AbortController();
  const deadline = new Deadline(3600, "timeouts.create", () => {}, controller.signal);
  const error = kept(datasetCollection.create(INPUTS, scene.step(deadline)));
  await isWatched(scene);
  controller.abort();
  const { id, state, message, cause } = await error;
  deadline.release();
  expect((cause as Error).cause).toBeInstanceOf(CancelledError);
  expect(message).toMatch(/The update was cancelled, waiting for .* the next `pulumi up` waits for .* again/);
  expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "running" });
  expect(id).toBe(only(scene).id);
});

test("a wait that ends early is over for a program that stops waiting", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  const inputs = { ...INPUTS, wait: false };
  const updated = await datasetCollection.update(id, state, declaredIn(INPUTS), inputs, scene.step());
  expect(updated).toEqual({ ...inputs, snapshotId: id, status: "running" });
});

const lose = ({ remote }: Stage, kind: "reset" | "reset-after" | "truncate") =>
  remote.service.faults.add({ path: "/datasets/v3/trigger", kind });

test.each(["reset-after", "truncate"] as const)(
  "a trigger whose answer is lost (%s) is found in the list, and not sent again",
  async (kind) => {
    const scene = await stage();
    scene.account.addSnapshot(DATASET, ["ready"], [{ url: "https://example.com/older" }]);
    lose(scene, kind);
    const { id, state } = await datasetCollection.create(INPUTS, scene.step());
    expect(scene.account.snapshots.get(id)?.input).toEqual(INPUTS.inputs);
    expect(state).toMatchObject({ snapshotId: id, status: "ready", records: 2 });
    expect(triggered(scene)).toBe(1);
  },
);

test("a trigger whose answer is lost is found though this machine's clock is days ahead", async () => {
  const scene = await stage({ clock: () => new Date(Date.now() - 3 * 86_400_000) });
  await scene.context.remote.account.status();
  lose(scene, "reset-after");
  expect((await datasetCollection.create(INPUTS, scene.step())).id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is found when it turns up in the list a little later", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  const empty = { path: "/datasets/v3/snapshots", kind: "respond", status: 200, body: "[]" } as const;
  scene.remote.service.faults.add({ ...empty, after: 1, times: 2 });
  expect((await datasetCollection.create(INPUTS, scene.step())).id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is found though its inputs are not told at first", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  for (const body of ["", "url\n", '{"error":"The input is being written"}']) {
    scene.remote.service.faults.add({ path: /\/input$/, kind: "respond", status: 200, body });
  }
  expect((await datasetCollection.create(INPUTS, scene.step())).id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is found though the time is over, and kept", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind: "hang" });
  const { deadline, expire } = controlledDeadline();
  const outcome = kept(datasetCollection.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(triggered(scene)).toBe(1));
  scene.account.addSnapshot(DATASET, ["running"], ASKED);
  expire();
  expect((await outcome).id).toBe(only(scene).id);
});

test.each([
  ["without an id", "{}"],
  ["with an empty id", '{"snapshot_id":""}'],
  ["that is nothing", "null"],
  ["that is a page", "<html>Sign in</html>"],
])("a trigger whose answer is lost (%s) is found in the list", async (_, body) => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind: "respond-after", status: 200, body });
  expect((await datasetCollection.create(INPUTS, scene.step())).id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is looked for until the time is over, and what became of it is not claimed to be known", async () => {
  const scene = await stage();
  scene.account.addSnapshot(DATASET, ["ready"], ASKED);
  lose(scene, "reset");
  const error = await outOfTime(scene);
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toMatch(/is not known: it has not turned up so far, but may do so later/);
  expect(error.message).toMatch(/Give its id as `snapshotId`.*or change a value of `triggers`.*costs money again/);
  expect((error.cause as Error).cause).toBeInstanceOf(ConnectionError);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is told from what others have begun meanwhile by its inputs, whatever their order", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  const add = scene.account.addSnapshot.bind(scene.account);
  vi.spyOn(scene.account, "addSnapshot").mockImplementation((dataset, states, input) => {
    add(DATASET, ["running"], [{ url: "https://example.com/another" }]);
    add(DATASET, ["running"], ASKED.slice(1));
    add(DATASET, ["running"], [...ASKED, { url: "https://example.com/2" }]);
    return add(dataset, states, input?.toReversed());
  });
  const { id } = await datasetCollection.create(INPUTS, scene.step());
  expect([...scene.account.snapshots.keys()].indexOf(id)).toBe(3);
});

test("a trigger whose answer is lost is not claimed when two have begun with its inputs: both are named", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  const add = scene.account.addSnapshot.bind(scene.account);
  vi.spyOn(scene.account, "addSnapshot").mockImplementation((...args) => {
    add(DATASET, ["running"], ASKED);
    return add(...args);
  });
  const error = await failure(datasetCollection.create(INPUTS, scene.step()));
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  const ids = [...scene.account.snapshots.keys()];
  expect(ids).toHaveLength(2);
  for (const id of ids) expect(error.message).toContain(id);
});

test.each<[string, JsonObject[] | undefined]>([
  ["are not kept with the service", undefined],
  ["may be others", [{ ...ASKED[0], country: "us" }, ASKED[1] as JsonObject]],
])("a trigger whose answer is lost is not claimed where its inputs %s: it is named", async (_, input) => {
  const scene = await stage();
  lose(scene, "reset");
  const { deadline, expire } = controlledDeadline();
  const outcome = failure(datasetCollection.create(INPUTS, scene.step(deadline)));
  await vi.waitFor(() => expect(triggered(scene)).toBe(1));
  const { id } = Object.assign(scene.account.addSnapshot(DATASET, ["running"], input ?? ASKED), { input });
  await vi.waitFor(() => expect(count(scene, `GET /datasets/v3/snapshot/${id}/input`)).toBeGreaterThan(1));
  expire();
  const error = await outcome;
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toContain(`It may be one of those that have begun since: ${id}.`);
});

test("a trigger whose answer is lost and may not be looked for says so at once", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  const times = Number.POSITIVE_INFINITY;
  scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 403, times });
  const error = await failure(datasetCollection.create(INPUTS, scene.step()));
  expect(error.message).toMatch(/could not be found out: .* answered 403.* Look for it in the control panel/);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is found after an outage of the list", async () => {
  const scene = await stage();
  lose(scene, "reset-after");
  scene.remote.service.faults.add({
    path: "/datasets/v3/snapshots",
    kind: "respond",
    status: 503,
    after: 1,
    times: 9,
  });
  expect((await datasetCollection.create(INPUTS, scene.step())).id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a trigger whose answer is lost is told from others of the same program", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/datasets/v3/trigger", containing: "/lost", kind: "reset-after" });
  const step: Step = scene.step();
  const pages = ["/a", "/lost", "/b", "/c"].map((page) => `https://example.com${page}`);
  const made = await Promise.all(
    pages.map((url) => datasetCollection.create({ datasetId: DATASET, inputs: [{ url }] }, step)),
  );
  expect(made.map(({ id }) => scene.account.snapshots.get(id)?.input?.[0]?.url)).toEqual(pages);
  expect(triggered(scene)).toBe(4);
});

test("a trigger whose answer is lost is told from that of another provider's process, which was listed late", async () => {
  const scene = await stage();
  const [one, other] = [scene.step(), { ...scene.step(), context: scene.anotherContext(), me: { mark: "m.two" } }];
  one.context.claims.tellTo((told) => other.context.claims.hear(told));
  const first = await datasetCollection.create(INPUTS, { ...one, me: { mark: "m.one" } });
  scene.remote.service.faults.add({
    path: "/datasets/v3/snapshots",
    kind: "respond",
    status: 200,
    headers: { "content-type": "application/json" },
    body: "[]",
  });
  lose(scene, "reset-after");
  const second = await datasetCollection.create(INPUTS, other);
  expect(second.id).not.toBe(first.id);
  expect(triggered(scene)).toBe(2);
});

/** What the journal holds when the process is killed at the trigger, before it or after it. */
async function killed(scene: Stage, kind: "hang" | "hang-after"): Promise<MemoryJournal> {
  const journal = new MemoryJournal();
  scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind });
  const { deadline, expire } = controlledDeadline();
  const lost = failure(datasetCollection.create(INPUTS, { ...scene.step(deadline), journal }));
  await vi.waitFor(() => expect(triggered(scene)).toBe(1));
  await vi.waitFor(() => expect(scene.account.snapshots.size).toBe(kind === "hang" ? 0 : 1));
  const left = new MemoryJournal();
  left.noted = journal.noted;
  const times = Number.POSITIVE_INFINITY;
  scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500, times });
  expire();
  await lost;
  scene.remote.service.faults.clear();
  return new MemoryJournal(left);
}

test("a collection whose update was cut short tells its id as soon as it is known, and notes it", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { step, said } = heard(scene, { journal });
  const { id } = await datasetCollection.create(INPUTS, step);
  expect(said).toEqual([`The collection of snapshot "${id}" has begun.`]);
  expect(journal.noted?.facts).toEqual({ asked: expect.any(String), snapshotId: id });
});

test("a collection whose update was cut short is taken up by the id that was noted, even where the service has not kept its inputs", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  delete only(scene).input;
  const { step, said } = heard(scene, { journal: new MemoryJournal(journal) });
  expect(await datasetCollection.create(INPUTS, step)).toMatchObject({ id, state: { status: "ready" } });
  expect(triggered(scene)).toBe(1);
  expect(said).toEqual([`Took up the collection of snapshot "${id}", which an update that was cut short had begun.`]);
});

test("a collection whose update was cut short is taken up by its inputs when its answer had not come", async () => {
  const scene = await stage();
  const journal = await killed(scene, "hang-after");
  const context = scene.anotherContext();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), context, journal });
  expect(id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(1);
});

test("a collection whose update was cut short is triggered when it has certainly not begun", async () => {
  const scene = await stage();
  const journal = await killed(scene, "hang");
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  expect(id).toBe(only(scene).id);
  expect(triggered(scene)).toBe(2);
});

test("a collection whose update was cut short is looked for as long as it may take to begin, not as long as it may go on", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  expect(Date.parse(journal.untils[0] ?? "") - Date.now()).toBeLessThanOrEqual(300_000);
});

test("a collection whose update was cut short is neither taken up nor triggered again where it cannot be told", async () => {
  const scene = await stage();
  const journal = await killed(scene, "hang-after");
  const { id } = only(scene);
  delete only(scene).input;
  const context = scene.anotherContext();
  const error = await failure(datasetCollection.create(INPUTS, { ...scene.step(), context, journal }));
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.message).toContain(id);
  expect(error.message).toContain("`snapshotId`");
  expect(triggered(scene)).toBe(1);
  const named = { ...INPUTS, snapshotId: id };
  const taken = await datasetCollection.create(named, { ...scene.step(), context, journal });
  expect(taken).toMatchObject({ id, state: { status: "ready" } });
  expect(triggered(scene)).toBe(1);
});

test("a collection whose update was cut short is named, and another triggered, when the program asks for something else by now", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  const { step, said } = heard(scene, { journal: new MemoryJournal(journal) });
  const second = await datasetCollection.create({ ...INPUTS, triggers: [1] }, step);
  expect(second.id).not.toBe(id);
  expect(said[0]).toMatch(new RegExp(`has begun the collection of snapshot "${id}", which may be in no state`));
  expect(triggered(scene)).toBe(2);
});

test("a collection whose update was cut short is not the one whose webhook asks for a password by now", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  const authHeader = "Bearer hush-hush";
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect((await datasetCollection.create({ ...INPUTS, authHeader }, next)).id).not.toBe(id);
  expect(triggered(scene)).toBe(2);
});

test("a collection whose update was cut short is the one that now writes out what is left out otherwise, or back", async () => {
  const scene = await stage();
  const written = { ...INPUTS, inputForm: "array", notify: false, triggers: [] };
  for (const [before, after] of [
    [INPUTS, written],
    [written, INPUTS],
  ] as [JsonObject, JsonObject][]) {
    const journal = new MemoryJournal();
    const { id } = await datasetCollection.create(before, { ...scene.step(), journal });
    const next = { ...scene.step(), journal: new MemoryJournal(journal) };
    expect((await datasetCollection.create(after, next)).id).toBe(id);
  }
  expect(triggered(scene)).toBe(2);
});

test("a collection that a former version has begun, whose note says nothing of secrets, is taken up", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  const { asked } = journal.noted?.facts ?? {};
  await journal.begin({ ...journal.noted?.facts, asked: String(asked).split(".")[0] ?? "" });
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect((await datasetCollection.create(INPUTS, next)).id).toBe(id);
  expect(triggered(scene)).toBe(1);
});

test("a collection whose update was cut short is not the one whose webhook asks for another password", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create({ ...INPUTS, authHeader: "Bearer one" }, { ...scene.step(), journal });
  const { step, said } = heard(scene, { journal: new MemoryJournal(journal) });
  const second = await datasetCollection.create({ ...INPUTS, authHeader: "Bearer two" }, step);
  expect(second.id).not.toBe(id);
  expect(said[0]).toMatch(new RegExp(`has begun the collection of snapshot "${id}", which may be in no state`));
});

test("a collection whose update was cut short is taken up after a change of how it is waited for", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const { id } = await datasetCollection.create(INPUTS, { ...scene.step(), journal });
  const inputs = { ...INPUTS, wait: false, pollInterval: 5, timeouts: { create: 5 } };
  const again = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect((await datasetCollection.create(inputs, again)).id).toBe(id);
});

test("a collection whose update was cut short leaves no note when the service has refused it", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  await failure(datasetCollection.create({ ...INPUTS, inputs: [{ title: "x" }] }, { ...scene.step(), journal }));
  expect(journal.noted).toBeUndefined();
});

test("a collection whose update was cut short leaves no secret in the note", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  const begin = vi.spyOn(journal, "begin");
  await datasetCollection.create({ ...INPUTS, authHeader: "Bearer hush" }, { ...scene.step(), journal });
  expect(JSON.stringify(begin.mock.calls)).not.toContain("hush");
});

test("what was begun is known to be what is asked for, or something else, before anything is done", async () => {
  const scene = await stage();
  const journal = new MemoryJournal();
  await datasetCollection.create({ ...INPUTS, triggers: ["a"] }, { ...scene.step(), journal });
  const facts = journal.noted?.facts ?? {};
  const isSame = (more: JsonObject) => datasetCollection.isSame?.(facts, { ...INPUTS, triggers: ["a"], ...more });
  expect([{}, { wait: false, pollInterval: 1 }].map(isSame)).toEqual([true, true]);
  expect([{ triggers: ["b"] }, { inputs: [{ url: "https://x.org" }] }].map(isSame)).toEqual([false, false]);
});
