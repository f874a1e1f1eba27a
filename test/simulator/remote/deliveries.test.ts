import { expect, test } from "vitest";
import { listedRecords, type SnapshotRecord, syntheticRecords } from "../../../simulator/account/snapshot";
import { type Harness, NOW, ok, refusal, startRemote } from "./harness";

interface DeliveryHarness extends Harness {
  snapshot: SnapshotRecord;
  deliver(body: unknown): ReturnType<Harness["call"]>;
}

async function startDelivery(): Promise<DeliveryHarness> {
  const harness = await startRemote();
  const snapshot = harness.account.addSnapshot("gd_simulated", [], [{ url: "https://example.com/" }]);
  return {
    ...harness,
    snapshot,
    deliver: (body) => harness.call("POST", `/datasets/v3/deliver/${snapshot.id}`, body),
  };
}

const filename = { template: "pages", extension: "json" };
const webhook = { type: "webhook", endpoint: "https://example.com/hook", filename };
const azure = { type: "azure", filename, credentials: { account: "a", key: "k" } };
const google = { client_email: "robot@example.com", private_key: "secret" };

test("a delivery goes on one state a poll and ends with the files", async () => {
  const { account, call, deliver } = await startDelivery();
  const delivered = await deliver({ deliver: webhook });
  const [delivery] = account.deliveries.values();
  expect(delivered).toMatchObject(ok({ id: delivery?.id }));
  const path = `/datasets/v3/delivery/${delivery?.id}`;
  expect((await call("GET", path)).body).toEqual({ id: delivery?.id, status: "delivering", delivery_files: [] });
  const done = {
    id: delivery?.id,
    status: "done",
    delivery_files: [{ filename: "pages.json", delivery_ts: NOW.getTime() / 1000 }],
  };
  expect((await call("GET", path)).body).toEqual(done);
  expect((await call("GET", path)).body).toEqual(done);
});

test("the id of a delivery has two names, and its states are a matter of choice", async () => {
  const { account, call, remote, deliver } = await startDelivery();
  remote.behaviour.deliveryIdField = "delivery_id";
  remote.behaviour.deliveryStates = ["failed"];
  const { body } = await deliver({ deliver: webhook });
  const [delivery] = account.deliveries.values();
  expect(body).toEqual({ delivery_id: delivery?.id });
  expect((await call("GET", `/datasets/v3/delivery/${delivery?.id}`)).body).toMatchObject({ status: "failed" });
});

test("a delivery makes a file for each batch", async () => {
  const { account, deliver, snapshot } = await startDelivery();
  snapshot.records = syntheticRecords(2_001);
  await deliver({ deliver: webhook, batch_size: 1_000, compress: false });
  expect([...account.deliveries.values()].map(({ filenames }) => filenames)).toEqual([
    ["pages.1.json", "pages.2.json", "pages.3.json"],
  ]);
});

test.each([
  { type: "build", endpoint: "https://example.com/hook" },
  { type: "email", address: "someone@example.com" },
  { type: "s3", bucket: "b", region: "r", credentials: { "aws-access-key": "a", "aws-secret-key": "b" } },
  { type: "s3", bucket: "b", directory: "d", credentials: { role_arn: "a", external_id: "b" } },
  { type: "gcs", bucket: "b", credentials: google },
  { type: "gcp_pubsub", topic_id: "t", attributes: [], credentials: google },
  { type: "gcs_pubsub", topic_id: "t", credentials: google },
  { type: "azure", container: "pages-1", credentials: { account: "a", key: "k" } },
  { type: "azure", container: "pages-1", credentials: { account: "a", sas_token: "t" } },
  {
    type: "snowflake",
    database: "d",
    schema: "s",
    stage: "s",
    role: "r",
    warehouse: "w",
    credentials: { account: "a", user: "u", password: "p" },
  },
  { type: "sftp", path: "files.example.com", port: 22, credentials: { username: "u", password: "p" } },
  { type: "ali_oss", bucket: "b", region: "r", credentials: { "access-key": "a", "secret-key": "s" } },
])("a delivery to $type is taken", async (storage) => {
  const { account, deliver } = await startDelivery();
  expect(await deliver({ deliver: { ...storage, filename } })).toMatchObject({ status: 200 });
  expect([...account.deliveries.values()]).toMatchObject([{ type: storage.type }]);
});

