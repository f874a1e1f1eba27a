import { describe, expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, PermissionError, ServerError, ServiceError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { datasetCollectionLifecycle as datasetCollection } from "../../../src/kinds/datasetCollection/lifecycle";
import { UnknownOutcomeError } from "../../../src/lifecycle/creation";
import { CancelledError, Deadline, DeadlineError } from "../../../src/lifecycle/deadline";
import { PartialFailure, type Run, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  CollectionFailedError,
  DatasetNotFoundError,
  TooFewInputsError,
  TooManyRunningJobsError,
  ValidationError,
} from "../../../src/remote/collectionErrors";
import { SnapshotNotFoundError } from "../../../src/remote/snapshotErrors";
import { dataset } from "../../../src/simulator";
import {
  changes,
  controlledDeadline,
  count,
  declaredIn,
  failure,
  forgetRequests,
  type Stage,
  stage,
} from "../../lifecycle/harness";
import { MemoryJournal } from "../../lifecycle/memoryJournal";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const DATASET = "gd_simulated";
const INPUTS: JsonObject = { datasetId: DATASET, inputs: [{ url: "https://example.com/1" }, { url: "https://x.org" }] };
const ASKED = INPUTS.inputs as JsonObject[];
const TRIGGER = "POST /datasets/v3/trigger";
const LIST = "GET /datasets/v3/snapshots";

const failures = (inputs: JsonObject): string[] => datasetCollection.check(inputs, undefined).failures;
const triggered = (scene: Stage): number => count(scene, TRIGGER);
const requests = ({ remote }: Stage): string[] =>
  remote.service.requests.map(({ method, path }) => `${method} ${path}`);

/** A failure that keeps what was begun. */
async function kept(promise: Promise<unknown>): Promise<PartialFailure> {
  const error = await failure(promise);
  expect(error).toBeInstanceOf(PartialFailure);
  return error as PartialFailure;
}

/** A collection that was triggered, and that the update stopped waiting for. */
async function unfinished(scene: Stage): Promise<PartialFailure> {
  scene.remote.behaviour.snapshotStates = ["running"];
  const { deadline, expire } = controlledDeadline();
  const error = kept(datasetCollection.create(INPUTS, scene.run(deadline)));
  await vi.waitFor(() => expect(requests(scene).some((line) => line.includes("/progress/"))).toBe(true));
  expire();
  return error;
}

/** A failure at the end of a time in which the list has been looked at several times. */
async function outOfTime(scene: Stage, more: Partial<Run> = {}): Promise<Error> {
  const { deadline, expire } = controlledDeadline();
  const error = failure(datasetCollection.create(INPUTS, { ...scene.run(deadline), ...more }));
  await vi.waitFor(() => expect(count(scene, LIST)).toBeGreaterThan(4));
  expire();
  return error;
}

/** What a run says, and the run. */
function heard(scene: Stage, more: Partial<Run> = {}): { said: string[]; run: Run } {
  const said: string[] = [];
  return { said, run: { ...scene.run(), say: (words) => void said.push(words), ...more } };
}

const only = (scene: Stage) => {
  const [snapshot, ...others] = [...scene.account.snapshots.values()];
  expect(others).toEqual([]);
  if (snapshot === undefined) throw new Error("there is no snapshot");
  return snapshot;
};

describe("the inputs of a collection", () => {
  test("may be few, or all that there are, or not known yet", () => {
    const every = {
      ...INPUTS,
      inputForm: "object",
      discoverBy: "keyword",
      includeErrors: true,
      customOutputFields: ["url", "about.updated_on"],
      limitPerInput: 1,
      limitMultipleResults: 10,
      notify: true,
      endpoint: "https://example.com/hook",
      format: "ndjson",
      authHeader: "Bearer hush",
      uncompressedWebhook: false,
      wait: false,
      pollInterval: 1,
      triggers: ["x", 1, { y: [true] }],
      snapshotId: "s_1",
      timeouts: { create: 1 },
    };
    expect(failures(INPUTS)).toEqual([]);
    expect(failures(every)).toEqual([]);
    expect(failures({ ...every, notify: "https://example.com/done" })).toEqual([]);
    expect(failures(Object.fromEntries(Object.keys(every).map((name) => [name, UNKNOWN])))).toEqual([]);
    expect(failures({ ...INPUTS, inputs: [{ url: UNKNOWN }, UNKNOWN] })).toEqual([]);
  });

  test.each<[JsonObject, RegExp]>([
    [{ datasetId: undefined }, /^`datasetId` is missing: expected a text/],
    [{ datasetId: "" }, /^`datasetId` is "": expected a text that is not empty/],
    [{ inputs: undefined }, /^`inputs` is missing: expected a list of objects/],
    [{ inputs: [] }, /^`inputs` is \[\]: expected one input or more/],
    [{ inputs: ["https://example.com"] }, /^`inputs\[0\]` is "https:.*: expected an object such as/],
    [{ inputForm: "list" }, /^`inputForm` is "list": expected "array" or "object"/],
    [{ customOutputFields: [] }, /^`customOutputFields` is \[\]: expected one field or more/],
    [{ limitPerInput: 0 }, /^`limitPerInput` is 0: expected a whole number from 1 on/],
    [{ limitMultipleResults: 1.5 }, /^`limitMultipleResults` is 1\.5: expected a whole number/],
    [{ notify: "me" }, /^`notify` is "me": expected a URL/],
    [{ endpoint: "example.com" }, /^`endpoint` is "example\.com": expected a URL that begins/],
    [{ format: "xml" }, /^`format` is "xml": expected one of "json"/],
    [{ authHeader: 7 }, /^`authHeader` is not usable \(its value is a secret/],
    [{ wait: "no" }, /^`wait` is "no": expected true or false/],
    [{ pollInterval: 0.5 }, /^`pollInterval` is 0\.5: expected seconds, from 1 to 3600/],
    [{ snapshotId: "snap_1" }, /^`snapshotId` is "snap_1": expected the snapshot of a collection/],
    [{ triggers: "x" }, /^`triggers` is "x": expected a list of values/],
    [{ timeouts: { create: 0 } }, /^`timeouts\.create` is 0/],
    [{ dataset_id: "gd_x" }, /^`dataset_id` is not a property.*Did you mean `datasetId`/],
  ])("are told what is wrong: %j", (wrong, words) => {
    const [sentence, ...others] = failures({ ...INPUTS, ...wrong });
    expect(sentence).toMatch(words);
    expect(others).toEqual([]);
  });

  test("that change trigger another collection, but for those that say how it is waited for", () => {
    const state = { ...INPUTS, snapshotId: "s_1", status: "ready", records: 2 };
    const changed = (inputs: JsonObject) => datasetCollection.diff(state, declaredIn(INPUTS), inputs);
    expect(changed(INPUTS)).toEqual({ changed: [], replaces: [], deleteBeforeReplace: false });
    for (const [name, value] of Object.entries({ datasetId: "gd_x", inputs: [], triggers: [1], includeErrors: true })) {
      expect(changed({ ...INPUTS, [name]: value }).replaces, name).toEqual([name]);
    }
    const manner = { wait: false, pollInterval: 5, timeouts: { create: 5 } };
    expect(changed({ ...INPUTS, ...manner })).toMatchObject({
      changed: ["wait", "pollInterval", "timeouts.create"],
      replaces: [],
    });
  });

  test.each([
    [INPUTS, 'the update will trigger a collection of dataset "gd_simulated" for 2 inputs, which costs money'],
    [{ ...INPUTS, inputs: [{}] }, 'of dataset "gd_simulated" for 1 input, which'],
    [{ datasetId: UNKNOWN, inputs: UNKNOWN }, "a collection of a dataset, which costs money"],
  ])("are announced with what they cost", (inputs, words) => {
    expect(datasetCollection.announce?.(inputs)).toContain(words);
  });

  test("that name the collection that there is are recorded, and trigger nothing", () => {
    const state = { ...INPUTS, snapshotId: "s_1", status: "ready" };
    const named = { ...INPUTS, snapshotId: "s_1" };
    expect(datasetCollection.diff(state, declaredIn(INPUTS), named)).toMatchObject({ replaces: [] });
    expect(datasetCollection.diff(state, declaredIn(named), INPUTS)).toMatchObject({ replaces: [] });
    expect(datasetCollection.diff(state, declaredIn(named), named).changed).toEqual([]);
    const other = { ...INPUTS, snapshotId: "s_2" };
    expect(datasetCollection.diff(state, declaredIn(INPUTS), other).replaces).toEqual(["snapshotId"]);
    expect(datasetCollection.announce?.(other)).toBe(
      'the update will start nothing, and take up the collection of snapshot "s_2".',
    );
    expect(datasetCollection.announce?.({ ...INPUTS, snapshotId: UNKNOWN })).toMatch(/start nothing/);
  });

  test("cause no request to be checked, compared and announced", async () => {
    const scene = await stage();
    failures(INPUTS);
    datasetCollection.diff(INPUTS, declaredIn(INPUTS), { ...INPUTS, triggers: [1] });
    datasetCollection.announce?.(INPUTS);
    expect(requests(scene)).toEqual([]);
    // There is nothing to read: a refresh keeps the state.
    expect(datasetCollection.read).toBeUndefined();
  });
});

describe("a collection", () => {
  test("is triggered once, waited for, and has its records counted", async () => {
    const scene = await stage();
    const { id, state } = await datasetCollection.create(INPUTS, scene.run());
    expect(id).toBe(only(scene).id);
    expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
    expect(requests(scene)).toEqual([
      "GET /datasets/v3/snapshots",
      TRIGGER,
      ...Array(3).fill(`GET /datasets/v3/progress/${id}`),
      "GET /datasets/v3/snapshots",
    ]);
    expect(only(scene).input).toEqual(INPUTS.inputs);
  });

  test("sends every option in the service's spelling, and none that says how it is waited for", async () => {
    const scene = await stage();
    const options = {
      discoverBy: "keyword",
      includeErrors: true,
      customOutputFields: ["url", "about.updated_on"],
      limitPerInput: 3,
      limitMultipleResults: 10,
      notify: "https://example.com/done",
      endpoint: "https://example.com/hook",
      format: "ndjson",
      authHeader: "Bearer hush",
      uncompressedWebhook: true,
    };
    const manner = { inputForm: "object", pollInterval: 1, triggers: ["x"], timeouts: { create: 5 } };
    await datasetCollection.create({ ...INPUTS, ...options, ...manner }, scene.run());
    const sent = scene.remote.service.requests.find(({ method }) => method === "POST");
    expect(Object.fromEntries(new URLSearchParams(sent?.query))).toEqual({
      dataset_id: DATASET,
      type: "discover_new",
      discover_by: "keyword",
      include_errors: "true",
      custom_output_fields: "url|about.updated_on",
      limit_per_input: "3",
      limit_multiple_results: "10",
      notify: "https://example.com/done",
      endpoint: "https://example.com/hook",
      format: "ndjson",
      auth_header: "Bearer hush",
      uncompressed_webhook: "true",
    });
    expect(sent?.body).toEqual({ input: INPUTS.inputs });
  });

  test.each([
    [undefined, 10],
    [25, 25],
  ])("with a pollInterval of %s is looked at every %i seconds", async (pollInterval, seconds) => {
    const scene = await stage();
    const poll = vi.spyOn(Deadline.prototype, "poll");
    await datasetCollection.create({ ...INPUTS, pollInterval }, scene.run());
    expect(poll.mock.calls.map(([, , pace]) => pace)).toEqual([seconds]);
    poll.mockRestore();
  });

  test("that is not waited for answers what the service says at once", async () => {
    const scene = await stage();
    const { id, state } = await datasetCollection.create({ ...INPUTS, wait: false }, scene.run());
    expect(state).toEqual({ ...INPUTS, wait: false, snapshotId: id, status: "running" });
    expect(count(scene, `GET /datasets/v3/progress/${id}`)).toBe(1);
    expect(datasetCollection.diff(state, declaredIn({ ...INPUTS, wait: false }), { ...INPUTS, wait: false })).toEqual({
      changed: [],
      replaces: [],
      deleteBeforeReplace: false,
    });
  });

  test("that was not waited for is waited for when the program says so, and not triggered again", async () => {
    const scene = await stage();
    const before = { ...INPUTS, wait: false };
    const { id, state } = await datasetCollection.create(before, scene.run());
    expect(datasetCollection.diff(state, declaredIn(before), INPUTS)).toMatchObject({ replaces: [] });
    const updated = await datasetCollection.update(id, state, declaredIn(before), INPUTS, scene.run());
    expect(updated).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
    expect(triggered(scene)).toBe(1);
  });

  test("goes on through states that nobody has heard of", async () => {
    const scene = await stage({ remote: { snapshotStates: ["pending_approval", "collecting", "digesting", "ready"] } });
    expect((await datasetCollection.create(INPUTS, scene.run())).state.status).toBe("ready");
  });

  test("does not fail for want of the number of its records", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500, after: 1 });
    const { id, state } = await datasetCollection.create(INPUTS, scene.run());
    expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "ready" });
  });

  test.each([
    [{ datasetId: "gd_none" }, DatasetNotFoundError],
    [{ inputs: [{ title: "no url" }] }, ValidationError],
  ])("that the service refuses is told so, and nothing is kept: %j", async (wrong, type) => {
    const scene = await stage();
    const error = await failure(datasetCollection.create({ ...INPUTS, ...wrong }, scene.run()));
    expect(error).toBeInstanceOf(type);
    expect(triggered(scene)).toBe(1);
    expect(scene.account.snapshots.size).toBe(0);
  });

  test("with too few inputs, or beside too many others, is told so", async () => {
    const scene = await stage();
    scene.account.datasets.set("gd_many", dataset("gd_many", { minInputs: 3 }));
    const few = await failure(datasetCollection.create({ ...INPUTS, datasetId: "gd_many" }, scene.run()));
    expect(few).toBeInstanceOf(TooFewInputsError);
    scene.account.datasets.set("gd_busy", dataset("gd_busy", { jobsLimit: 0 }));
    const busy = await failure(datasetCollection.create({ ...INPUTS, datasetId: "gd_busy" }, scene.run()));
    expect(busy).toBeInstanceOf(TooManyRunningJobsError);
    expect(triggered(scene)).toBe(2);
  });

  test("is not triggered when the list cannot be read before, unless the token just may not read it", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500 });
    expect(await failure(datasetCollection.create(INPUTS, scene.run()))).toBeInstanceOf(ServerError);
    expect(triggered(scene)).toBe(0);
    scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 403 });
    expect((await datasetCollection.create(INPUTS, scene.run())).state.status).toBe("ready");
  });
});

