import { z } from "zod";
import type { CallOptions } from "../http/call";
import { json, type Operation } from "../http/operation";
import { field, optional, present } from "../http/optional";
import type { DeliveredFiles, DeliveryFilename } from "../model/deliveryFiles";
import { datasetRefusal } from "./datasetRefusal";
import { segment } from "./names";
import { orWhyNever } from "./neverReady";
import { progress, snapshotRefusal, snapshotSegment } from "./snapshots";
import { type Storage, toServiceStorage } from "./storage";

/** What to deliver where. */
export interface NewDelivery {
  storage: Storage;
  /** Name of the files, in whose `template` the service replaces its own placeholders, such as `{[snapshot_id]}`; and format. */
  filename: DeliveryFilename;
  /** Whether to compress the files by gzip. Default no. */
  compress?: boolean | undefined;
  /** Records a file; the service takes no fewer than 1000. Default: all in one file. */
  batchSize?: number | undefined;
  /** URL that is told when the delivery has ended. */
  notify?: string | undefined;
}

/**
 * State of a delivery. `done`, `canceled` and `failed` are final; anything else means that it is going on: the service does
 * not document its words for that.
 */
export type DeliveryStatus = "done" | "canceled" | "failed" | (string & {});

/** How far a delivery has come. */
export interface Delivery {
  deliveryId: string;
  status: DeliveryStatus;
  files: DeliveredFiles;
}

const id = z.string().min(1);
const startedShape = z.union([field("id", id), field("delivery_id", id)]);

// In seconds; one that is in another unit may be no date.
const moment = z.number().transform((seconds) => {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
});
const fileShape = z
  .looseObject({ filename: z.string(), delivery_ts: optional(moment) })
  .transform(({ filename, delivery_ts }) => present({ filename, deliveredAt: delivery_ts }));
const deliveryShape = z.looseObject({
  id: optional(z.string()),
  status: z.string(),
  delivery_files: optional(z.array(fileShape)),
});

/**
 * Delivers a snapshot to a storage and answers the id of the delivery. `POST /datasets/v3/deliver/{snapshot_id}`, and where the
 * snapshot is not ready `GET /datasets/v3/progress/{snapshot_id}`.
 *
 * It is not sent again when its outcome is not known: it would deliver twice.
 *
 * @throws {ValidationError} {@link DeliverOptionsMissingError} {@link BatchTooSmallError} for what was sent
 * @throws {SnapshotNotReadyError} {@link SnapshotExpiredError} {@link SnapshotEmptyError} {@link SnapshotTooBigError}
 *   {@link SnapshotNotFoundError} for the snapshot
 * @throws {CollectionFailedError} when the collection has failed
 * @throws {DeliveryFailedError} when the service could not deliver
 *
 * @example
 * const id = await client.deliveries.deliver("s_m4x7enmven8djfqak", {
 *   storage: { type: "s3", bucket: "my-bucket", credentials: { roleArn: "arn:aws:iam::123456789012:role/deliver", externalId: "hl_1" } },
 *   filename: { template: "pages", extension: "ndjson" },
 * });
 */
export const deliver = (snapshotId: string, delivery: NewDelivery, options?: CallOptions): Operation<string> => {
  const { storage, filename, compress, batchSize, notify } = delivery;
  const start = json(startedShape, {
    operation: `deliver snapshot ${JSON.stringify(snapshotId)}`,
    request: `POST /datasets/v3/deliver/${snapshotSegment(snapshotId)}`,
    query: { notify },
    body: { deliver: { ...toServiceStorage(storage), filename }, compress, batch_size: batchSize },
    secretParts: [{ ...storage, type: undefined }, notify],
    onRefusal: snapshotRefusal(snapshotId),
    ...options,
  });
  return orWhyNever(start, progress(snapshotId, options));
};

/**
 * Tells how far a delivery has come. `GET /datasets/v3/delivery/{delivery_id}`.
 *
 * @throws {DeliveryNotFoundError} when there is no such delivery
 */
export const status = (deliveryId: string, options?: CallOptions): Operation<Delivery> =>
  json(
    deliveryShape.transform(
      ({ id = deliveryId, status, delivery_files: files = [] }): Delivery => ({ deliveryId: id, status, files }),
    ),
    {
      operation: `read the state of delivery ${JSON.stringify(deliveryId)}`,
      request: `GET /datasets/v3/delivery/${segment(deliveryId, "The delivery's id", "dl_m4x7enmven8djfqak")}`,
      onRefusal: datasetRefusal,
      ...options,
    },
  );
