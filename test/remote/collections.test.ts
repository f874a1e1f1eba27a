import { expect, test, vi } from "vitest";
import { ArgumentError, ConnectionError, ServerError, ServiceError } from "../../src/base/errors";
import {
  DatasetNotAllowedError,
  DatasetNotReadyError,
  NoDataToTriggerError,
  TooFewInputsError,
  TooManyRunningJobsError,
  ValidationError,
} from "../../src/remote/collectionErrors";
import {
  SnapshotInputMissingError,
  SnapshotNotFoundError,
  SnapshotNotRunningError,
} from "../../src/remote/snapshotErrors";
import { failure, startRemote } from "./harness";

vi.mock("../../src/http/pause", () => ({ pause: async () => {} }));

const DATASET = "gd_simulated";
const INPUT = [{ url: "https://example.com/1" }, { url: "https://example.com/2" }];

test("trigger sends the inputs as an array, and nothing that was not asked for", async () => {
  const { client, account, requests, request } = await startRemote();
  const id = await client.collections.trigger({ datasetId: DATASET, input: INPUT });
  expect(account.snapshots.get(id)).toMatchObject({ datasetId: DATASET, input: INPUT });
  expect(requests).toEqual([
    request({ method: "POST", path: "/datasets/v3/trigger", query: { dataset_id: DATASET }, body: INPUT }),
  ]);
});

test("trigger sends every option, in the service's spelling", async () => {
  const { client, requests, request } = await startRemote();
  await client.collections.trigger({
    datasetId: DATASET,
    input: INPUT,
    inputForm: "object",
    discoverBy: "keyword",
    includeErrors: true,
    customOutputFields: ["url", "about.updated_on"],
    limitPerInput: 5,
    limitMultipleResults: 50,
    notify: "https://example.com/done",
    endpoint: "https://example.com/data",
    format: "ndjson",
    authHeader: "Basic dXNlcjpwYXNz",
    uncompressedWebhook: false,
  });
  expect(requests).toEqual([
    request({
      method: "POST",
      path: "/datasets/v3/trigger",
      query: {
        dataset_id: DATASET,
        type: "discover_new",
        discover_by: "keyword",
        include_errors: "true",
        custom_output_fields: "url|about.updated_on",
        limit_per_input: "5",
        limit_multiple_results: "50",
        notify: "https://example.com/done",
        endpoint: "https://example.com/data",
        format: "ndjson",
        auth_header: "Basic dXNlcjpwYXNz",
        uncompressed_webhook: "false",
      },
      body: { input: INPUT },
    }),
  ]);
});

test("trigger sends nothing of nobody who is to be notified", async () => {
  const { client, requests } = await startRemote();
  await client.collections.trigger({ datasetId: DATASET, input: INPUT, notify: false });
  expect(requests[0]?.query).not.toHaveProperty("notify");
});

test("trigger shows nobody the header for the webhook", async () => {
  const { client, answer } = await startRemote();
  answer(400, { validation_errors: ['"auth_header" must not be "Basic dXNlcjpwYXNz"'] });
  const error = await failure(
    client.collections.trigger({ datasetId: DATASET, input: INPUT, authHeader: "Basic dXNlcjpwYXNz" }),
    ValidationError,
  );
  expect(error.errors).toEqual(['"auth_header" must not be "[secret]"']);
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain("dXNlcjpwYXNz");
});

test.each(["", " ", undefined as unknown as string])("trigger needs a dataset: %j", async (datasetId) => {
  const { client, requests } = await startRemote();
  await failure(client.collections.trigger({ datasetId, input: INPUT }), ArgumentError);
  expect(requests).toEqual([]);
});

test("trigger is never sent again when it is not known what became of it", async () => {
  const { clientWith, account, simulator, answer, requests } = await startRemote();
  const client = clientWith({ retries: 3 });
  simulator.remote.service.faults.add({ kind: "reset-after" });
  const cut = await failure(client.collections.trigger({ datasetId: DATASET, input: INPUT }), ConnectionError);
  expect(cut.settled).toBe(false);
  answer(503, "Unavailable");
  await failure(client.collections.trigger({ datasetId: DATASET, input: INPUT }), ServerError);
  expect(requests).toHaveLength(2);
  expect(account.snapshots.size).toBe(1);
});