describe("a collection that fails", () => {
  const REASONS: [string, string][] = [
    ["Something went wrong. Our team is looking into it.", "somethingWentWrong"],
    ["Account is suspended", "accountSuspended"],
    ["Account is new, please activate it in account settings https://example.com", "accountNew"],
    ["No data found in discovery", "nothingDiscovered"],
    ["Snapshot is empty", "snapshotEmpty"],
    ["Failed to deliver snapshot", "deliveryFailed"],
    ["Failed to download response", "downloadFailed"],
    ["Failed to trigger collector", "triggerFailed"],
    ["Internal Server Error", "internalError"],
    ["Input validation failed: url is not of this site", "inputInvalid"],
  ];

  test.each(REASONS)("is an error with its reason and what helps, and is kept: %s", async (words, reason) => {
    const scene = await stage();
    scene.remote.behaviour.snapshotStates = ["running", "failed"];
    const add = scene.account.addSnapshot.bind(scene.account);
    vi.spyOn(scene.account, "addSnapshot").mockImplementation((...args) =>
      Object.assign(add(...args), { errorMessage: words }),
    );
    const error = await kept(datasetCollection.create(INPUTS, scene.run()));
    expect(error.message).toContain(`the collection has failed: ${words}`);
    expect(error.message).toMatch(
      /change a value of `triggers` to trigger another collection, which costs money again/,
    );
    expect(((error.cause as Error).cause as CollectionFailedError).reason).toBe(reason);
    expect(error.id).toBe(only(scene).id);
    expect(error.state).toEqual({ ...INPUTS, snapshotId: error.id, status: "failed", errorMessage: words });
  });

  test.each(["canceled", "cancelled", "error"])("because its state is %s is an error too", async (status) => {
    const scene = await stage({ remote: { snapshotStates: ["running", status] } });
    const error = await kept(datasetCollection.create(INPUTS, scene.run()));
    expect(error.message).toContain(`its status is "${status}"`);
    expect((error.cause as Error).cause).toBeInstanceOf(CollectionFailedError);
  });

  test("stays failed at every update, without a request, until a trigger changes", async () => {
    const scene = await stage({ remote: { snapshotStates: ["failed"] } });
    const { id, state } = await kept(datasetCollection.create(INPUTS, scene.run()));
    forgetRequests(scene);
    // Also when a refresh has made the engine forget the failure.
    expect(datasetCollection.diff(state, declaredIn(INPUTS), INPUTS)).toMatchObject({
      changed: ["status"],
      replaces: [],
    });
    const again = await kept(datasetCollection.update(id, state, declaredIn(INPUTS), INPUTS, scene.run()));
    expect(again).toMatchObject({ id, state: { status: "failed", snapshotId: id } });
    expect(datasetCollection.diff(state, declaredIn(INPUTS), { ...INPUTS, triggers: [2] }).replaces).toEqual([
      "triggers",
    ]);
    await datasetCollection.delete(id, state, scene.run());
    expect(requests(scene)).toEqual([]);
  });
});

