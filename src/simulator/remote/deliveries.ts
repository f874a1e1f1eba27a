import { json } from "../service";
import { isObject, objectBody, type RemoteContext } from "./call";
import { invalid, isExpired, namedSnapshot, partsOf, refuseDatasetCall } from "./datasetCalls";
import { readStorage, type SimulatedStorage } from "./storage";

/** Delivers snapshots to storage, and watches it done. */
export function addDeliveryRoutes(context: RemoteContext): void {
  const { account, behaviour, route } = context;

  route("POST", "/datasets/v3/deliver/:snapshot_id", (request) => {
    const snapshot = namedSnapshot(context, request);
    const body = objectBody(request);
    if (!isObject(body.deliver)) throw refuseDatasetCall(context, 400, "Deliver options are missing");
    const storage = readStorage(body.deliver);
    if ("errors" in storage) throw invalid(...storage.errors);
    const batchSize = batchSizeOf(body.batch_size);
    if (isExpired(context, snapshot)) throw refuseDatasetCall(context, 400, "Snapshot is expired");
    if (snapshot.status !== "ready") throw refuseDatasetCall(context, 400, "Snapshot is not ready");
    if (snapshot.records.count === 0) throw refuseDatasetCall(context, 400, "Snapshot is empty");
    if (batchSize === undefined && snapshot.records.count > behaviour.maxFileRecords)
      throw refuseDatasetCall(context, 400, "Snapshot is too big for single file delivery");
    const { id } = account.addDelivery(snapshot, behaviour.deliveryStates, {
      type: storage.type,
      filenames: filenames(storage, partsOf(snapshot, batchSize)),
    });
    return json({ [behaviour.deliveryIdField]: id });
  });

  route("GET", "/datasets/v3/delivery/:delivery_id", (request) => {
    const delivery = account.deliveries.get(request.params.delivery_id ?? "");
    if (delivery === undefined) throw refuseDatasetCall(context, 404, "Delivery does not exist");
    delivery.status = delivery.upcoming.shift() ?? delivery.status;
    const seconds = Math.floor(account.clock().getTime() / 1000);
    const files = delivery.status === "done" ? delivery.filenames : [];
    return json({
      id: delivery.id,
      status: delivery.status,
      delivery_files: files.map((filename) => ({ filename, delivery_ts: seconds })),
    });
  });

  function batchSizeOf(given: unknown): number | undefined {
    if (given === undefined) return undefined;
    if (typeof given !== "number" || !Number.isInteger(given)) throw invalid('"batch_size" must be an integer');
    if (given < behaviour.minBatchSize)
      throw refuseDatasetCall(context, 400, `Batch size should be at least ${behaviour.minBatchSize}`);
    return given;
  }
}

function filenames({ template, extension }: SimulatedStorage, files: number): string[] {
  if (files === 1) return [`${template}.${extension}`];
  return Array.from({ length: files }, (_, index) => `${template}.${index + 1}.${extension}`);
}
