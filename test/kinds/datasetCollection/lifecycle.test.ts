import { describe, expect, test, vi } from "vitest";
import { dataset } from "../../../simulator";
import { ArgumentError, PermissionError, ServerError, ServiceError } from "../../../src/base/errors";
import type { JsonObject } from "../../../src/base/json";
import { datasetCollectionLifecycle as datasetCollection } from "../../../src/kinds/datasetCollection/lifecycle";
import { Deadline } from "../../../src/lifecycle/deadline";
import { type Fate, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import {
  CollectionFailedError,
  DatasetNotFoundError,
  TooFewInputsError,
  TooManyRunningJobsError,
  ValidationError,
} from "../../../src/remote/collectionErrors";
import { SnapshotNotFoundError } from "../../../src/remote/snapshotErrors";
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
import { ASKED, DATASET, heard, INPUTS, kept, only, requests, TRIGGER, triggered, unfinished } from "./setup";

vi.mock("../../../src/http/pause", () => import("../../lifecycle/instantPause.ts"));

const failures = (inputs: JsonObject): string[] => datasetCollection.check(inputs, undefined).failures;

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
    [{ authHeader: 7 }, /^`authHeader` is not usable \(its value, a number, is a secret/],
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

  test("that say what holds without them trigger nothing", () => {
    const state = { ...INPUTS, snapshotId: "s_1", status: "ready" };
    const defaults = { ...INPUTS, inputForm: "array", notify: false, uncompressedWebhook: false };
    expect(datasetCollection.diff(state, declaredIn(INPUTS), defaults).replaces).toEqual([]);
    const told = { ...state, ...defaults };
    expect(datasetCollection.diff(told, declaredIn(defaults), INPUTS).replaces).toEqual([]);
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

  test("that replace a running collection cancel it, which is announced", () => {
    const announced = (state: JsonObject, inputs: JsonObject = INPUTS, fate: Fate = "deleted") =>
      datasetCollection.announceReplacement?.({ ...INPUTS, snapshotId: "s_1", ...state }, inputs, fate);
    const words =
      'the collection of snapshot "s_1" is canceled with the resource that is replaced, if it is still running.';
    expect(announced({ status: "running" })).toBe(words);
    expect(announced({ status: "digesting" }, { ...INPUTS, snapshotId: "s_2" })).toBe(words);
    expect(announced({ status: "running" }, { ...INPUTS, snapshotId: "s_1" })).toBeUndefined();
    for (const status of ["ready", "failed", "canceled"]) expect(announced({ status })).toBeUndefined();
    for (const fate of ["another's", "gone"] as const)
      expect(announced({ status: "running" }, INPUTS, fate)).toBeUndefined();
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

test("a collection is triggered once, waited for, and has its records counted", async () => {
  const scene = await stage();
  const { id, state } = await datasetCollection.create(INPUTS, scene.step());
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

test("a collection sends every option in the service's spelling, and none that says how it is waited for", async () => {
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
  await datasetCollection.create({ ...INPUTS, ...options, ...manner }, scene.step());
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
])("a collection with a pollInterval of %s is looked at every %i seconds", async (pollInterval, seconds) => {
  const scene = await stage();
  const poll = vi.spyOn(Deadline.prototype, "poll");
  await datasetCollection.create({ ...INPUTS, pollInterval }, scene.step());
  expect(poll.mock.calls.map(([, , pace]) => pace)).toEqual([seconds]);
  poll.mockRestore();
});

test("a collection that is not waited for answers what the service says at once", async () => {
  const scene = await stage();
  const { id, state } = await datasetCollection.create({ ...INPUTS, wait: false }, scene.step());
  expect(state).toEqual({ ...INPUTS, wait: false, snapshotId: id, status: "running" });
  expect(count(scene, `GET /datasets/v3/progress/${id}`)).toBe(1);
  expect(datasetCollection.diff(state, declaredIn({ ...INPUTS, wait: false }), { ...INPUTS, wait: false })).toEqual({
    changed: [],
    replaces: [],
    deleteBeforeReplace: false,
  });
});

test("a collection that is not waited for and has ended at once tells the number of its records", async () => {
  const scene = await stage({ remote: { snapshotStates: ["ready"] } });
  const { state } = await datasetCollection.create({ ...INPUTS, wait: false }, scene.step());
  expect(state).toMatchObject({ wait: false, status: "ready", records: 2 });
});

test("a collection that was not waited for is waited for when the program says so, and not triggered again", async () => {
  const scene = await stage();
  const before = { ...INPUTS, wait: false };
  const { id, state } = await datasetCollection.create(before, scene.step());
  expect(datasetCollection.diff(state, declaredIn(before), INPUTS)).toMatchObject({ replaces: [] });
  const updated = await datasetCollection.update(id, state, declaredIn(before), INPUTS, scene.step());
  expect(updated).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
  expect(triggered(scene)).toBe(1);
});

test("a collection goes on through states that nobody has heard of", async () => {
  const scene = await stage({ remote: { snapshotStates: ["pending_approval", "collecting", "digesting", "ready"] } });
  expect((await datasetCollection.create(INPUTS, scene.step())).state.status).toBe("ready");
});

test("a collection does not fail for want of the number of its records", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500, after: 1 });
  const { id, state } = await datasetCollection.create(INPUTS, scene.step());
  expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "ready" });
});

test.each([
  [{ datasetId: "gd_none" }, DatasetNotFoundError],
  [{ inputs: [{ title: "no url" }] }, ValidationError],
])("a collection that the service refuses is told so, and nothing is kept: %j", async (wrong, type) => {
  const scene = await stage();
  const error = await failure(datasetCollection.create({ ...INPUTS, ...wrong }, scene.step()));
  expect(error).toBeInstanceOf(type);
  expect(triggered(scene)).toBe(1);
  expect(scene.account.snapshots.size).toBe(0);
});

test("a collection with too few inputs, or beside too many others, is told so", async () => {
  const scene = await stage();
  scene.account.datasets.set("gd_many", dataset("gd_many", { minInputs: 3 }));
  const few = await failure(datasetCollection.create({ ...INPUTS, datasetId: "gd_many" }, scene.step()));
  expect(few).toBeInstanceOf(TooFewInputsError);
  scene.account.datasets.set("gd_busy", dataset("gd_busy", { jobsLimit: 0 }));
  const busy = await failure(datasetCollection.create({ ...INPUTS, datasetId: "gd_busy" }, scene.step()));
  expect(busy).toBeInstanceOf(TooManyRunningJobsError);
  expect(triggered(scene)).toBe(2);
});

test("a collection is not triggered when the list cannot be read before, unless the token just may not read it", async () => {
  const scene = await stage();
  scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 500 });
  expect(await failure(datasetCollection.create(INPUTS, scene.step()))).toBeInstanceOf(ServerError);
  expect(triggered(scene)).toBe(0);
  scene.remote.service.faults.add({ path: "/datasets/v3/snapshots", kind: "respond", status: 403 });
  expect((await datasetCollection.create(INPUTS, scene.step())).state.status).toBe("ready");
});

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

test.each(REASONS)(
  "a collection that fails is an error with its reason and what helps, and is kept: %s",
  async (words, reason) => {
    const scene = await stage();
    scene.remote.behaviour.snapshotStates = ["running", "failed"];
    const add = scene.account.addSnapshot.bind(scene.account);
    vi.spyOn(scene.account, "addSnapshot").mockImplementation((...args) =>
      Object.assign(add(...args), { errorMessage: words }),
    );
    const error = await kept(datasetCollection.create(INPUTS, scene.step()));
    expect(error.message).toContain(`the collection has failed: ${words}`);
    expect(error.message).toMatch(
      /change a value of `triggers` to trigger another collection, which costs money again/,
    );
    expect(((error.cause as Error).cause as CollectionFailedError).reason).toBe(reason);
    expect(error.id).toBe(only(scene).id);
    expect(error.state).toEqual({ ...INPUTS, snapshotId: error.id, status: "failed", errorMessage: words });
  },
);

test("what a collection has failed for is kept without the secrets of its inputs", async () => {
  const scene = await stage();
  scene.remote.behaviour.snapshotStates = ["failed"];
  const add = scene.account.addSnapshot.bind(scene.account);
  vi.spyOn(scene.account, "addSnapshot").mockImplementation((...args) =>
    Object.assign(add(...args), { errorMessage: "hush answered 403" }),
  );
  const hide = (words: string) => words.replace("hush", "[secret]");
  const error = await kept(datasetCollection.create(INPUTS, { ...scene.step(), hide }));
  expect(error.message).toContain("the collection has failed: [secret] answered 403");
  expect(error.state).toMatchObject({ errorMessage: "[secret] answered 403" });
});

test.each(["canceled", "cancelled", "error"])(
  "a collection that fails because its state is %s is an error too",
  async (status) => {
    const scene = await stage({ remote: { snapshotStates: ["running", status] } });
    const error = await kept(datasetCollection.create(INPUTS, scene.step()));
    expect(error.message).toContain(`its status is "${status}"`);
    expect((error.cause as Error).cause).toBeInstanceOf(CollectionFailedError);
  },
);

test("a collection that fails stays failed at every update, without a request, until a trigger changes", async () => {
  const scene = await stage({ remote: { snapshotStates: ["failed"] } });
  const { id, state } = await kept(datasetCollection.create(INPUTS, scene.step()));
  forgetRequests(scene);
  // Also when a refresh has made the engine forget the failure.
  expect(datasetCollection.diff(state, declaredIn(INPUTS), INPUTS)).toMatchObject({
    changed: ["status"],
    replaces: [],
  });
  const again = await kept(datasetCollection.update(id, state, declaredIn(INPUTS), INPUTS, scene.step()));
  expect(again).toMatchObject({ id, state: { status: "failed", snapshotId: id } });
  expect(datasetCollection.diff(state, declaredIn(INPUTS), { ...INPUTS, triggers: [2] }).replaces).toEqual([
    "triggers",
  ]);
  await datasetCollection.delete(id, state, scene.step());
  expect(requests(scene)).toEqual([]);
});

test("deleting a collection cancels it while it runs", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  forgetRequests(scene);
  await datasetCollection.delete(id, state, scene.step());
  expect(changes(scene)).toEqual([`POST /datasets/v3/snapshot/${id}/cancel`]);
  expect(only(scene).status).toBe("canceled");
});