describe("a wait that ends early", () => {
  test("keeps the snapshot and says where it stands; the next update waits for it, and triggers nothing", async () => {
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
    const resumed = await datasetCollection.update(id, state, declaredIn(INPUTS), INPUTS, scene.run());
    expect(resumed).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
    expect(triggered(scene)).toBe(1);
    expect(datasetCollection.diff(resumed, declaredIn(INPUTS), INPUTS).changed).toEqual([]);
  });

  test("because the service fails meanwhile keeps the snapshot", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: /progress/, kind: "reset", after: 1 });
    const error = await kept(datasetCollection.create(INPUTS, scene.run()));
    expect((error.cause as Error).cause).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ id: only(scene).id, state: { snapshotId: only(scene).id, status: "running" } });
    expect(error.message).toContain("starts nothing anew");
  });

  test("because the person presses Ctrl-C ends at once, and keeps the snapshot", async () => {
    const scene = await stage({ remote: { snapshotStates: ["running"] } });
    const controller = new AbortController();
    const deadline = new Deadline(3600, "timeouts.create", () => {}, controller.signal);
    const error = kept(datasetCollection.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(requests(scene).some((line) => line.includes("/progress/"))).toBe(true));
    controller.abort();
    const { id, state, message, cause } = await error;
    deadline.release();
    expect((cause as Error).cause).toBeInstanceOf(CancelledError);
    expect(message).toMatch(/The update was cancelled, waiting for .* the next `pulumi up` waits for .* again/);
    expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "running" });
    expect(id).toBe(only(scene).id);
  });

  test("is over for a program that stops waiting", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    const inputs = { ...INPUTS, wait: false };
    const updated = await datasetCollection.update(id, state, declaredIn(INPUTS), inputs, scene.run());
    expect(updated).toEqual({ ...inputs, snapshotId: id, status: "running" });
  });
});

