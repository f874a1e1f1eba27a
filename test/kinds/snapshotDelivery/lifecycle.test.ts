import { expect, test, vi } from "vitest";
import type { SimulatorOptions } from "../../../simulator";
import { syntheticRecords } from "../../../simulator";
import type { JsonObject } from "../../../src/base/json";
import { snapshotDeliveryLifecycle as snapshotDelivery } from "../../../src/kinds/snapshotDelivery/lifecycle";
import { DeadlineError } from "../../../src/lifecycle/deadline";
import { OUTCOME_UNKNOWN } from "../../../src/lifecycle/job";
import { PartialFailure, UNKNOWN } from "../../../src/lifecycle/lifecycle";
import { BatchTooSmallError, DeliveryFailedError, DeliveryNotFoundError } from "../../../src/remote/deliveryErrors";
import {
  SnapshotEmptyError,
  SnapshotExpiredError,
  SnapshotNotFoundError,
  SnapshotNotReadyError,
  SnapshotTooBigError,
} from "../../../src/remote/snapshotErrors";
import type { Storage } from "../../../src/remote/storage";
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

const KEYS = { awsAccessKey: "hush-access", awsSecretKey: "hush-secret" };
const S3 = { type: "s3", bucket: "pages", credentials: KEYS };
const FILENAME = { template: "pages", extension: "ndjson" };
const GOOGLE = { clientEmail: "x@example.com", privateKey: "hush-key" };

/** One of each kind of storage, with all that it may be told; and its form on the wire. */
const TARGETS: [Storage, JsonObject][] = [
  [
    { type: "webhook", endpoint: "https://example.com/hook" },
    { type: "webhook", endpoint: "https://example.com/hook" },
  ],
  [
    { type: "build", endpoint: "https://example.com/build" },
    { type: "build", endpoint: "https://example.com/build" },
  ],
  [
    { type: "email", address: "x@example.com" },
    { type: "email", address: "x@example.com" },
  ],
  [
    {
      type: "s3",
      bucket: "b",
      region: "eu-central-1",
      directory: "d",
      endpointUrl: "https://s3.example.com",
      credentials: KEYS,
    },
    {
      type: "s3",
      bucket: "b",
      region: "eu-central-1",
      directory: "d",
      endpoint_url: "https://s3.example.com",
      credentials: { "aws-access-key": "hush-access", "aws-secret-key": "hush-secret" },
    },
  ],
  [
    { type: "s3", bucket: "b", credentials: { roleArn: "arn:aws:iam::1:role/x", externalId: "hush-id" } },
    { type: "s3", bucket: "b", credentials: { role_arn: "arn:aws:iam::1:role/x", external_id: "hush-id" } },
  ],
  [
    { type: "gcs", bucket: "b", directory: "d", credentials: GOOGLE },
    {
      type: "gcs",
      bucket: "b",
      directory: "d",
      credentials: { client_email: "x@example.com", private_key: "hush-key" },
    },
  ],
  ...(["gcp_pubsub", "gcs_pubsub"] as const).map((type): [Storage, JsonObject] => [
    { type, topicId: "t", attributes: [{ key: "a", value: "b" }], credentials: GOOGLE },
    {
      type,
      topic_id: "t",
      attributes: [{ key: "a", value: "b" }],
      credentials: { client_email: "x@example.com", private_key: "hush-key" },
    },
  ]),
  [
    { type: "azure", container: "pages-1", directory: "d", credentials: { account: "a", key: "hush-key" } },
    { type: "azure", container: "pages-1", directory: "d", credentials: { account: "a", key: "hush-key" } },
  ],
  [
    { type: "azure", container: "pages", credentials: { account: "a", sasToken: "hush-sas" } },
    { type: "azure", container: "pages", credentials: { account: "a", sas_token: "hush-sas" } },
  ],
  [
    {
      type: "snowflake",
      database: "d",
      schema: "s",
      stage: "t",
      role: "r",
      warehouse: "w",
      credentials: { account: "a", user: "u", password: "hush-password" },
    },
    {
      type: "snowflake",
      database: "d",
      schema: "s",
      stage: "t",
      role: "r",
      warehouse: "w",
      credentials: { account: "a", user: "u", password: "hush-password" },
    },
  ],
  [
    {
      type: "sftp",
      path: "sftp.example.com",
      port: 22,
      directory: "d",
      credentials: { username: "u", sshKey: "hush-key", passphrase: "hush-phrase" },
    },
    {
      type: "sftp",
      path: "sftp.example.com",
      port: 22,
      directory: "d",
      credentials: { username: "u", ssh_key: "hush-key", passphrase: "hush-phrase" },
    },
  ],
  [
    {
      type: "ali_oss",
      bucket: "b",
      region: "r",
      directory: "d",
      credentials: { accessKey: "hush-a", secretKey: "hush-s" },
    },
    {
      type: "ali_oss",
      bucket: "b",
      region: "r",
      directory: "d",
      credentials: { "access-key": "hush-a", "secret-key": "hush-s" },
    },
  ],
];

