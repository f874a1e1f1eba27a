import { z } from "zod";
import { ResponseFormatError } from "../base/errors";
import { optional } from "../http/optional";
import type { Call, CallOptions, Transport } from "../http/transport";
import type { DeliveredFiles, DeliveryFilename } from "../model/deliveryFiles";
import { datasetRefusal } from "./datasetRefusal";
import { segment } from "./names";
import { snapshotRefusal, snapshotSegment } from "./snapshots";
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

const startedShape = z.looseObject({
  id: optional(z.string().min(1)),
  delivery_id: optional(z.string().min(1)),
});

const deliveryShape = z.looseObject({
  id: optional(z.string()),
  status: z.string(),
  delivery_files: optional(z.array(z.looseObject({ filename: z.string(), delivery_ts: optional(z.number()) }))),
});

/**
 * Delivers a snapshot to a storage and answers the id of the delivery. `POST /datasets/v3/deliver/{snapshot_id}`.
 *
 * It is not sent again when its outcome is not known: it would deliver twice.
 *
 * @throws {ValidationError} {@link DeliverOptionsMissingError} {@link BatchTooSmallError} for what was sent
 * @throws {SnapshotNotReadyError} {@link SnapshotExpiredError} {@link SnapshotEmptyError} {@link SnapshotTooBigError}
 *   {@link SnapshotNotFoundError} for the snapshot
 * @throws {DeliveryFailedError} when the service could not deliver
 *
 * @example
 * const id = await client.deliveries.deliver("s_m4x7enmven8djfqak", {
 *   storage: { type: "s3", bucket: "my-bucket", credentials: { roleArn: "arn:aws:iam::123456789012:role/deliver", externalId: "hl_1" } },
 *   filename: { template: "pages", extension: "ndjson" },
 * });
 */
export async function deliver(
  transport: Transport,
  snapshotId: string,
  delivery: NewDelivery,
  options: CallOptions = {},
): Promise<string> {
  const { storage, filename, compress, batchSize, notify } = delivery;
  const call: Call = {
    operation: `deliver snapshot ${JSON.stringify(snapshotId)}`,
    method: "POST",
    path: `/datasets/v3/deliver/${snapshotSegment(snapshotId)}`,
    query: { notify },
    body: { deliver: { ...toServiceStorage(storage), filename }, compress, batch_size: batchSize },
    secretParts: [{ ...storage, type: undefined }, notify],
    onRefusal: snapshotRefusal(snapshotId),
    ...options,
  };
  const { id, delivery_id } = await transport.json(call, startedShape);
  const started = id ?? delivery_id;
  if (started !== undefined) return started;
  throw new ResponseFormatError(transport.context(call), "an answer without the id of the delivery");
}

/**
 * Tells how far a delivery has come. `GET /datasets/v3/delivery/{delivery_id}`.
 *
 * @throws {DeliveryNotFoundError} when there is no such delivery
 */
export async function status(transport: Transport, deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
  const call: Call = {
    operation: `read the state of delivery ${JSON.stringify(deliveryId)}`,
    method: "GET",
    path: `/datasets/v3/delivery/${segment(deliveryId, "The delivery's id", "dl_m4x7enmven8djfqak")}`,
    onRefusal: datasetRefusal,
    ...options,
  };
  const { id = deliveryId, status, delivery_files = [] } = await transport.json(call, deliveryShape);
  const files = delivery_files.map(({ filename, delivery_ts }) => ({
    filename,
    // In seconds.
    ...(delivery_ts === undefined ? {} : { deliveredAt: new Date(delivery_ts * 1000).toISOString() }),
  }));
  return { deliveryId: id, status, files };
}