describe("a trigger whose answer is lost", () => {
  const lose = ({ remote }: Stage, kind: "reset" | "reset-after" | "truncate") =>
    remote.service.faults.add({ path: "/datasets/v3/trigger", kind });

  test.each(["reset-after", "truncate"] as const)("(%s) is found in the list, and not sent again", async (kind) => {
    const scene = await stage();
    scene.account.addSnapshot(DATASET, ["ready"], [{ url: "https://example.com/older" }]);
    lose(scene, kind);
    const { id, state } = await datasetCollection.create(INPUTS, scene.run());
    expect(scene.account.snapshots.get(id)?.input).toEqual(INPUTS.inputs);
    expect(state).toMatchObject({ snapshotId: id, status: "ready", records: 2 });
    expect(triggered(scene)).toBe(1);
  });

  test("is found when it turns up in the list a little later", async () => {
    const scene = await stage();
    lose(scene, "reset-after");
    const empty = { path: "/datasets/v3/snapshots", kind: "respond", status: 200, body: "[]" } as const;
    scene.remote.service.faults.add({ ...empty, after: 1, times: 2 });
    expect((await datasetCollection.create(INPUTS, scene.run())).id).toBe(only(scene).id);
    expect(triggered(scene)).toBe(1);
  });

  test("is found though the time is over, and kept", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind: "hang" });
    const { deadline, expire } = controlledDeadline();
    const outcome = kept(datasetCollection.create(INPUTS, scene.run(deadline)));
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
  ])("for an answer %s is found in the list", async (_, body) => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind: "respond-after", status: 200, body });
    expect((await datasetCollection.create(INPUTS, scene.run())).id).toBe(only(scene).id);
    expect(triggered(scene)).toBe(1);
  });

  test("is looked for until the time is over, and what became of it is not claimed to be known", async () => {
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

  test("is told from what others have begun meanwhile by its inputs, whatever their order", async () => {
    const scene = await stage();
    lose(scene, "reset-after");
    const add = scene.account.addSnapshot.bind(scene.account);
    vi.spyOn(scene.account, "addSnapshot").mockImplementation((dataset, states, input) => {
      add(DATASET, ["running"], [{ url: "https://example.com/another" }]);
      add(DATASET, ["running"], ASKED.slice(1));
      add(DATASET, ["running"], [...ASKED, { url: "https://example.com/2" }]);
      return add(dataset, states, input?.toReversed());
    });
    const { id } = await datasetCollection.create(INPUTS, scene.run());
    expect([...scene.account.snapshots.keys()].indexOf(id)).toBe(3);
  });

  test("is not claimed when two have begun with its inputs: both are named", async () => {
    const scene = await stage();
    lose(scene, "reset-after");
    const add = scene.account.addSnapshot.bind(scene.account);
    vi.spyOn(scene.account, "addSnapshot").mockImplementation((...args) => {
      add(DATASET, ["running"], ASKED);
      return add(...args);
    });
    const error = await failure(datasetCollection.create(INPUTS, scene.run()));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    const ids = [...scene.account.snapshots.keys()];
    expect(ids).toHaveLength(2);
    for (const id of ids) expect(error.message).toContain(id);
  });

  test.each<[string, JsonObject[] | undefined]>([
    ["are not kept with the service", undefined],
    ["may be others", [{ ...ASKED[0], country: "us" }, ASKED[1] as JsonObject]],
  ])("is not claimed where its inputs %s: it is named", async (_, input) => {
    const scene = await stage();
    lose(scene, "reset");
    const { deadline, expire } = controlledDeadline();
    const outcome = failure(datasetCollection.create(INPUTS, scene.run(deadline)));
    await vi.waitFor(() => expect(triggered(scene)).toBe(1));
    const { id } = Object.assign(scene.account.addSnapshot(DATASET, ["running"], input ?? ASKED), { input });
    await vi.waitFor(() => expect(count(scene, `GET /datasets/v3/snapshot/${id}/input`)).toBeGreaterThan(1));
    expire();
    const error = await outcome;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toContain(`It may be one of those that have begun since: ${id}.`);
  });

  test("and may not be looked for says so at once", async () => {
    const scene = await stage();
    lose(scene, "reset-after");
    const times = Number.POSITIVE_INFINITY;
    scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 403, times });
    const error = await failure(datasetCollection.create(INPUTS, scene.run()));
    expect(error.message).toMatch(/could not be found out: .* answered 403.* Look for it in the control panel/);
    expect(triggered(scene)).toBe(1);
  });

  test("is found after an outage of the list", async () => {
    const scene = await stage();
    lose(scene, "reset-after");
    scene.remote.service.faults.add({
      path: "/datasets/v3/snapshots",
      kind: "respond",
      status: 503,
      after: 1,
      times: 9,
    });
    expect((await datasetCollection.create(INPUTS, scene.run())).id).toBe(only(scene).id);
    expect(triggered(scene)).toBe(1);
  });

  test("is told from others of the same program", async () => {
    const scene = await stage();
    scene.remote.service.faults.add({ path: "/datasets/v3/trigger", containing: "/lost", kind: "reset-after" });
    const run: Run = scene.run();
    const pages = ["/a", "/lost", "/b", "/c"].map((page) => `https://example.com${page}`);
    const made = await Promise.all(
      pages.map((url) => datasetCollection.create({ datasetId: DATASET, inputs: [{ url }] }, run)),
    );
    expect(made.map(({ id }) => scene.account.snapshots.get(id)?.input?.[0]?.url)).toEqual(pages);
    expect(triggered(scene)).toBe(4);
  });
});