const failures = (inputs: JsonObject): string[] => snapshotDelivery.check(inputs, undefined).failures;
const requests = ({ remote }: Stage): string[] =>
  remote.service.requests.map(({ method, path }) => `${method} ${path}`);

/** A stage with a snapshot that is ready, and what a program declares to have it delivered. */
async function ready(options: SimulatorOptions = {}): Promise<{ scene: Stage; inputs: JsonObject; path: string }> {
  const scene = await stage(options);
  const { id } = scene.account.addSnapshot("gd_simulated", ["ready"], [{ url: "https://example.com/1" }]);
  return {
    scene,
    inputs: { snapshotId: id, target: S3, filename: FILENAME },
    path: `/datasets/v3/deliver/${id}`,
  };
}

const snapshotOf = ({ account }: Stage, { snapshotId }: JsonObject) => {
  const snapshot = account.snapshots.get(snapshotId as string);
  if (snapshot === undefined) throw new Error("there is no snapshot");
  return snapshot;
};

/** A failure that keeps what was begun. */
async function kept(promise: Promise<unknown>): Promise<PartialFailure> {
  const error = await failure(promise);
  expect(error).toBeInstanceOf(PartialFailure);
  return error as PartialFailure;
}

/** A delivery that was started, and that the update stopped waiting for. */
async function unfinished(scene: Stage, inputs: JsonObject): Promise<PartialFailure> {
  scene.remote.behaviour.deliveryStates = ["delivering"];
  const { deadline, expire } = controlledDeadline();
  const error = kept(snapshotDelivery.create(inputs, scene.step(deadline)));
  // The second request says that the answer to the first one has been read.
  await vi.waitFor(() =>
    expect(requests(scene).filter((line) => line.includes("/delivery/")).length).toBeGreaterThan(1),
  );
  expire();
  return error;
}

const INPUTS: JsonObject = { snapshotId: "s_1", target: S3, filename: FILENAME };

test.each(TARGETS)("the inputs of a delivery take %j", (target) => {
  expect(failures({ ...INPUTS, target })).toEqual([]);
});

test("the inputs of a delivery take every option, and what is not known yet", () => {
  const manner = { wait: false, pollInterval: 1, triggers: [1], timeouts: { create: 1 } };
  expect(failures({ ...INPUTS, compress: true, batchSize: 1000, notify: "https://example.com", ...manner })).toEqual(
    [],
  );
  expect(failures({ snapshotId: UNKNOWN, target: UNKNOWN, filename: UNKNOWN })).toEqual([]);
  expect(failures({ ...INPUTS, target: { type: "s3", bucket: UNKNOWN, credentials: UNKNOWN } })).toEqual([]);
  const halfKnown = { type: "azure", container: "abc", credentials: { account: "a", key: UNKNOWN } };
  expect(failures({ ...INPUTS, target: halfKnown, filename: { template: UNKNOWN, extension: UNKNOWN } })).toEqual([]);
});