test("deleting a collection asks nothing of one that has ended in the meantime, or that no list has any more", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  only(scene).status = "ready";
  forgetRequests(scene);
  await datasetCollection.delete(id, state, scene.step());
  scene.account.snapshots.clear();
  await datasetCollection.delete(id, state, scene.step());
  expect(changes(scene)).toEqual([]);
});

test.each(["Not found", "Snapshot does not exist"])(
  "deleting a collection does not take a 404 for its end: %s",
  async (body) => {
    const scene = await stage();
    const { id, state } = await unfinished(scene);
    const times = Number.POSITIVE_INFINITY;
    scene.remote.service.faults.add({ path: /^\/datasets/, kind: "respond", status: 404, body, times });
    expect(await failure(datasetCollection.delete(id, state, scene.step()))).toBeInstanceOf(ServiceError);
    expect(only(scene).status).toBe("running");
  },
);

test("deleting a collection takes the list's word that there are none, which is a 404, too", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  scene.account.snapshots.clear();
  const body = JSON.stringify({ error: "Snapshot not found" });
  scene.remote.service.faults.add({ path: /snapshots$/, kind: "respond", status: 404, body });
  forgetRequests(scene);
  await datasetCollection.delete(id, state, scene.step());
  expect(changes(scene)).toEqual([]);
});