describe("deleting a collection", () => {
  test("cancels it while it runs", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    forgetRequests(scene);
    await datasetCollection.delete(id, state, scene.run());
    expect(changes(scene)).toEqual([`POST /datasets/v3/snapshot/${id}/cancel`]);
    expect(only(scene).status).toBe("canceled");
  });

  test("asks nothing of one that has ended in the meantime, or that no list has any more", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    only(scene).status = "ready";
    forgetRequests(scene);
    await datasetCollection.delete(id, state, scene.run());
    scene.account.snapshots.clear();
    await datasetCollection.delete(id, state, scene.run());
    expect(changes(scene)).toEqual([]);
  });

  test.each(["Not found", "Snapshot does not exist"])("does not take a 404 for its end: %s", async (body) => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    const times = Number.POSITIVE_INFINITY;
    scene.remote.service.faults.add({ path: /^\/datasets/, kind: "respond", status: 404, body, times });
    expect(await failure(datasetCollection.delete(id, state, scene.run()))).toBeInstanceOf(ServiceError);
    expect(only(scene).status).toBe("running");
  });

  test("is over when it ends while it is being cancelled", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    only(scene).upcoming = ["running", "ready"];
    scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 400, body: "Snapshot is not running" });
    await datasetCollection.delete(id, state, scene.run());
    expect(only(scene).status).toBe("ready");
  });

  test("is not over before the service says so", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 200, body: "OK" });
    const { deadline, expire } = controlledDeadline();
    forgetRequests(scene);
    const outcome = failure(datasetCollection.delete(id, state, scene.run(deadline)));
    await vi.waitFor(() => expect(requests(scene).length).toBeGreaterThan(3));
    expire();
    expect((await outcome).message).toMatch(/Gave up .* waiting for the collection of snapshot "s_\w+" to be canceled/);
  });

  test("fails when the service refuses for another reason", async () => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 403, body: "no" });
    expect(await failure(datasetCollection.delete(id, state, scene.run()))).toBeInstanceOf(PermissionError);
  });

  test("that has ended sends nothing", async () => {
    const scene = await stage();
    const { id, state } = await datasetCollection.create(INPUTS, scene.run());
    forgetRequests(scene);
    await datasetCollection.delete(id, state, scene.run());
    expect(requests(scene)).toEqual([]);
    expect(only(scene).status).toBe("ready");
  });
});

