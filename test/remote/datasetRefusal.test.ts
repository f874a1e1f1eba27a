import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  InvalidRequestError,
  RateLimitError,
  ServerError,
  type ServiceError,
} from "../../src/base/errors";
import type { RemoteClient } from "../../src/remote/client";
import * as collections from "../../src/remote/collectionErrors";
import * as deliveries from "../../src/remote/deliveryErrors";
import * as snapshots from "../../src/remote/snapshotErrors";
import { failure, startRemote } from "./harness";

type Operation = (client: RemoteClient) => Promise<unknown>;

const trigger: Operation = (client) => client.collections.trigger({ datasetId: "gd_1", input: [{ url: "a" }] });
const download: Operation = (client) => client.snapshots.records("s_1", { limit: 1 });
const parts: Operation = (client) => client.snapshots.parts("s_1");
const input: Operation = (client) => client.snapshots.input("s_1");
const cancel: Operation = (client) => client.collections.cancel("s_1");
const progress: Operation = (client) => client.snapshots.progress("s_1");
const list: Operation = (client) => client.snapshots.list({ datasetId: "gd_1" });
const status: Operation = (client) => client.deliveries.status("dl_1");
const deliver: Operation = (client) =>
  client.deliveries.deliver("s_1", {
    storage: { type: "webhook", endpoint: "https://example.com" },
    filename: { template: "a", extension: "json" },
  });

type Kind = abstract new (...rest: never[]) => ServiceError;
type Row = [name: string, operation: Operation, status: number, message: string, kind: Kind, more?: object];

