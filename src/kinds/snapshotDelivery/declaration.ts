import { kind, triggers } from "../../declaration/kind";
import { count, flag, text } from "../../declaration/property";
import { url } from "../../declaration/url";
import { waiting } from "../../declaration/waiting";
import { deliveredFiles, deliveryFilename } from "../../model/deliveryFiles";
import { deliveryTarget, endpointNeedsKeys } from "../../model/deliveryTarget";
import { snapshotId } from "../shared/snapshotId";

export const snapshotDelivery = kind("SnapshotDelivery", {
  says: "Delivers the records of a snapshot to a storage. Destroying the resource leaves the files where they are.",
  brief: "delivers a snapshot to a storage and waits until it is there",
  service: "remote",
  isAction: true,
  id: { says: "Id of the delivery.", example: "dl_m4x7enmven8djfqak", pattern: /^[^/]+(\/[\da-f]{8})?$/ },
  endpoints: [
    "POST /datasets/v3/deliver/{snapshot_id}",
    "GET /datasets/v3/delivery/{delivery_id}",
    "GET /datasets/v3/progress/{snapshot_id}",
  ],
  timeouts: { create: 1800, read: 60, update: 1800, delete: 60 },
  inputs: {
    snapshotId: snapshotId({
      says: "Id of a snapshot that is ready, such as the `snapshotId` of a `DatasetCollection`.",
      required: true,
    }),
    target: deliveryTarget,
    filename: deliveryFilename,
    compress: flag({ says: "Whether the files are compressed with gzip.", default: false }),
    batchSize: count({
      says: "Number of records in each file. The service has a minimum, 1000 as far as is known.",
      least: 1,
      expected: "expected a whole number of records, from 1 on.",
      defaultSays: "all in one file",
      example: 10_000,
    }),
    notify: url({
      says: "URL that is notified when the delivery has ended.",
      defaultSays: "nobody is notified",
      example: "https://example.com/delivered",
    }),
    ...waiting,
    triggers: triggers(),
    deliveryId: text({
      says: "Id of an existing delivery to wait for instead of starting one. As long as it is given, nothing is delivered.",
      defaultSays: "the snapshot is delivered",
      example: "dl_m4x7enmven8djfqak",
      replaces: true,
      onChange: "replacement, unless it is the id in the state",
      known: true,
      outputSays:
        "Id of the delivery, given or not; also the resource's `id`. Absent when it is not known whether a delivery has begun.",
    }),
  },
  outputs: {
    status: text({
      says: "`done`. When the update does not wait: what the service last said. `outcome unknown` when the answer was lost.",
      required: true,
      isVolatile: true,
    }),
    files: { ...deliveredFiles, isVolatile: true },
  },
  rules: [endpointNeedsKeys],
  fails:
    "the snapshot is not ready, expired or empty, when the service refuses the target, when the delivery fails, or when it takes longer than the timeout: it is kept then, and the next update goes on waiting; also when it is not known whether it has begun: that is kept, too, and nothing is delivered again automatically",
  example: `new brightdata.SnapshotDelivery("products", {
  snapshotId: collection.snapshotId,
  target: { type: "webhook", endpoint: "https://example.com/hook" },
  filename: { template: "products", extension: "ndjson" },
});`,
});