describe("a collection that there is", () => {
  const named = (scene: Stage) => {
    const { id } = scene.account.addSnapshot(DATASET, ["running", "ready"], ASKED);
    return { id, inputs: { ...INPUTS, snapshotId: id } };
  };

  test("is taken up by its id and waited for, and nothing is triggered", async () => {
    const scene = await stage();
    const { id, inputs } = named(scene);
    const { run, said } = heard(scene);
    const made = await datasetCollection.create(inputs, run);
    expect(made).toEqual({ id, state: { ...inputs, status: "ready", records: 2 } });
    expect(changes(scene)).toEqual([]);
    expect(said).toEqual([]);
  });

  test("with an id that does not exist, or is of another dataset, is refused and not kept", async () => {
    const scene = await stage();
    const { inputs } = named(scene);
    const wrong = await failure(datasetCollection.create({ ...INPUTS, snapshotId: "s_none" }, scene.run()));
    expect(wrong).toBeInstanceOf(SnapshotNotFoundError);
    const other = await failure(datasetCollection.create({ ...inputs, datasetId: "gd_other" }, scene.run()));
    expect(other).toBeInstanceOf(ArgumentError);
    expect(other.message).toMatch(/is one of dataset "gd_simulated", and not of "gd_other"/);
  });

  test("that was imported is looked at by the next update, and nothing is triggered", async () => {
    const scene = await stage();
    const { id } = named(scene);
    expect(datasetCollection.diff(INPUTS, declaredIn(INPUTS), INPUTS)).toMatchObject({ replaces: [] });
    const state = await datasetCollection.update(id, INPUTS, declaredIn(INPUTS), INPUTS, scene.run());
    expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
    expect(changes(scene)).toEqual([]);
  });
});