test("deleting a collection is over when it ends while it is being cancelled", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  only(scene).upcoming = ["running", "ready"];
  scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 400, body: "Snapshot is not running" });
  await datasetCollection.delete(id, state, scene.step());
  expect(only(scene).status).toBe("ready");
});

test("deleting a collection waits for one that runs no more, and whose snapshot is being built", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  only(scene).upcoming = ["building", "building", "ready"];
  scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 400, body: "Snapshot is not running" });
  await datasetCollection.delete(id, state, scene.step());
  expect(only(scene).status).toBe("ready");
});

test("deleting a collection is not over before the service says so", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 200, body: "OK" });
  const { deadline, expire } = controlledDeadline();
  forgetRequests(scene);
  const outcome = failure(datasetCollection.delete(id, state, scene.step(deadline)));
  await vi.waitFor(() => expect(requests(scene).length).toBeGreaterThan(3));
  expire();
  expect((await outcome).message).toMatch(/Gave up .* waiting for the collection of snapshot "s_\w+" to be canceled/);
});

test("deleting a collection fails when the service refuses for another reason", async () => {
  const scene = await stage();
  const { id, state } = await unfinished(scene);
  scene.remote.service.faults.add({ path: /cancel$/, kind: "respond", status: 403, body: "no" });
  expect(await failure(datasetCollection.delete(id, state, scene.step()))).toBeInstanceOf(PermissionError);
});

test("deleting a collection that has ended sends nothing", async () => {
  const scene = await stage();
  const { id, state } = await datasetCollection.create(INPUTS, scene.step());
  forgetRequests(scene);
  await datasetCollection.delete(id, state, scene.step());
  expect(requests(scene)).toEqual([]);
  expect(only(scene).status).toBe("ready");
});

describe("a collection that there is", () => {
  const named = (scene: Stage) => {
    const { id } = scene.account.addSnapshot(DATASET, ["running", "ready"], ASKED);
    return { id, inputs: { ...INPUTS, snapshotId: id } };
  };

  test("is taken up by its id and waited for, and nothing is triggered", async () => {
    const scene = await stage();
    const { id, inputs } = named(scene);
    const { step, said } = heard(scene);
    const made = await datasetCollection.create(inputs, step);
    expect(made).toEqual({ id, state: { ...inputs, status: "ready", records: 2 } });
    expect(changes(scene)).toEqual([]);
    expect(said).toEqual([]);
  });

  test("with an id that does not exist, or is of another dataset, is refused and not kept", async () => {
    const scene = await stage();
    const { inputs } = named(scene);
    const wrong = await failure(datasetCollection.create({ ...INPUTS, snapshotId: "s_none" }, scene.step()));
    expect(wrong).toBeInstanceOf(SnapshotNotFoundError);
    const other = await failure(datasetCollection.create({ ...inputs, datasetId: "gd_other" }, scene.step()));
    expect(other).toBeInstanceOf(ArgumentError);
    expect(other.message).toMatch(/is one of dataset "gd_simulated", and not of "gd_other"/);
  });

  test("a collection that was imported is looked at by the next update, and nothing is triggered", async () => {
    const scene = await stage();
    const { id } = named(scene);
    expect(datasetCollection.diff(INPUTS, declaredIn(INPUTS), INPUTS)).toMatchObject({ replaces: [] });
    const state = await datasetCollection.update(id, INPUTS, declaredIn(INPUTS), INPUTS, scene.step());
    expect(state).toEqual({ ...INPUTS, snapshotId: id, status: "ready", records: 2 });
    expect(changes(scene)).toEqual([]);
  });
});
