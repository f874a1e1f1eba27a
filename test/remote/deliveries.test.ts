import { describe, expect, test, vi } from "vitest";
import { syntheticRecords } from "../../simulator";
import { ConnectionError, ResponseFormatError, ServiceError } from "../../src/base/errors";
import { ValidationError } from "../../src/remote/collectionErrors";
import type { NewDelivery } from "../../src/remote/deliveries";
import { BatchTooSmallError } from "../../src/remote/deliveryErrors";
import { SnapshotTooBigError } from "../../src/remote/snapshotErrors";
import type { Storage } from "../../src/remote/storage";
import { failure, NOW, type Remote, startRemote } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

const FILENAME = { template: "pages", extension: "ndjson" } as const;
const WEBHOOK: NewDelivery = { storage: { type: "webhook", endpoint: "https://example.com" }, filename: FILENAME };
const SECRET = "s3cr3t-value";

function readySnapshot({ account }: Remote, count = 10) {
  const snapshot = account.addSnapshot("gd_simulated", ["ready"], []);
  snapshot.status = "ready";
  snapshot.records = syntheticRecords(count);
  return snapshot;
}

const STORAGES: [Storage, Record<string, unknown>][] = [
  [
    { type: "webhook", endpoint: "https://example.com/data" },
    { type: "webhook", endpoint: "https://example.com/data" },
  ],
  [
    { type: "build", endpoint: "https://example.com/build" },
    { type: "build", endpoint: "https://example.com/build" },
  ],
  [
    { type: "email", address: "data@example.com" },
    { type: "email", address: "data@example.com" },
  ],
  [
    {
      type: "s3",
      bucket: "bucket",
      region: "eu-west-1",
      directory: "in",
      endpointUrl: "https://s3.example.com",
      credentials: { awsAccessKey: "AKIA-test", awsSecretKey: SECRET },
    },
    {
      type: "s3",
      bucket: "bucket",
      region: "eu-west-1",
      directory: "in",
      endpoint_url: "https://s3.example.com",
      credentials: { "aws-access-key": "AKIA-test", "aws-secret-key": SECRET },
    },
  ],
  [
    { type: "s3", bucket: "bucket", credentials: { roleArn: "arn:aws:iam::1:role/r", externalId: SECRET } },
    { type: "s3", bucket: "bucket", credentials: { role_arn: "arn:aws:iam::1:role/r", external_id: SECRET } },
  ],
  [
    {
      type: "gcs",
      bucket: "bucket",
      directory: "in",
      credentials: { clientEmail: "a@example.com", privateKey: SECRET },
    },
    {
      type: "gcs",
      bucket: "bucket",
      directory: "in",
      credentials: { client_email: "a@example.com", private_key: SECRET },
    },
  ],
  ...(["gcp_pubsub", "gcs_pubsub"] as const).map((type): [Storage, Record<string, unknown>] => [
    { type, topicId: "t", attributes: ["a"], credentials: { clientEmail: "a@example.com", privateKey: SECRET } },
    { type, topic_id: "t", attributes: ["a"], credentials: { client_email: "a@example.com", private_key: SECRET } },
  ]),
  [
    { type: "azure", container: "box", directory: "in", credentials: { account: "acc", key: SECRET } },
    { type: "azure", container: "box", directory: "in", credentials: { account: "acc", key: SECRET } },
  ],
  [
    { type: "azure", container: "box", credentials: { account: "acc", sasToken: SECRET } },
    { type: "azure", container: "box", credentials: { account: "acc", sas_token: SECRET } },
  ],
  [
    {
      type: "snowflake",
      database: "d",
      schema: "s",
      stage: "g",
      role: "r",
      warehouse: "w",
      credentials: { account: "acc", user: "u", password: SECRET },
    },
    {
      type: "snowflake",
      database: "d",
      schema: "s",
      stage: "g",
      role: "r",
      warehouse: "w",
      credentials: { account: "acc", user: "u", password: SECRET },
    },
  ],
  [
    {
      type: "sftp",
      path: "sftp.example.com",
      port: 2222,
      directory: "in",
      credentials: { username: "u", sshKey: SECRET, passphrase: "pass-phrase" },
    },
    {
      type: "sftp",
      path: "sftp.example.com",
      port: 2222,
      directory: "in",
      credentials: { username: "u", ssh_key: SECRET, passphrase: "pass-phrase" },
    },
  ],
  [
    {
      type: "ali_oss",
      bucket: "b",
      region: "r",
      directory: "in",
      credentials: { accessKey: "ak-1", secretKey: SECRET },
    },
    {
      type: "ali_oss",
      bucket: "b",
      region: "r",
      directory: "in",
      credentials: { "access-key": "ak-1", "secret-key": SECRET },
    },
  ],
];