test("trigger is not sent again while too many are running", async () => {
  const { clientWith, account, requests } = await startRemote();
  const dataset = account.datasets.get(DATASET);
  if (dataset !== undefined) dataset.jobsLimit = 1;
  const client = clientWith({ retries: 3 });
  await client.collections.trigger({ datasetId: DATASET, input: INPUT });
  const error = await failure(
    client.collections.trigger({ datasetId: DATASET, input: INPUT }),
    TooManyRunningJobsError,
  );
  expect(error).toMatchObject({ running: 1, limit: 1, status: 429 });
  expect(requests).toHaveLength(2);
});

test("trigger knows what the service says of datasets and inputs", async () => {
  const { client, account } = await startRemote();
  const dataset = account.datasets.get(DATASET);
  if (dataset === undefined) throw new Error("There is no dataset.");
  const run = (input: Record<string, unknown>[]) => client.collections.trigger({ datasetId: DATASET, input });
  await failure(run([]), NoDataToTriggerError);
  await failure(run([{}]), ValidationError);
  dataset.minInputs = 3;
  expect(await failure(run(INPUT), TooFewInputsError)).toMatchObject({ minimum: 3 });
  dataset.ready = false;
  await failure(run(INPUT), DatasetNotReadyError);
  dataset.allowedForApi = false;
  await failure(run(INPUT), DatasetNotAllowedError);
});

test("cancel cancels, once", async () => {
  const { client, account, requests, request } = await startRemote();
  const { id } = account.addSnapshot(DATASET, ["running"], []);
  await expect(client.collections.cancel(id)).resolves.toBeUndefined();
  expect(account.snapshots.get(id)?.status).toBe("canceled");
  expect(requests).toEqual([
    request({ method: "POST", path: `/datasets/v3/snapshot/${id}/cancel`, headers: { "content-length": "0" } }),
  ]);
  await failure(client.collections.cancel(id), SnapshotNotRunningError);
});

test.each(["", ".", ".."])("cancel needs an id: %j", async (id) => {
  const { client, requests } = await startRemote();
  await failure(client.collections.cancel(id), ArgumentError);
  expect(requests).toEqual([]);
});

test("rerun collects the same inputs once more", async () => {
  const { client, account, requests, request } = await startRemote();
  const { id } = account.addSnapshot(DATASET, [], INPUT);
  const again = await client.collections.rerun(id);
  expect(again).not.toBe(id);
  expect(account.snapshots.get(again)).toMatchObject({ datasetId: DATASET, input: INPUT });
  const headers = { "content-length": "0" };
  expect(requests).toEqual([request({ method: "POST", path: `/datasets/v3/snapshot/${id}/rerun`, headers })]);
});

test("rerun is sent once when its outcome is not known", async () => {
  const { clientWith, simulator, account, requests } = await startRemote();
  const { id } = account.addSnapshot(DATASET, [], INPUT);
  simulator.remote.service.faults.add({ kind: "reset-after" });
  await failure(clientWith({ retries: 3 }).collections.rerun(id), ConnectionError);
  expect(requests).toHaveLength(1);
  expect(account.snapshots.size).toBe(2);
});

test("rerun tells that the inputs are gone, or the snapshot", async () => {
  const { client, account } = await startRemote();
  const snapshot = account.addSnapshot(DATASET, [], INPUT);
  delete snapshot.input;
  await failure(client.collections.rerun(snapshot.id), SnapshotInputMissingError);
  await failure(client.collections.rerun("s_nosuch"), SnapshotNotFoundError);
});

test("shows nothing of the webhook when the service sends it back", async () => {
  const { client, answer } = await startRemote();
  const hook = "https://hooks.example.com/T0/B0/f00dfeed?key=1";
  answer(400, { error: `bad notify ${hook}, endpoint ${hook}/data, header bare-key` });
  const collection = { datasetId: "gd_1", input: [{ url: "a" }], notify: hook, endpoint: `${hook}/data` };
  const error = await failure(client.collections.trigger({ ...collection, authHeader: "bare-key" }), ServiceError);
  expect(error.serviceMessage).toBe("bad notify [secret], endpoint [secret], header [secret]");
});