describe("a collection whose update was cut short", () => {
  /** What the journal holds when the process is killed at the trigger, before it or after it. */
  async function killed(scene: Stage, kind: "hang" | "hang-after"): Promise<MemoryJournal> {
    const journal = new MemoryJournal();
    scene.remote.service.faults.add({ path: "/datasets/v3/trigger", kind });
    const { deadline, expire } = controlledDeadline();
    const lost = failure(datasetCollection.create(INPUTS, { ...scene.run(deadline), journal }));
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

  test("tells its id as soon as it is known, and notes it", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const { run, said } = heard(scene, { journal });
    const { id } = await datasetCollection.create(INPUTS, run);
    expect(said).toEqual([`The collection of snapshot "${id}" has begun.`]);
    expect(journal.noted?.facts).toEqual({ asked: expect.any(String), snapshotId: id });
  });

  test("is taken up by the id that was noted, even where the service has not kept its inputs", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const { id } = await datasetCollection.create(INPUTS, { ...scene.run(), journal });
    delete only(scene).input;
    const { run, said } = heard(scene, { journal: new MemoryJournal(journal) });
    expect(await datasetCollection.create(INPUTS, run)).toMatchObject({ id, state: { status: "ready" } });
    expect(triggered(scene)).toBe(1);
    expect(said).toEqual([`Took up the collection of snapshot "${id}", which an update that was cut short had begun.`]);
  });

  test("is taken up by its inputs when its answer had not come", async () => {
    const scene = await stage();
    const journal = await killed(scene, "hang-after");
    const context = scene.anotherContext();
    const { id } = await datasetCollection.create(INPUTS, { ...scene.run(), context, journal });
    expect(id).toBe(only(scene).id);
    expect(triggered(scene)).toBe(1);
  });

  test("is triggered when it has certainly not begun", async () => {
    const scene = await stage();
    const journal = await killed(scene, "hang");
    const { id } = await datasetCollection.create(INPUTS, { ...scene.run(), journal });
    expect(id).toBe(only(scene).id);
    expect(triggered(scene)).toBe(2);
  });

  test("is neither taken up nor triggered again where it cannot be told", async () => {
    const scene = await stage();
    const journal = await killed(scene, "hang-after");
    const { id } = only(scene);
    delete only(scene).input;
    const context = scene.anotherContext();
    const error = await failure(datasetCollection.create(INPUTS, { ...scene.run(), context, journal }));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.message).toContain(id);
    expect(error.message).toContain("`snapshotId`");
    expect(triggered(scene)).toBe(1);
    const named = { ...INPUTS, snapshotId: id };
    const taken = await datasetCollection.create(named, { ...scene.run(), context, journal });
    expect(taken).toMatchObject({ id, state: { status: "ready" } });
    expect(triggered(scene)).toBe(1);
  });

  test("is named, and another triggered, when the program asks for something else by now", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const { id } = await datasetCollection.create(INPUTS, { ...scene.run(), journal });
    const { run, said } = heard(scene, { journal: new MemoryJournal(journal) });
    const second = await datasetCollection.create({ ...INPUTS, triggers: [1] }, run);
    expect(second.id).not.toBe(id);
    expect(said[0]).toMatch(new RegExp(`has begun the collection of snapshot "${id}", which is in no state`));
    expect(triggered(scene)).toBe(2);
  });

  test("is taken up after a change of how it is waited for", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const { id } = await datasetCollection.create(INPUTS, { ...scene.run(), journal });
    const inputs = { ...INPUTS, wait: false, pollInterval: 5, timeouts: { create: 5 } };
    const again = { ...scene.run(), journal: new MemoryJournal(journal) };
    expect((await datasetCollection.create(inputs, again)).id).toBe(id);
  });

  test("leaves no note when the service has refused it", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    await failure(datasetCollection.create({ ...INPUTS, inputs: [{ title: "x" }] }, { ...scene.run(), journal }));
    expect(journal.noted).toBeUndefined();
  });

  test("leaves no secret in the note", async () => {
    const scene = await stage();
    const journal = new MemoryJournal();
    const begin = vi.spyOn(journal, "begin");
    await datasetCollection.create({ ...INPUTS, authHeader: "Bearer hush" }, { ...scene.run(), journal });
    expect(JSON.stringify(begin.mock.calls)).not.toContain("hush");
  });
});
