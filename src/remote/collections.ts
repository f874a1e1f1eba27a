import { z } from "zod";
import { ArgumentError } from "../base/errors";
import type { JsonObject } from "../base/json";
import type { CallOptions } from "../http/call";
import { json, type Operation, send } from "../http/operation";
import { field } from "../http/optional";
import { OK } from "../http/success";
import type { SnapshotFormat } from "../model/snapshot";
import { datasetRefusal } from "./datasetRefusal";
import { snapshotRefusal, snapshotSegment } from "./snapshots";

/** What to collect, and what to do with it. */
export interface NewCollection {
  /** Id of the dataset, such as `gd_l1vikfnt1wgvvqz95w`. */
  datasetId: string;
  /** One or more inputs, with the fields that the dataset takes, such as `url`. */
  input: readonly JsonObject[];
  /**
   * How the inputs are sent: as an array, or as the field `input` of an object. The service documents the one and its own
   * clients use the other. Default `array`.
   */
  inputForm?: "array" | "object" | undefined;
  /** Discovers new pages instead of collecting the given ones: by `keyword`, `category_url` and others, as the dataset has them. */
  discoverBy?: string | undefined;
  /** Whether the snapshot also tells which inputs failed. */
  includeErrors?: boolean | undefined;
  /** The fields to collect, such as `url` and `about.updated_on`. Default: all. */
  customOutputFields?: readonly string[] | undefined;
  /** The most records for one input, from 1 on; when discovering. */
  limitPerInput?: number | undefined;
  /** The most records of all, from 1 on; when discovering. */
  limitMultipleResults?: number | undefined;
  /** URL that is told when the collection has ended. Some datasets take `true`. */
  notify?: string | boolean | undefined;
  /** URL of the webhook that the data is sent to. */
  endpoint?: string | undefined;
  /** Format for the webhook. */
  format?: SnapshotFormat | undefined;
  /** Sent to the webhook as `Authorization`. Secret. */
  authHeader?: string | undefined;
  /** Whether the webhook gets the data as it is, not compressed by gzip. */
  uncompressedWebhook?: boolean | undefined;
}

const triggeredShape = field("snapshot_id", z.string().min(1));

/**
 * Starts a collection and answers the id of the snapshot that it makes. `POST /datasets/v3/trigger?dataset_id=`.
 *
 * It costs money, every time: there is no way to tell the service that two requests are one, so it is not sent again when
 * its outcome is not known. Look for it among the snapshots of the dataset then.
 *
 * @throws {ValidationError} {@link NoDataToTriggerError} {@link TooFewInputsError} {@link InvalidAttachmentsError} for the
 *   inputs
 * @throws {DatasetNotFoundError} {@link DatasetMissingError} {@link DatasetNotAllowedError} {@link DatasetNotReadyError} for
 *   the dataset
 * @throws {TooManyRunningJobsError} when as many collections are running as may
 *
 * @example
 * const id = await client.collections.trigger({ datasetId: "gd_l1vikfnt1wgvvqz95w", input: [{ url: "https://example.com" }] });
 */
export const trigger = (collection: NewCollection, options?: CallOptions): Operation<string> => {
  const { datasetId, input, inputForm = "array", discoverBy, customOutputFields } = collection;
  if (typeof datasetId !== "string" || datasetId.trim() === "") {
    throw new ArgumentError('The dataset\'s id is missing: expected one such as "gd_l1vikfnt1wgvvqz95w".');
  }
  return json(triggeredShape, {
    operation: `trigger a collection of dataset ${JSON.stringify(datasetId)}`,
    request: "POST /datasets/v3/trigger",
    query: {
      dataset_id: datasetId,
      type: discoverBy === undefined ? undefined : "discover_new",
      discover_by: discoverBy,
      include_errors: collection.includeErrors,
      custom_output_fields: customOutputFields?.join("|"),
      limit_per_input: collection.limitPerInput,
      limit_multiple_results: collection.limitMultipleResults,
      notify: collection.notify === false ? undefined : collection.notify,
      endpoint: collection.endpoint,
      format: collection.format,
      auth_header: collection.authHeader,
      uncompressed_webhook: collection.uncompressedWebhook,
    },
    body: inputForm === "array" ? input : { input },
    secretParts: [collection.authHeader, collection.endpoint, collection.notify],
    onRefusal: datasetRefusal,
    ...options,
  });
};

/**
 * Cancels a collection that is running. `POST /datasets/v3/snapshot/{snapshot_id}/cancel`.
 *
 * @throws {SnapshotNotRunningError} when it has ended
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 */
export const cancel = (snapshotId: string, options?: CallOptions): Operation<void> =>
  send(OK, {
    operation: `cancel the collection of snapshot ${JSON.stringify(snapshotId)}`,
    request: `POST /datasets/v3/snapshot/${snapshotSegment(snapshotId)}/cancel`,
    onRefusal: snapshotRefusal(snapshotId),
    ...options,
  });

/**
 * Collects once more what a snapshot was collected from, and answers the id of the new snapshot.
 * `POST /datasets/v3/snapshot/{snapshot_id}/rerun`.
 *
 * It costs money, every time, as {@link trigger} does, and is not sent again when its outcome is not known.
 *
 * @throws {SnapshotInputMissingError} when the service no longer has the inputs
 * @throws {SnapshotNotFoundError} when there is no such snapshot
 * @throws {TooManyRunningJobsError} when as many collections are running as may
 *
 * @example
 * const id = await client.collections.rerun("s_m4x7enmven8djfqak");
 */
export const rerun = (snapshotId: string, options?: CallOptions): Operation<string> =>
  json(triggeredShape, {
    operation: `collect snapshot ${JSON.stringify(snapshotId)} once more`,
    request: `POST /datasets/v3/snapshot/${snapshotSegment(snapshotId)}/rerun`,
    onRefusal: snapshotRefusal(snapshotId),
    ...options,
  });