const ROWS: Row[] = [
  ["trigger", trigger, 400, "dataset missing", collections.DatasetMissingError],
  ["trigger", trigger, 400, "Invalid attachments", collections.InvalidAttachmentsError],
  ["trigger", trigger, 400, "This dataset is not allowed for API", collections.DatasetNotAllowedError],
  ["trigger", trigger, 400, "This dataset is not ready yet", collections.DatasetNotReadyError],
  ["trigger", trigger, 400, "No data to trigger", collections.NoDataToTriggerError],
  ["trigger", trigger, 400, "Should be at least 5 inputs", collections.TooFewInputsError, { minimum: 5 }],
  ["trigger", trigger, 400, "Invalid input format", collections.ValidationError, { errors: ["Invalid input format"] }],
  ["trigger", trigger, 404, "dataset does not exist", collections.DatasetNotFoundError],
  [
    "trigger",
    trigger,
    429,
    "Too many running jobs for this dataset (101>=100). Combine inputs into one request",
    collections.TooManyRunningJobsError,
    { running: 101, limit: 100 },
  ],
  ["trigger", trigger, 500, "Internal server error", ServerError],
  [
    "download",
    download,
    202,
    "Snapshot is not ready yet, try again in 30s",
    snapshots.SnapshotNotReadyError,
    { retryAfter: 30 },
  ],
  ["download", download, 202, "Snapshot is building. Try again", snapshots.SnapshotNotReadyError, { retryAfter: 10 }],
  ["download", download, 409, "Snapshot is not ready for download", snapshots.SnapshotNotReadyError],
  ["download", download, 400, "Snapshot is expired", snapshots.SnapshotExpiredError],
  ["download", download, 400, "Snapshot is empty", snapshots.SnapshotEmptyError],
  ["download", download, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["download", download, 404, "Snapshot not found", snapshots.SnapshotNotFoundError],
  ["download", download, 500, "Internal server error", ServerError],
  ["parts", parts, 400, "Snapshot is not ready", snapshots.SnapshotNotReadyError, { retryAfter: 10 }],
  ["parts", parts, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["parts", parts, 500, "Internal server error", ServerError],
  ["input", input, 400, "Snapshot input does not exist", snapshots.SnapshotInputMissingError],
  ["input", input, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["input", input, 500, "Internal server error", ServerError],
  ["cancel", cancel, 400, "Snapshot is not running", snapshots.SnapshotNotRunningError],
  ["cancel", cancel, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["cancel", cancel, 500, "Internal server error", ServerError],
  ["progress", progress, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["progress", progress, 404, "Snapshot not found", snapshots.SnapshotNotFoundError],
  ["progress", progress, 401, "User authentication is required", AuthenticationError],
  ["progress", progress, 500, "Internal server error", ServerError],
  ["delivery status", status, 404, "Delivery does not exist", deliveries.DeliveryNotFoundError],
  ["delivery status", status, 500, "Internal server error", ServerError],
  ["deliver", deliver, 400, "Snapshot is not ready", snapshots.SnapshotNotReadyError],
  ["deliver", deliver, 400, "Snapshot is expired", snapshots.SnapshotExpiredError],
  ["deliver", deliver, 400, "Deliver options are missing", deliveries.DeliverOptionsMissingError],
  ["deliver", deliver, 400, "Snapshot is empty", snapshots.SnapshotEmptyError],
  ["deliver", deliver, 400, "Snapshot is too big for single file delivery", snapshots.SnapshotTooBigError],
  ["deliver", deliver, 400, "Batch size should be at least 1000", deliveries.BatchTooSmallError, { minimum: 1000 }],
  ["deliver", deliver, 404, "Snapshot does not exist", snapshots.SnapshotNotFoundError],
  ["deliver", deliver, 500, "Failed to deliver snapshot", deliveries.DeliveryFailedError, { settled: false }],
  ["deliver", deliver, 500, "Internal server error", ServerError],
  ["list", list, 404, "Snapshot not found", snapshots.SnapshotNotFoundError],
  ["list", list, 500, "Internal server error", ServerError],
];

describe.each([
  ["as text", (message: string) => message],
  ["as an object", (message: string) => ({ error: message })],
  ["as a state", (message: string) => ({ status: "running", message })],
])("told %s", (_, body) => {
  test.each(ROWS)("%s: %j %s", async (_name, operation, code, message, kind, more = {}) => {
    const { client, answer, requests } = await startRemote();
    answer(code, body(message));
    const error = await failure(operation(client), kind);
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({
      name: kind.name,
      status: code,
      serviceMessage: message,
      settled: code >= 400 && code < 500,
      ...more,
    });
    expect(requests.filter(({ status }) => status === code)).toHaveLength(1);
    // Whoever reads the message is told what to do about it.
    if (code < 500 && code !== 401) {
      expect(error.message.split(message)[1]).toMatch(/^\.? [A-Z].{10,}/);
    }
  });
});

test.each([
  ["trigger", trigger],
  ["download", download],
  ["parts", parts],
  ["deliver", deliver],
  ["list", list],
])("%s lists the service's complaints", async (_, operation) => {
  const { client, answer } = await startRemote();
  answer(400, { validation_errors: ['"[0].url" is required', '"limit" must be a number'] });
  const error = await failure(operation(client), collections.ValidationError);
  expect(error).toBeInstanceOf(InvalidRequestError);
  expect(error.errors).toEqual(['"[0].url" is required', '"limit" must be a number']);
});

test("numbers that the service does not tell are absent", async () => {
  const { client, answer } = await startRemote();
  answer(429, "Too many running jobs for this dataset");
  const busy = await failure(trigger(client), collections.TooManyRunningJobsError);
  expect([busy.running, busy.limit]).toEqual([undefined, undefined]);
  // Such an error is not to be repeated as one about the rate of requests is.
  expect(busy).not.toBeInstanceOf(RateLimitError);
});

describe("the reason for which a collection failed", () => {
  const context = { service: "remote", operation: "download snapshot", method: "GET", url: "/x" } as const;

  test.each([
    ["Something went wrong. Our team is looking into it.", "somethingWentWrong"],
    ["Account is suspended", "accountSuspended"],
    ["Account is new, please activate it in account settings https://example.com", "accountNew"],
    ["No data found in discovery", "nothingDiscovered"],
    ["Snapshot is empty", "snapshotEmpty"],
    ["Failed to deliver snapshot", "deliveryFailed"],
    ["Failed to download response", "downloadFailed"],
    ["Failed to trigger collector", "triggerFailed"],
    ["Internal Server Error", "internalError"],
    ["Input validation failed: url is not valid", "inputInvalid", "url is not valid"],
    ["The moon is in the wrong place", "other"],
    ["", "other"],
  ])("%j is %s", (message, reason, details?: string) => {
    const error = new collections.CollectionFailedError(context, message);
    expect(error).toMatchObject({ reason, details, serviceMessage: message, settled: true });
    expect(error.message).toContain(`Could not download snapshot: the collection has failed`);
    expect(error.message).toContain(message);
  });
});
