import type { SnapshotRecord } from "../simulator";
import { DELIVERY, type Scene } from "./contract";

/** A way in which an operation on datasets fails. */
export interface Failure {
  /** Name of the {@link DATASET_OPERATIONS | operation}. */
  operation: string;
  status: number;
  /** The body of the answer: an object is JSON. */
  body: string | object;
  /** Name of the error's class, an export of the package. */
  error: string;
  /**
   * Brings the simulated service to fail so of its own accord, and gives the arguments to call with. Absent where only an
   * accident does it, and where the client does not send what is refused.
   */
  provoke?: (scene: Scene) => unknown[];
}

const complaints = { validation_errors: ['"url" is required'] };
const unknown = () => ["s_unknown"];

function datasetWith(scene: Scene, change: object): unknown[] {
  Object.assign(scene.simulator.account.datasets.get("gd_simulated") ?? {}, change);
  return [{ datasetId: "gd_simulated", input: [{ url: "https://example.com/" }] }];
}

const deliver = ({ id }: SnapshotRecord, change: object = {}): unknown[] => [id, { ...DELIVERY, ...change }];

const changed = (snapshot: SnapshotRecord, change: Partial<SnapshotRecord>): SnapshotRecord =>
  Object.assign(snapshot, change);

const NO_RECORDS = { count: 0, at: () => ({}) };