test("a snapshot that is expired, not ready or empty is not delivered", async () => {
  const { deliver, snapshot } = await startDelivery();
  snapshot.expired = true;
  expect(await deliver({ deliver: webhook })).toEqual(refusal(400, "Snapshot is expired"));
  snapshot.expired = false;
  snapshot.status = "running";
  expect(await deliver({ deliver: webhook })).toEqual(refusal(400, "Snapshot is not ready"));
  snapshot.status = "ready";
  snapshot.records = listedRecords([]);
  expect(await deliver({ deliver: webhook })).toEqual(refusal(400, "Snapshot is empty"));
});

test("a snapshot too big for one file is not delivered", async () => {
  const { deliver, snapshot } = await startDelivery();
  snapshot.records = syntheticRecords(1_000_001);
  expect(await deliver({ deliver: webhook })).toEqual(refusal(400, "Snapshot is too big for single file delivery"));
  expect(await deliver({ deliver: webhook, batch_size: 100_000 })).toMatchObject({ status: 200 });
});

test.each([
  [{}, "Deliver options are missing"],
  [{ deliver: "webhook" }, "Deliver options are missing"],
  [{ deliver: webhook, batch_size: 999 }, "Batch size should be at least 1000"],
])("a delivery with %j is refused", async (body, message) => {
  const { deliver } = await startDelivery();
  expect(await deliver(body)).toEqual(refusal(400, message));
});

test.each([
  [{ type: "pigeon", filename }, [expect.stringMatching(/^"deliver.type" must be one of webhook, build, /)]],
  [{ type: "webhook", filename }, ['"deliver.endpoint" is required']],
  [{ ...webhook, endpoint: "example.com/hook" }, ['"deliver.endpoint" must be valid']],
  [{ ...azure, container: "ab" }, ['"deliver.container" must be valid']],
  [{ ...azure, container: "Pages" }, ['"deliver.container" must be valid']],
  [{ ...azure, container: "a--b" }, ['"deliver.container" must be valid']],
  [{ type: "email", address: "a@example.com" }, expect.arrayContaining(['"deliver.filename" is required'])],
  [
    { ...webhook, filename: { template: "pages", extension: "exe" } },
    ['"deliver.filename.extension" must be one of json, jsonl, ndjson, csv, xlsx, parquet'],
  ],
  [{ ...webhook, filename: { extension: "json" } }, ['"deliver.filename.template" is required']],
  [{ ...webhook, credentials: {} }, ['"deliver.credentials" is not allowed']],
  [{ type: "gcs", bucket: "b", filename }, ['"deliver.credentials" is required']],
  [
    { type: "s3", bucket: "b", filename, credentials: { "aws-access-key": "a" } },
    ['"deliver.credentials" must have aws-access-key and aws-secret-key, or role_arn and external_id'],
  ],
  [
    { type: "gcs", bucket: "b", filename, credentials: { ...google, password: "p" } },
    ['"deliver.credentials.password" is not allowed'],
  ],
])("a delivery with %j fails validation", async (storage, errors) => {
  const { account, deliver } = await startDelivery();
  expect(await deliver({ deliver: storage })).toMatchObject({ status: 400, body: { validation_errors: errors } });
  expect(account.deliveries.size).toBe(0);
});

test("a delivery with a size that is no number fails validation", async () => {
  const { deliver } = await startDelivery();
  expect(await deliver({ deliver: webhook, batch_size: "1000" })).toMatchObject({
    status: 400,
    body: { validation_errors: ['"batch_size" must be an integer'] },
  });
});

test("an unknown delivery does not exist", async () => {
  const { call } = await startDelivery();
  expect(await call("GET", "/datasets/v3/delivery/dl_nosuch")).toEqual(refusal(404, "Delivery does not exist"));
});

test("a delivery can fail on the way", async () => {
  const { deliver, remote } = await startDelivery();
  remote.service.faults.add({
    path: /^\/datasets\/v3\/deliver\//,
    kind: "respond",
    body: "Failed to deliver snapshot",
  });
  expect(await deliver({ deliver: webhook })).toMatchObject({ status: 500, body: "Failed to deliver snapshot" });
});