test.each<[JsonObject, RegExp]>([
  [{ snapshotId: "snap_1" }, /^`snapshotId` is "snap_1": expected the snapshot of a collection.*`s_`/],
  [{ target: undefined }, /^`target` is missing: expected an object with a `type`, one of "webhook"/],
  [{ target: { type: "ftp" } }, /^`target\.type` is not usable.*expected one of "webhook"/],
  [{ target: { type: "s3", credentials: KEYS } }, /^`target\.bucket` is missing/],
  [{ target: { ...S3, credentials: undefined } }, /^`target\.credentials` is missing: expected an object with `aws/],
  [{ target: { ...S3, credentials: { awsAccessKey: "hush" } } }, /^`target\.credentials` is not usable.*secret/],
  [{ target: { ...S3, buckt: "x" } }, /^`target\.buckt` is not a property.*Did you mean `target\.bucket`/],
  [
    { target: { ...S3, credentials: { ...KEYS, roleArn: "hush" } } },
    /^`target\.credentials\.roleArn` does not go with the rest: expected an object with `awsAccessKey` and `awsSecretKey`, or/,
  ],
  [{ target: { type: "gcs", bucket: "b", credentials: { ...GOOGLE, key: "hush" } } }, /`target\.credentials\.key`/],
  [{ target: { type: "azure", container: "a--b", credentials: { account: "a", key: "k" } } }, /single hyphens/],
  [{ target: { type: "email", address: "hush" } }, /^`target\.address` is not usable.*expected an email address/],
  [{ target: { type: "webhook", endpoint: "hush.example.com" } }, /^`target\.endpoint`.*begins with https/],
  [{ target: { type: "sftp", path: "x", port: 0, credentials: { username: "u" } } }, /^`target\.port`/],
  [
    { target: { ...S3, endpointUrl: "https://x.org", credentials: { roleArn: "hush-arn", externalId: "hush" } } },
    /^`target\.endpointUrl` cannot go with a role/,
  ],
  [{ filename: { template: "x" } }, /^`filename\.extension` is missing/],
  [{ filename: { template: "", extension: "csv" } }, /^`filename\.template` is "": expected a text that is not/],
  [{ filename: { template: "x", extension: "xml" } }, /^`filename\.extension` is "xml": expected one of "json"/],
  [{ batchSize: 0 }, /^`batchSize` is 0: expected a whole number of records/],
  [{ notify: "x" }, /^`notify` is "x": expected a URL/],
  [{ storage: S3 }, /^`storage` is not a property/],
])("the inputs of a delivery are told what is wrong, and no credential is shown: %j", (wrong, words) => {
  const found = failures({ ...INPUTS, ...wrong });
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(words);
  expect(found[0]).not.toContain("hush");
});

test("the inputs of a delivery that change deliver once more, but for those that say how it is waited for", () => {
  const state = { ...INPUTS, deliveryId: "dl_1", status: "done", files: [] };
  const diff = (inputs: JsonObject) => snapshotDelivery.diff(state, declaredIn(INPUTS), inputs);
  expect(diff(INPUTS)).toEqual({ changed: [], replaces: [], deleteBeforeReplace: false });
  expect(diff({ ...INPUTS, target: { ...S3, bucket: "other" } }).replaces).toEqual(["target.bucket"]);
  expect(diff({ ...INPUTS, snapshotId: UNKNOWN }).replaces).toEqual(["snapshotId"]);
  expect(diff({ ...INPUTS, triggers: [1] }).replaces).toEqual(["triggers"]);
  expect(diff({ ...INPUTS, pollInterval: 2 })).toMatchObject({ changed: ["pollInterval"], replaces: [] });
});

test("the inputs of a delivery are announced without the credentials", () => {
  expect(snapshotDelivery.announce?.(INPUTS)).toMatch(/will deliver snapshot "s_1" to a storage, which may cost money/);
  expect(snapshotDelivery.announce?.({ ...INPUTS, snapshotId: UNKNOWN })).toContain("deliver a snapshot to a storage");
  expect(snapshotDelivery.announce?.(INPUTS)).not.toContain("hush");
});

test("the inputs of a delivery hold the target as a secret", () => {
  expect(snapshotDelivery.secrets).toEqual([["target"]]);
});

test.each(TARGETS)("a delivery to %j goes out in the service's spelling", async (target, wire) => {
  const { scene, inputs, path } = await ready();
  const { state } = await snapshotDelivery.create({ ...inputs, target }, scene.step());
  expect(state.status).toBe("done");
  const sent = scene.remote.service.requests.find((request) => request.path === path);
  expect(sent?.body).toEqual({ deliver: { ...wire, filename: FILENAME } });
});

test.each(["id", "delivery_id"] as const)(
  "a delivery is started once and waited for; its id comes as `%s`",
  async (field) => {
    const { scene, inputs, path } = await ready({ remote: { deliveryIdField: field } });
    const { id, state } = await snapshotDelivery.create(inputs, scene.step());
    expect([...scene.account.deliveries.keys()]).toEqual([id]);
    expect(state).toEqual({
      ...inputs,
      deliveryId: id,
      status: "done",
      files: [{ filename: "pages.ndjson", deliveredAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) }],
    });
    expect(requests(scene)).toEqual([`POST ${path}`, ...Array(2).fill(`GET /datasets/v3/delivery/${id}`)]);
  },
);

test("a delivery in several files, compressed, with a notice, says so", async () => {
  const { scene, inputs, path } = await ready();
  snapshotOf(scene, inputs).records = syntheticRecords(2500);
  const options = { compress: true, batchSize: 1000, notify: "https://example.com/done" };
  const { state } = await snapshotDelivery.create({ ...inputs, ...options }, scene.step());
  expect((state.files as { filename: string }[]).map(({ filename }) => filename)).toEqual([
    "pages.1.ndjson",
    "pages.2.ndjson",
    "pages.3.ndjson",
  ]);
  const sent = scene.remote.service.requests.find((request) => request.path === path);
  expect(sent?.body).toMatchObject({ compress: true, batch_size: 1000 });
  expect(sent?.query).toEqual({ notify: "https://example.com/done" });
});

test("a delivery that is not waited for answers what the service says at once, and can be waited for later", async () => {
  const { scene, inputs, path } = await ready();
  const before = { ...inputs, wait: false };
  const { id, state } = await snapshotDelivery.create(before, scene.step());
  expect(state).toEqual({ ...before, deliveryId: id, status: "delivering", files: [] });
  const after = await snapshotDelivery.update(id, state, declaredIn(before), inputs, scene.step());
  expect(after).toMatchObject({ deliveryId: id, status: "done", files: [{ filename: "pages.ndjson" }] });
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test("a delivery of a snapshot that cannot be delivered is told why, and nothing is kept", async () => {
  const { scene, inputs } = await ready();
  const snapshot = snapshotOf(scene, inputs);
  const refusal = () => failure(snapshotDelivery.create(inputs, scene.step()));
  snapshot.status = "running";
  expect(await refusal()).toBeInstanceOf(SnapshotNotReadyError);
  Object.assign(snapshot, { status: "failed", errorMessage: "Account is suspended" });
  expect((await refusal()).message).toMatch(
    /^Could not deliver .*: the collection has failed: Account is suspended\. /,
  );
  snapshot.status = "ready";
  snapshot.records = syntheticRecords(0);
  expect(await refusal()).toBeInstanceOf(SnapshotEmptyError);
  snapshot.records = syntheticRecords(2_000_000);
  expect(await refusal()).toBeInstanceOf(SnapshotTooBigError);
  snapshot.expired = true;
  expect(await refusal()).toBeInstanceOf(SnapshotExpiredError);
  scene.account.snapshots.clear();
  expect(await refusal()).toBeInstanceOf(SnapshotNotFoundError);
  expect(scene.account.deliveries.size).toBe(0);
});

test("a delivery in files that are too small is told so", async () => {
  const { scene, inputs } = await ready();
  const error = await failure(snapshotDelivery.create({ ...inputs, batchSize: 10 }, scene.step()));
  expect(error).toBeInstanceOf(BatchTooSmallError);
  expect(error.message).toContain("1000");
});

test.each(["failed", "canceled"])(
  "a delivery that ends as %s is an error, at every update, and is kept",
  async (status) => {
    const { scene, inputs } = await ready({ remote: { deliveryStates: ["delivering", status] } });
    const error = await kept(snapshotDelivery.create(inputs, scene.step()));
    expect(error.message).toContain(`its status is "${status}"`);
    expect(error.message).toContain("correct `target`, or change a value of `triggers`");
    expect(error.message).not.toContain("hush");
    const { id, state } = error;
    expect(state).toEqual({ ...inputs, deliveryId: id, status, files: [] });
    forgetRequests(scene);
    expect(snapshotDelivery.diff(state, declaredIn(inputs), inputs).changed).toEqual(["status"]);
    await kept(snapshotDelivery.update(id, state, declaredIn(inputs), inputs, scene.step()));
    await snapshotDelivery.delete(id, state, scene.step());
    expect(requests(scene)).toEqual([]);
  },
);

test("a delivery that takes too long is kept, and waited for by the next update", async () => {
  const { scene, inputs, path } = await ready();
  const { id, state, message, cause } = await unfinished(scene, inputs);
  expect(message).toMatch(/Gave up after 60 s, waiting for delivery "dl_\w+" to end \(its status is "delivering"\)/);
  expect((cause as Error).cause).toBeInstanceOf(DeadlineError);
  expect(state).toEqual({ ...inputs, deliveryId: id, status: "delivering", files: [] });
  const delivery = scene.account.deliveries.get(id);
  if (delivery !== undefined) delivery.upcoming = ["done"];
  const after = await snapshotDelivery.update(id, state, declaredIn(inputs), inputs, scene.step());
  expect(after).toMatchObject({ deliveryId: id, status: "done" });
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test("a delivery that is going on cannot be called off: deleting it sends nothing", async () => {
  const { scene, inputs } = await ready();
  const { id, state } = await unfinished(scene, inputs);
  forgetRequests(scene);
  const said: string[] = [];
  await snapshotDelivery.delete(id, state, { ...scene.step(), say: (words) => void said.push(words) });
  expect(changes(scene)).toEqual([]);
  expect(said).toEqual([`Nothing was sent: delivery "${id}" may be going on, and none can be called off.`]);
});

test.each([
  ["reset", ""],
  ["reset-after", ""],
  ["respond-after", "{}"],
  ["respond-after", '{"id":""}'],
  ["respond-after", "<html>Sign in</html>"],
] as const)("(%s, %j) is kept as unknown, says how to look, and is not sent again", async (kind, body) => {
  const { scene, inputs, path } = await ready();
  scene.remote.service.faults.add({ path, kind, status: 200, body });
  const journal = new MemoryJournal();
  const { id, state, message } = await kept(snapshotDelivery.create(inputs, { ...scene.step(), journal }));
  expect(state).toEqual({ ...inputs, status: OUTCOME_UNKNOWN });
  expect(id).toMatch(new RegExp(`^${inputs.snapshotId}/[0-9a-f]{8}$`));
  expect(message).toMatch(/is not known.* Look in the storage for files such as "pages\.ndjson"/);
  expect(message).toMatch(/`deliveryId` to take it up, or change a value of `triggers` to deliver once more/);
  expect(message).not.toContain("hush");
  expect(JSON.stringify(journal.noted)).not.toContain("hush");
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test.each([true, false])(
  "a delivery whose answer is lost stays open, and is not delivered again by itself (wait: %s)",
  async (wait) => {
    const { scene, inputs, path } = await ready();
    const waiting = { ...inputs, wait };
    scene.remote.service.faults.add({ path, kind: "reset" });
    const { id, state } = await kept(snapshotDelivery.create(waiting, scene.step()));
    expect(snapshotDelivery.diff(state, declaredIn(waiting), waiting)).toMatchObject({
      changed: ["status"],
      replaces: [],
    });
    forgetRequests(scene);
    const again = await kept(snapshotDelivery.update(id, state, declaredIn(waiting), waiting, scene.step()));
    expect(again).toMatchObject({ id, state });
    expect(again.message).toMatch(/^Whether a delivery of snapshot "s_\w+" has begun is not known/);
    const said: string[] = [];
    await snapshotDelivery.delete(id, state, { ...scene.step(), say: (words) => void said.push(words) });
    expect(said).toEqual([expect.stringMatching(/^Nothing was sent: whether a delivery of snapshot .* is not known/)]);
    expect(requests(scene)).toEqual([]);
    const triggers = { ...waiting, triggers: [1] };
    expect(snapshotDelivery.diff(state, declaredIn(waiting), triggers).replaces).toEqual(["triggers"]);
    const found = { ...waiting, deliveryId: "dl_1" };
    expect(snapshotDelivery.diff(state, declaredIn(waiting), found).replaces).toEqual(["deliveryId"]);
  },
);

test("a delivery whose answer is lost because the process was killed is kept as unknown, and not sent again", async () => {
  const { scene, inputs, path } = await ready();
  const journal = new MemoryJournal();
  scene.remote.service.faults.add({ path, kind: "reset-after" });
  await kept(snapshotDelivery.create(inputs, { ...scene.step(), journal }));
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  const { state, message } = await kept(snapshotDelivery.create(inputs, next));
  expect(state).toEqual({ ...inputs, status: OUTCOME_UNKNOWN });
  expect(message).toMatch(/^An update that was cut short was about to begin it, or had begun it\. Whether a delivery/);
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test("a delivery whose answer is lost does not matter where its id was noted before the process was killed", async () => {
  const { scene, inputs, path } = await ready();
  const journal = new MemoryJournal();
  const { id } = await snapshotDelivery.create(inputs, { ...scene.step(), journal });
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect(await snapshotDelivery.create(inputs, next)).toMatchObject({
    id,
    state: { deliveryId: id, status: "done" },
  });
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test("a delivery that was begun before its process was killed is not that to another target", async () => {
  const { scene, inputs, path } = await ready();
  const target = { ...S3, bucket: "another" };
  for (const isNoted of [true, false]) {
    const journal = new MemoryJournal();
    forgetRequests(scene);
    if (!isNoted) scene.remote.service.faults.add({ path, kind: "reset-after" });
    const first = snapshotDelivery.create(inputs, { ...scene.step(), journal });
    const { id } = isNoted ? await first : await kept(first);
    const next = { ...scene.step(), journal: new MemoryJournal(journal) };
    const second = await snapshotDelivery.create({ ...inputs, target }, next);
    expect(second.id).not.toBe(id);
    expect(second.state).toMatchObject({ target, status: "done" });
    expect(count(scene, `POST ${path}`)).toBe(2);
  }
});

test("a delivery that a former version has begun, whose note says nothing of the target, is taken up", async () => {
  const { scene, inputs, path } = await ready();
  const journal = new MemoryJournal();
  const { id } = await snapshotDelivery.create(inputs, { ...scene.step(), journal });
  const { asked } = journal.noted?.facts ?? {};
  await journal.begin({ ...journal.noted?.facts, asked: String(asked).split(".")[0] ?? "" });
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect(await snapshotDelivery.create(inputs, next)).toMatchObject({ id });
  expect(count(scene, `POST ${path}`)).toBe(1);
});

test("a delivery whose answer is lost leaves no note when the service has refused it", async () => {
  const { scene, inputs } = await ready();
  snapshotOf(scene, inputs).expired = true;
  const journal = new MemoryJournal();
  await failure(snapshotDelivery.create(inputs, { ...scene.step(), journal }));
  expect(journal.noted).toBeUndefined();
});

test("a delivery whose answer is lost that the service says has failed is told as that", async () => {
  const { scene, inputs, path } = await ready();
  scene.remote.service.faults.add({ path, kind: "respond", status: 500, body: "Failed to deliver snapshot" });
  const error = await failure(snapshotDelivery.create(inputs, scene.step()));
  expect(error).toBeInstanceOf(DeliveryFailedError);
  expect(error.message).toMatch(/what has arrived there/);
});

test("a delivery that the service refuses as failed is in no state, and the next update delivers", async () => {
  const { scene, inputs, path } = await ready();
  scene.remote.service.faults.add({ path, kind: "respond", status: 500, body: "Failed to deliver snapshot" });
  const journal = new MemoryJournal();
  expect(await failure(snapshotDelivery.create(inputs, { ...scene.step(), journal }))).not.toBeInstanceOf(
    PartialFailure,
  );
  const next = { ...scene.step(), journal: new MemoryJournal(journal) };
  expect(await snapshotDelivery.create(inputs, next)).toMatchObject({ state: { status: "done" } });
  expect(count(scene, `POST ${path}`)).toBe(2);
});

test("a delivery that there is is taken up by its id and waited for, and nothing is delivered", async () => {
  const { scene, inputs } = await ready();
  const snapshot = snapshotOf(scene, inputs);
  const { id } = scene.account.addDelivery(snapshot, ["delivering", "done"], { type: "s3", filenames: ["a.csv"] });
  const named = { ...inputs, deliveryId: id };
  expect(snapshotDelivery.announce?.(named)).toBe(`the update will start nothing, and take up delivery "${id}".`);
  const made = await snapshotDelivery.create(named, scene.step());
  expect(made).toMatchObject({ id, state: { deliveryId: id, status: "done", files: [{ filename: "a.csv" }] } });
  expect(changes(scene)).toEqual([]);
  expect(snapshotDelivery.diff(made.state, declaredIn(named), inputs)).toMatchObject({ replaces: [] });
});

test("a delivery that there is is refused, and not kept, when there is none of that id", async () => {
  const { scene, inputs } = await ready();
  const error = await failure(snapshotDelivery.create({ ...inputs, deliveryId: "dl_none" }, scene.step()));
  expect(error).toBeInstanceOf(DeliveryNotFoundError);
});