/** The contract's table of errors, message by message, but for the failures that {@link COLLECTION_FAILURES} has. */
export const FAILURES: readonly Failure[] = [
  {
    operation: "Trigger",
    status: 400,
    body: complaints,
    error: "ValidationError",
    provoke: () => [{ datasetId: "gd_simulated", input: [{}] }],
  },
  { operation: "Trigger", status: 400, body: "dataset missing", error: "DatasetMissingError" },
  { operation: "Trigger", status: 400, body: "Invalid attachments", error: "InvalidAttachmentsError" },
  {
    operation: "Trigger",
    status: 400,
    body: "This dataset is not allowed for API",
    error: "DatasetNotAllowedError",
    provoke: (scene) => datasetWith(scene, { allowedForApi: false }),
  },
  {
    operation: "Trigger",
    status: 400,
    body: "This dataset is not ready yet",
    error: "DatasetNotReadyError",
    provoke: (scene) => datasetWith(scene, { ready: false }),
  },
  {
    operation: "Trigger",
    status: 400,
    body: "No data to trigger",
    error: "NoDataToTriggerError",
    provoke: () => [{ datasetId: "gd_simulated", input: [] }],
  },
  {
    operation: "Trigger",
    status: 400,
    body: "Should be at least 5 inputs",
    error: "TooFewInputsError",
    provoke: (scene) => datasetWith(scene, { minInputs: 5 }),
  },
  {
    operation: "Trigger",
    status: 404,
    body: "dataset does not exist",
    error: "DatasetNotFoundError",
    provoke: () => [{ datasetId: "gd_unknown", input: [{ url: "https://example.com/" }] }],
  },
  {
    operation: "Trigger",
    status: 429,
    body: "Too many running jobs for this dataset (100>=100)",
    error: "TooManyRunningJobsError",
    provoke: (scene) => datasetWith(scene, { jobsLimit: 1 }),
  },
  { operation: "Trigger", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Download snapshot",
    status: 202,
    body: { status: "running", message: "Snapshot is not ready yet, try again in 10s" },
    error: "SnapshotNotReadyError",
    provoke: ({ running }) => [running.id, { limit: 1 }],
  },
  {
    operation: "Download snapshot",
    status: 202,
    body: { status: "building", message: "Snapshot is building, try again in 10s" },
    error: "SnapshotNotReadyError",
    provoke: ({ ready }) => [changed(ready, { buildingReads: 1 }).id, { limit: 1 }],
  },
  { operation: "Download snapshot", status: 400, body: complaints, error: "ValidationError" },
  {
    operation: "Download snapshot",
    status: 400,
    body: "Snapshot is expired",
    error: "SnapshotExpiredError",
    provoke: ({ ready }) => [changed(ready, { expired: true }).id, { limit: 1 }],
  },
  {
    operation: "Download snapshot",
    status: 400,
    body: "Snapshot is empty",
    error: "SnapshotEmptyError",
    provoke: ({ ready }) => [changed(ready, { records: NO_RECORDS }).id, { limit: 1 }],
  },
  {
    operation: "Download snapshot",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: () => ["s_unknown", { limit: 1 }],
  },
  { operation: "Download snapshot", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Parts",
    status: 400,
    body: complaints,
    error: "ValidationError",
    provoke: ({ ready }) => [ready.id, { format: "xml" }],
  },
  {
    operation: "Parts",
    status: 400,
    body: "Snapshot is not ready",
    error: "SnapshotNotReadyError",
    provoke: ({ running }) => [running.id],
  },
  {
    operation: "Parts",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: unknown,
  },
  { operation: "Parts", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Input file",
    status: 400,
    body: "Snapshot input does not exist",
    error: "SnapshotInputMissingError",
    provoke: ({ ready }) => {
      delete ready.input;
      return [ready.id];
    },
  },
  {
    operation: "Input file",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: unknown,
  },
  { operation: "Input file", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Cancel",
    status: 400,
    body: "Snapshot is not running",
    error: "SnapshotNotRunningError",
    provoke: ({ ready }) => [ready.id],
  },
  {
    operation: "Cancel",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: unknown,
  },
  { operation: "Cancel", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Progress",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: unknown,
  },
  { operation: "Progress", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Delivery status",
    status: 404,
    body: "Delivery does not exist",
    error: "DeliveryNotFoundError",
    provoke: () => ["dl_unknown"],
  },
  { operation: "Delivery status", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Deliver",
    status: 400,
    body: complaints,
    error: "ValidationError",
    provoke: ({ ready }) => deliver(ready, { filename: { template: "pages", extension: "exe" } }),
  },
  {
    operation: "Deliver",
    status: 400,
    body: "Snapshot is not ready",
    error: "SnapshotNotReadyError",
    provoke: ({ running }) => deliver(running),
  },
  {
    operation: "Deliver",
    status: 400,
    body: "Snapshot is expired",
    error: "SnapshotExpiredError",
    provoke: ({ ready }) => deliver(changed(ready, { expired: true })),
  },
  { operation: "Deliver", status: 400, body: "Deliver options are missing", error: "DeliverOptionsMissingError" },
  {
    operation: "Deliver",
    status: 400,
    body: "Snapshot is empty",
    error: "SnapshotEmptyError",
    provoke: ({ ready }) => deliver(changed(ready, { records: NO_RECORDS })),
  },
  {
    operation: "Deliver",
    status: 400,
    body: "Snapshot is too big for single file delivery",
    error: "SnapshotTooBigError",
    provoke: ({ simulator, ready }) => {
      simulator.remote.behaviour.maxFileRecords = 0;
      return deliver(ready);
    },
  },
  {
    operation: "Deliver",
    status: 400,
    body: "Batch size should be at least 1000",
    error: "BatchTooSmallError",
    provoke: ({ ready }) => deliver(ready, { batchSize: 1 }),
  },
  {
    operation: "Deliver",
    status: 404,
    body: "Snapshot does not exist",
    error: "SnapshotNotFoundError",
    provoke: ({ ready }) => deliver({ ...ready, id: "s_unknown" }),
  },
  { operation: "Deliver", status: 500, body: "Failed to deliver snapshot", error: "DeliveryFailedError" },
  { operation: "Deliver", status: 500, body: "Internal server error", error: "ServerError" },
  {
    operation: "Snapshot list",
    status: 400,
    body: complaints,
    error: "ValidationError",
    provoke: () => [{ datasetId: "gd_simulated", limit: 0 }],
  },
  { operation: "Snapshot list", status: 500, body: "Internal server error", error: "ServerError" },
];

/** What the progress of a collection that failed says, with 200, and the reason that the error gives for it. */
export const COLLECTION_FAILURES: readonly [message: string, reason: string][] = [
  ["Something went wrong. Our team is looking into it.", "somethingWentWrong"],
  ["Account is suspended", "accountSuspended"],
  ["Account is new, please activate it in account settings https://example.com/", "accountNew"],
  ["No data found in discovery", "nothingDiscovered"],
  ["Snapshot is empty", "snapshotEmpty"],
  ["Failed to deliver snapshot", "deliveryFailed"],
  ["Failed to download response", "downloadFailed"],
  ["Failed to trigger collector", "triggerFailed"],
  ["Internal Server Error", "internalError"],
  ["Input validation failed: url is not one", "inputInvalid"],
];
