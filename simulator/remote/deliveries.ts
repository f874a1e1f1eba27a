import { json, type SimulatedResponse } from "../service";
import { type Call, isObject, objectBody, type Routes } from "./call";
import { invalid, isExpired, namedSnapshot, partsOf, refuseDatasetCall } from "./datasetCalls";
import { readStorage, type SimulatedStorage } from "./storage";

/** Delivers snapshots to storage, and watches it done. */
export const deliveryRoutes: Routes = {
  "POST /datasets/v3/deliver/:snapshot_id": deliver,
  "GET /datasets/v3/delivery/:delivery_id": poll,
};

function deliver(call: Call): SimulatedResponse {
  const { account, behaviour } = call;
  const snapshot = namedSnapshot(call);
  const { deliver: options, batch_size } = objectBody(call);
  if (!isObject(options)) throw refuseDatasetCall(call, "Deliver options are missing");
  const storage = readStorage(options);
  const batchSize = batchSizeOf(call, batch_size);
  if (isExpired(call, snapshot)) throw refuseDatasetCall(call, "Snapshot is expired");
  if (snapshot.status !== "ready") throw refuseDatasetCall(call, "Snapshot is not ready");
  if (snapshot.records.count === 0) throw refuseDatasetCall(call, "Snapshot is empty");
  if (batchSize === undefined && snapshot.records.count > behaviour.maxFileRecords)
    throw refuseDatasetCall(call, "Snapshot is too big for single file delivery");
  const { id } = account.addDelivery(snapshot, behaviour.deliveryStates, {
    type: storage.type,
    filenames: filenames(storage, partsOf(snapshot, batchSize)),
  });
  return json({ [behaviour.deliveryIdField]: id });
}

function poll(call: Call): SimulatedResponse {
  const { deliveries, clock } = call.account;
  const delivery = deliveries.get(call.params.delivery_id ?? "");
  if (delivery === undefined) throw refuseDatasetCall(call, "Delivery does not exist", 404);
  delivery.status = delivery.upcoming.shift() ?? delivery.status;
  const seconds = Math.floor(clock().getTime() / 1000);
  const files = delivery.status === "done" ? delivery.filenames : [];
  return json({
    id: delivery.id,
    status: delivery.status,
    delivery_files: files.map((filename) => ({ filename, delivery_ts: seconds })),
  });
}

function batchSizeOf(call: Call, given: unknown): number | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== "number" || !Number.isInteger(given)) throw invalid('"batch_size" must be an integer');
  const { minBatchSize } = call.behaviour;
  if (given < minBatchSize) throw refuseDatasetCall(call, `Batch size should be at least ${minBatchSize}`);
  return given;
}

function filenames({ template, extension }: SimulatedStorage, files: number): string[] {
  if (files === 1) return [`${template}.${extension}`];
  return Array.from({ length: files }, (_, index) => `${template}.${index + 1}.${extension}`);
}