describe.each(STORAGES)("to %j", (storage, written) => {
  test("is what the service takes, in its own spelling", async () => {
    const remote = await startRemote();
    const { id } = readySnapshot(remote);
    const deliveryId = await remote.client.deliveries.deliver(id, { storage, filename: FILENAME });
    expect(remote.account.deliveries.get(deliveryId)).toMatchObject({ snapshotId: id, type: storage.type });
    expect(remote.requests).toEqual([
      remote.request({
        method: "POST",
        path: `/datasets/v3/deliver/${id}`,
        body: { deliver: { ...written, filename: FILENAME } },
      }),
    ]);
  });

  test("shows nobody its credentials", async () => {
    const { client, answer } = await startRemote();
    answer(400, { validation_errors: [`"deliver" is wrong: ${JSON.stringify(written)}`] });
    const error = await failure(client.deliveries.deliver("s_1", { storage, filename: FILENAME }), ValidationError);
    expect(`${error.stack}${JSON.stringify(error)}`).not.toMatch(/s3cr3t|pass-phrase/);
  });
});

test("deliver sends every option, and takes either name of the id", async () => {
  const remote = await startRemote({ remote: { deliveryIdField: "delivery_id" } });
  const { id } = readySnapshot(remote, 2500);
  const delivery = { ...WEBHOOK, compress: true, batchSize: 1000, notify: "https://example.com/done" };
  const deliveryId = await remote.client.deliveries.deliver(id, delivery);
  expect(remote.account.deliveries.get(deliveryId)?.filenames).toHaveLength(3);
  expect(remote.requests).toEqual([
    remote.request({
      method: "POST",
      path: `/datasets/v3/deliver/${id}`,
      query: { notify: "https://example.com/done" },
      body: {
        deliver: { type: "webhook", endpoint: "https://example.com", filename: FILENAME },
        compress: true,
        batch_size: 1000,
      },
    }),
  ]);
});

test("deliver is never sent again when it is not known what became of it", async () => {
  const remote = await startRemote();
  const { id } = readySnapshot(remote);
  remote.simulator.remote.service.faults.add({ kind: "reset-after" });
  const client = remote.clientWith({ retries: 3 });
  const error = await failure(client.deliveries.deliver(id, WEBHOOK), ConnectionError);
  expect(error.settled).toBe(false);
  expect(remote.account.deliveries.size).toBe(1);
});

test("deliver tells what the snapshot and the batches must be like", async () => {
  const remote = await startRemote({ remote: { maxFileRecords: 5 } });
  const { id } = readySnapshot(remote);
  await failure(remote.client.deliveries.deliver(id, WEBHOOK), SnapshotTooBigError);
  const error = await failure(remote.client.deliveries.deliver(id, { ...WEBHOOK, batchSize: 999 }), BatchTooSmallError);
  expect(error.minimum).toBe(1000);
});

test("deliver does not take an answer without an id", async () => {
  const { client, answer } = await startRemote();
  answer(200, {});
  await failure(client.deliveries.deliver("s_1", WEBHOOK), ResponseFormatError);
});

test.each([1_775_000_000_000_000, -1e300])("status does without a moment that is none: %j", async (delivery_ts) => {
  const { client, answer } = await startRemote();
  answer(200, { status: "done", delivery_files: [{ filename: "a.json", delivery_ts }] });
  await expect(client.deliveries.status("dl_1")).resolves.toMatchObject({ files: [{ filename: "a.json" }] });
});

test("status follows a delivery to its files", async () => {
  const remote = await startRemote();
  const delivery = remote.account.addDelivery(readySnapshot(remote), ["delivering", "done"], {
    type: "s3",
    filenames: ["a.json"],
  });
  const { id } = delivery;
  await expect(remote.client.deliveries.status(id)).resolves.toEqual({
    deliveryId: id,
    status: "delivering",
    files: [],
  });
  await expect(remote.client.deliveries.status(id)).resolves.toEqual({
    deliveryId: id,
    status: "done",
    files: [{ filename: "a.json", deliveredAt: NOW.toISOString() }],
  });
  expect(remote.requests[0]).toEqual(remote.request({ method: "GET", path: `/datasets/v3/delivery/${id}` }));
});

test("status reads an answer with less in it", async () => {
  const { client, answer } = await startRemote();
  answer(200, { status: "new_state", delivery_files: [{ filename: "a.json" }] });
  await expect(client.deliveries.status("dl_1")).resolves.toEqual({
    deliveryId: "dl_1",
    status: "new_state",
    files: [{ filename: "a.json" }],
  });
});

test("shows nothing of the storage when the service sends it back", async () => {
  const { client, answer } = await startRemote();
  const endpoint = "https://storage.example.com/in?X-Signature=f00dfeed01";
  answer(400, { error: `cannot reach ${endpoint} (f00dfeed01)` });
  const delivery = { storage: { type: "webhook", endpoint }, filename: { template: "a", extension: "json" } } as const;
  const error = await failure(client.deliveries.deliver("s_1", delivery), ServiceError);
  expect(error.serviceMessage).toBe("cannot reach [secret] ([secret])");
});
